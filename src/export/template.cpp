// SPDX-License-Identifier: BSD-3-Clause
//
// A template for formats of vftr export: copy it to <name>.cpp. The steps are those of "Add a format of vftr export" in
// CONTRIBUTING.md. It is compiled and run by the unit tests (test/unit/export/template_test.cpp), and vftr does not
// offer it. Its lines are "begin end rank thread function" of a timeline, and "depth function calls ns" of a
// profile.
#include "export/depth_first.hpp"
#include "export/format.hpp"
#include "report/shown_names.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace vftr::exports {

namespace {

// A timeline is visited, so that it never is in memory: the visitor writes as it goes. Calls nest, `ns` is since the
// start of the run, and `path` an index into RunTimeline::paths().nodes. May be overridden, too: message(),
// collective(), and still_open(), as calls that were open when a process was killed end with it by default.
class TemplateCalls final : public analysis::TimelineVisitor {
public:
    TemplateCalls(const report::ShownNames& names, std::string place, Sink& sink)
        : names_(names), place_(std::move(place)), sink_(sink) {}

    void enter(std::uint64_t ns, std::uint32_t) override { begins_.push_back(ns); }
    void leave(std::uint64_t ns, std::uint32_t path) override {
        sink_.text(std::to_string(begins_.back()) + ' ' + std::to_string(ns) + place_ + names_.of(path) + '\n');
        begins_.pop_back();
    }

private:
    const report::ShownNames& names_;
    const std::string place_;
    Sink& sink_;
    std::vector<std::uint64_t> begins_; // of the calls that are open
};

} // namespace

// Gets what the row in exports.def asks for (Needs): parts with profiles, the timeline, or, as here, what there is of
// both. The sink counts and cuts by itself; a file that cannot be written is told by whoever owns the sink.
void write_template(const Subject& subject, const Options&, Sink& sink) {
    for (const std::string& remark : subject.remarks) // sentences that a reader of the data must know
        sink.text("# " + remark + ".\n");
    if (const analysis::RunTimeline* run = subject.timeline) {
        const report::ShownNames names(run->paths()); // names as in the tables; UTF-8, and the format may want quotes
        for (const analysis::RunThread& thread : run->threads()) { // in this order, as messages are paired by it
            const std::uint32_t rank = run->processes()[thread.process].rank;
            TemplateCalls calls(names, ' ' + std::to_string(rank) + ' ' + std::to_string(thread.index) + ' ', sink);
            run->visit(thread, calls);
        }
        return;
    }
    for (const Part& part : subject.parts) { // of all ranks together, or with --each-rank of each
        const report::ShownNames names(part.profile);
        sink.text("# " + part.title + "\n");
        for (const Visit visit : depth_first(part.profile)) { // without recursion: trees are thousands of calls deep
            const analysis::PathNode& node = part.profile.nodes[visit.node];
            sink.text(std::to_string(visit.depth) + ' ' + names.of(visit.node) + ' ' + std::to_string(node.calls) +
                      ' ' + std::to_string(node.exclusive));
            if (const SourcePlace* place = subject.place_of(part.profile, visit.node)) // with --lines, where known
                sink.text(' ' + place->file + ':' + std::to_string(place->line));
            sink.character('\n');
        }
    }
}

} // namespace vftr::exports
