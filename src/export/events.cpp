// SPDX-License-Identifier: BSD-3-Clause
//
// The timeline as comma-separated values (RFC 4180), a row for each call, where it ends: for scripts, which read this
// many times faster than JSON. "path" is the id of the call path in csv and json (the STID of the log); a call that
// has not ended, as its process was killed, has no duration.
#include "export/csv/csv_field.hpp"
#include "export/format.hpp"
#include "export/kind_name.hpp"
#include "report/shown_names.hpp"

#include <string>
#include <vector>

namespace vftr::exports {

namespace {

class EventRows final : public analysis::TimelineVisitor {
public:
    // `starts` and `ends` are what rows of the thread begin and, by path, end with.
    EventRows(const std::string& starts, const std::vector<std::string>& ends, Sink& sink)
        : starts_(starts), ends_(ends), sink_(sink) {}

    void enter(std::uint64_t ns, std::uint32_t) override { begins_.push_back(ns); }
    void leave(std::uint64_t ns, std::uint32_t path) override {
        const std::uint64_t begin = begins_.back();
        begins_.pop_back();
        row(begin, std::to_string(ns - begin), path);
    }
    void still_open(std::uint64_t, std::span<const std::uint32_t> open) override {
        for (std::size_t i = 0; i < open.size(); ++i)
            row(begins_[i], {}, open[i]);
    }

private:
    void row(std::uint64_t begin, const std::string& duration, std::uint32_t path) {
        sink_.text(starts_);
        sink_.number(begin);
        sink_.character(',');
        sink_.text(duration);
        sink_.text(ends_[path]);
    }

    const std::string& starts_;
    const std::vector<std::string>& ends_;
    Sink& sink_;
    std::vector<std::uint64_t> begins_;
};

} // namespace

void write_events(const Subject& subject, const Options&, Sink& sink) {
    const analysis::RunTimeline& run = *subject.timeline;
    const analysis::Profile& paths = run.paths();
    const report::ShownNames names(paths);
    std::vector<std::string> ends;
    for (std::uint32_t path = 0; path < paths.nodes.size(); ++path)
        ends.push_back(',' + std::to_string(paths.stid(path)) + ',' + csv_field(names.of(path)) + ',' +
                       std::string(kind_name(paths.nodes[path].kind)) + "\r\n");
    sink.text("rank,process,thread,start_ns,duration_ns,path,function,kind\r\n");
    for (const analysis::RunThread& thread : run.threads()) {
        const analysis::RunProcess& process = run.processes()[thread.process];
        const std::string starts =
            std::to_string(process.rank) + ',' + csv_field(process.title) + ',' + std::to_string(thread.index) + ',';
        EventRows rows(starts, ends, sink);
        run.visit(thread, rows);
    }
}

} // namespace vftr::exports
