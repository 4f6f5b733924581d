// SPDX-License-Identifier: BSD-3-Clause
//
// The format perfetto: one file of the timeline (trace_writer.hpp) or, without one, of the profile (profile.hpp).
//
// Its tab in a browser takes two to four times as much memory as the file has bytes. So it can also be a folder with a
// file for each rank, each to be opened alone, and a manifest (https://perfetto.dev/docs/reference/perfetto-manifest,
// version 1), which tells Perfetto 58 and later how the files of an archive are parts of one timeline.
#include "config/json_text.hpp"
#include "export/folder_file.hpp"
#include "export/format.hpp"
#include "export/perfetto/profile.hpp"
#include "export/perfetto/trace_writer.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vftr::exports {

namespace {

// One of the files, which are in the order of their ranks.
struct RankFile {
    std::string name, host;
};

// Files of one host are of one machine. All clocks have been brought to that of rank 0, in real time.
std::string manifest(const std::vector<RankFile>& files) {
    std::string entries;
    for (const RankFile& file : files)
        entries += std::string(entries.empty() ? "\n" : ",\n") + "    {\"path\": " + config::json_string(file.name) +
                   ", \"machine\": {\"name\": " + config::json_string(file.host) + "}}";
    return "{\"perfetto_manifest\": {\n  \"version\": 1,\n  \"trace_time\": {\"clock\": \"REALTIME\"},\n"
           "  \"files\": [" +
           entries + "\n  ]\n}}\n";
}

void write_text(const std::string& path, std::string_view text) {
    FolderFile file(path);
    file.bytes(text.data(), text.size());
    file.close();
}

} // namespace

void write_perfetto(const Subject& subject, const Options&, Sink& sink) {
    if (subject.timeline)
        perfetto::TraceWriter(subject).write(0, subject.timeline->threads().size(), sink);
    else
        perfetto::write_profile(subject, sink);
}

void write_perfetto_split(const Subject& subject, const Options&, const std::string& folder) {
    const analysis::RunTimeline& run = *subject.timeline;
    const auto process_of = [&](std::size_t thread) -> const analysis::RunProcess& {
        return run.processes()[run.threads()[thread].process];
    };
    std::vector<RankFile> files;
    perfetto::TraceWriter trace(subject);
    for (std::size_t first = 0, end = 0; first < run.threads().size(); first = end) {
        const analysis::RunProcess& process = process_of(first);
        while (end < run.threads().size() && process_of(end).rank == process.rank)
            ++end;
        files.push_back({"rank_" + std::to_string(process.rank) + ".perfetto-trace",
                         process.host.empty() ? "unknown" : process.host});
        FolderFile file(folder + '/' + files.back().name);
        Sink sink([&](std::span<const std::byte> bytes) { return file.take(bytes); });
        trace.write(first, end, sink);
        sink.flush();
        file.close();
    }
    write_text(folder + "/perfetto_manifest.json", manifest(files));
}

} // namespace vftr::exports
