// SPDX-License-Identifier: BSD-3-Clause
//
// A page to look at a run with: one file that a browser opens from disk and that asks nobody for anything
// (share_src/viewer/README.md). It is the viewer with its data in the middle: gzip, which browsers unpack by themselves
// (DecompressionStream), as base64, since a page is text.
//
// The data (packed.hpp) is the document of --format=json without call paths, and these as columns (columns.hpp), a tree
// for each profile of the document. So what the page shows are the figures of the log, and JavaScript computes none of
// them again. Up to the end follows the timeline in blocks (timeline_blocks.hpp, timeline_marks.hpp).
// A page of two runs has three such pieces, each a line of base64: the new run, the base, and what has changed between
// them (compare/comparison_page.cpp).
// Where ranks can be compared, the directory has "ranks": {"ranks": [rank…], "functions": [name…], "left_out": how many
// functions, "offset"}, and among the columns are the exclusive times (f64, in ns), by function and then by rank.
// What "root_note" says is true of the first row of each tree.
// Of several processes it has "processes" (processes.hpp). With source text it has "sources": [{"file", "line": of the
// first line, "text"}…], by file and line; functions of the document begin there. With a timeline the directory has
// "timeline": {"profile": the one whose rows events enter, which may be one more than the document has, "end_ns",
// "message_ends": sends and receives that have a partner, "collective_calls", "waits": how many there are of these,
// whether or not they are in the page, "waiting_ns": [ns…] by wait state, "threads":
// [{"process", "rank", "thread", "begin_ns", "end_ns"}…]}.
#include "export/format.hpp"
#include "export/gzip_sink.hpp"
#include "export/html/base64_sink.hpp"
#include "export/html/columns.hpp"
#include "export/html/little_endian.hpp"
#include "export/html/packed.hpp"
#include "export/html/page.hpp"
#include "export/html/page_data.hpp"
#include "export/html/processes.hpp"
#include "export/html/timeline_blocks.hpp"
#include "export/json/document.hpp"
#include "export/json_writer.hpp"
#include "report/root_note.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace vftr::exports {
namespace {

void write_timeline(const Subject& subject, std::size_t profile, JsonWriter& json) {
    const analysis::RunTimeline& run = *subject.timeline;
    std::uint64_t paired = 0, collectives = 0;
    for (const analysis::RunThread& thread : run.threads()) {
        paired += thread.paired;
        collectives += thread.collectives;
    }
    json.key("timeline");
    json.object([&] {
        json.member("profile", std::uint64_t{profile});
        json.member("end_ns", run.end());
        json.member("message_ends", paired);
        json.member("collective_calls", collectives);
        json.member("waits", std::uint64_t{subject.waits.size()});
        json.key("waiting_ns");
        json.array([&] {
            for (const std::uint64_t ns : subject.waiting)
                json.value(ns);
        });
        json.key("threads");
        json.array([&] {
            for (const analysis::RunThread& thread : run.threads())
                json.object([&] {
                    const analysis::RunProcess& process = run.processes()[thread.process];
                    json.member("process", process.title);
                    json.member("rank", std::uint64_t{process.rank});
                    json.member("thread", std::uint64_t{thread.index});
                    json.member("begin_ns", thread.begin);
                    json.member("end_ns", thread.end);
                });
        });
    });
}

// Whether the nodes of both are those of each other.
bool same_paths(const analysis::Profile& a, const analysis::Profile& b) {
    return a.names == b.names && std::ranges::equal(a.nodes, b.nodes, [](const auto& x, const auto& y) {
               return x.parent == y.parent && x.name == y.name;
           });
}

// The times of functions on ranks, as a column.
std::string rank_column(const RankFunctions& times) {
    std::string bytes;
    for (std::size_t function = 0; function < times.functions().size(); ++function)
        for (std::size_t rank = 0; rank < times.ranks().size(); ++rank)
            append_little_endian(bytes,
                                 std::bit_cast<std::uint64_t>(static_cast<double>(times.exclusive_ns(function, rank))));
    return bytes;
}

// `offset` is where the column begins.
void write_ranks(const RankFunctions& times, std::uint64_t offset, JsonWriter& json) {
    json.key("ranks");
    json.object([&] {
        json.key("ranks");
        json.array([&] {
            for (const std::int32_t rank : times.ranks())
                json.value(std::int64_t{rank});
        });
        write_texts("functions", times.functions(), json);
        json.member("left_out", std::uint64_t{times.left_out()});
        json.member("offset", offset);
    });
}

void write_sources(const std::vector<advice::SourceExcerpt>& excerpts, JsonWriter& json) {
    json.key("sources");
    json.array([&] {
        for (const advice::SourceExcerpt& excerpt : excerpts)
            json.object([&] {
                json.member("file", excerpt.file);
                json.member("line", std::uint64_t{excerpt.line});
                json.member("text", excerpt.text);
            });
    });
}

// `of_timeline` is the profile whose rows the events enter.
std::string directory_of(std::vector<TreeColumns>& profiles, const Subject& subject, std::size_t of_timeline) {
    return bytes_of([&](Sink& sink) {
        JsonWriter json(sink);
        json.object([&] {
            std::uint64_t offset = write_trees(profiles, json);
            if (const RankFunctions& times = subject.rank_functions; !times.empty()) {
                write_ranks(times, offset, json);
                offset += times.ranks().size() * times.functions().size() * sizeof(double);
            }
            json.member("bytes", offset);
            json.member("root_note", report::RootNote);
            if (subject.processes) {
                json.key("processes");
                write_processes(*subject.processes, subject.part_of_recording, json);
            }
            if (!subject.sources.excerpts.empty())
                write_sources(subject.sources.excerpts, json);
            if (subject.timeline)
                write_timeline(subject, of_timeline, json);
        });
    });
}

template <class Write>
void put_base64(Sink& sink, Write write) {
    Base64 base64(sink);
    Sink packed([&](std::span<const std::byte> bytes) {
        base64.add(bytes);
        return true;
    });
    write(packed);
    packed.flush();
    base64.end();
}

} // namespace

std::vector<std::uint32_t> rows_of_timeline(const Subject& subject) {
    return path_columns(subject.timeline->paths()).row_of;
}

void write_timeline_part(const Subject& subject, std::span<const std::uint32_t> rows, Sink& sink) {
    GzipSink gzip(sink);
    put_timeline(*subject.timeline, subject.waits, rows, [&](std::string_view bytes) { gzip.text(bytes); });
    gzip.end();
}

void write_page_data(const Subject& subject, Sink& sink) {
    const analysis::RunTimeline* timeline = subject.timeline;
    std::vector<TreeColumns> profiles;
    for (const Part& part : subject.parts)
        profiles.push_back(path_columns(part.profile));
    std::size_t of_timeline = 0; // the profile whose rows its events enter: that of the document, or one more
    if (timeline && !same_paths(timeline->paths(), subject.parts.front().profile)) {
        of_timeline = profiles.size();
        profiles.push_back(path_columns(timeline->paths()));
    }
    std::string document = bytes_of([&](Sink& to) {
        JsonWriter json(to);
        write_document(subject, CallPaths::Apart, json);
    });
    std::string directory = directory_of(profiles, subject, of_timeline);
    GzipSink gzip(sink);
    put_packed(std::move(document), std::move(directory), profiles, gzip);
    gzip.text(rank_column(subject.rank_functions));
    if (timeline)
        put_timeline(*timeline, subject.waits, profiles[of_timeline].row_of,
                     [&](std::string_view bytes) { gzip.text(bytes); });
    gzip.end();
}

std::string served_page() {
    std::string page(page_before_data());
    constexpr std::string_view Last = "script-src 'unsafe-inline'"; // of the policy of a page from disk
    page.insert(page.find(Last) + Last.size(), "; connect-src 'self'");
    page += "served\n";
    page += page_after_data();
    return page;
}

void write_html(const Subject& subject, const Options&, Sink& sink) {
    sink.text(page_before_data());
    put_base64(sink, [&](Sink& packed) { write_page_data(subject, packed); });
    for (const std::string& piece : subject.further_pieces) {
        sink.character('\n');
        put_base64(sink, [&](Sink& packed) { packed.text(piece); });
    }
    sink.text(page_after_data());
}

} // namespace vftr::exports
