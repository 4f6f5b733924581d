// SPDX-License-Identifier: BSD-3-Clause
//
// Callgrind's profile format, version 1 (valgrind's manual, "Callgrind Format Specification"): a call graph by function
// with its costs, one part for each part of the subject. Names are written once and then stand as "(number)". Events
// are nanoseconds and calls. Lines are 0, since a merged profile knows no source lines.
#include "export/call_graph.hpp"
#include "export/format.hpp"

#include "config.h"

namespace vftr::exports {

namespace {

// The numbers of names are those of the whole file.
class Names {
public:
    std::string of(const std::string& name) {
        const auto [place, is_new] = numbers_.try_emplace(name, numbers_.size() + 1);
        std::string text = '(' + std::to_string(place->second) + ')';
        return is_new ? text + ' ' + name : text;
    }

private:
    std::map<std::string, std::size_t> numbers_;
};

void write_part(const Part& part, std::size_t number, Names& names, Sink& sink) {
    const CallGraph graph = call_graph(part.profile);
    std::uint64_t time = 0, calls = 0;
    for (const CallGraph::Function& function : graph.functions) {
        time += function.exclusive;
        calls += function.calls;
    }
    sink.text("part: " + std::to_string(number) + "\ndesc: Trigger: " + part.title +
              "\npositions: line\nevents: ns Calls\nsummary: " + std::to_string(time) + ' ' + std::to_string(calls) +
              "\n\nfl=(1)" + (number == 1 ? " ???" : "") + '\n');
    auto call = graph.calls.begin();
    for (std::uint32_t id = 0; id < graph.functions.size(); ++id) {
        const CallGraph::Function& function = graph.functions[id];
        sink.text("\nfn=" + names.of(function.name) + "\n0 " + std::to_string(function.exclusive) + ' ' +
                  std::to_string(function.calls) + '\n');
        for (; call != graph.calls.end() && call->first.first == id; ++call) {
            const CallGraph::Function& callee = graph.functions[call->first.second];
            const CallGraph::Calls& calls_there = call->second;
            sink.text("cfn=" + names.of(callee.name) + "\ncalls=" + std::to_string(calls_there.calls) + " 0\n0 " +
                      std::to_string(calls_there.inclusive) + ' ' + std::to_string(calls_there.calls) + '\n');
        }
    }
    sink.text("\ntotals: " + std::to_string(time) + ' ' + std::to_string(calls) + "\n\n");
}

} // namespace

void write_callgrind(const Subject& subject, const Options&, Sink& sink) {
    sink.text("# callgrind format\nversion: 1\ncreator: vftrace " PACKAGE_VERSION "\ncmd: " + subject.application +
              '\n');
    for (const std::string& remark : subject.remarks)
        sink.text("desc: Note: " + remark + '\n');
    sink.text("event: ns : Exclusive time [ns]\nevent: Calls : Number of calls\n");
    Names names;
    for (std::size_t i = 0; i < subject.parts.size(); ++i)
        write_part(subject.parts[i], i + 1, names, sink);
}

} // namespace vftr::exports
