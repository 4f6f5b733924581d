// SPDX-License-Identifier: BSD-3-Clause
//
// The timeline as comma-separated values (RFC 4180), a row for each call, where it ends: for scripts, which read this
// many times faster than JSON. "path" is the id of the call path in csv and json (the STID of the log); a call that
// has not ended, as its process was killed, has no duration. Many calls begin and end at the same reading of the clock,
// so their times do not tell which of them is within which: "call" numbers the calls of a thread in the order in which
// they begin, and "depth" is how many are around it.
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
    // What rows begin with, by thread, and what they have of their path.
    EventRows(const std::string& of_thread, const std::vector<std::string>& of_paths, Sink& sink)
        : of_thread_(of_thread), of_paths_(of_paths), sink_(sink) {}

    void enter(std::uint64_t ns, std::uint32_t) override { open_.push_back({calls_++, ns}); }
    void leave(std::uint64_t ns, std::uint32_t path) override {
        row(open_.size() - 1, std::to_string(ns - open_.back().begin), path);
        open_.pop_back();
    }
    void still_open(std::uint64_t, std::span<const std::uint32_t> open) override {
        for (std::size_t depth = 0; depth < open.size(); ++depth)
            row(depth, {}, open[depth]);
    }

private:
    struct Call {
        std::uint64_t number, begin; // the begin in ns
    };

    void row(std::size_t depth, const std::string& duration, std::uint32_t path) {
        sink_.text(of_thread_);
        sink_.number(open_[depth].begin);
        sink_.character(',');
        sink_.text(duration);
        sink_.text(of_paths_[path]);
        sink_.number(open_[depth].number);
        sink_.character(',');
        sink_.number(depth);
        sink_.text("\r\n");
    }

    const std::string& of_thread_;
    const std::vector<std::string>& of_paths_;
    Sink& sink_;
    std::vector<Call> open_;
    std::uint64_t calls_ = 0; // that have begun
};

} // namespace

void write_events(const Subject& subject, const Options&, Sink& sink) {
    const analysis::RunTimeline& run = *subject.timeline;
    const analysis::Profile& paths = run.paths();
    const report::ShownNames names(paths);
    std::vector<std::string> of_paths;
    for (std::uint32_t path = 0; path < paths.nodes.size(); ++path)
        of_paths.push_back(',' + std::to_string(paths.stid(path)) + ',' + csv_field(names.of(path)) + ',' +
                           std::string(kind_name(paths.nodes[path].kind)) + ',');
    sink.text("rank,process,thread,start_ns,duration_ns,path,function,kind,call,depth\r\n");
    for (const analysis::RunThread& thread : run.threads()) {
        const analysis::RunProcess& process = run.processes()[thread.process];
        const std::string of_thread =
            std::to_string(process.rank) + ',' + csv_field(process.title) + ',' + std::to_string(thread.index) + ',';
        EventRows rows(of_thread, of_paths, sink);
        run.visit(thread, rows);
    }
}

} // namespace vftr::exports
