// SPDX-License-Identifier: BSD-3-Clause
//
// Callgrind's profile format, version 1 (valgrind's manual, "Callgrind Format Specification"): a call graph by function
// with its costs, one part for each part of the subject. Names are written once in a part and then stand as "(number)",
// as kcachegrind forgets them at the next one. Events are nanoseconds and calls. A function stands in the line where it
// is declared, 0 where that is not known. There are no sums of all costs: callgrind_annotate would take those of the
// last part for those of the file, where it can sum up itself.
#include "export/call_graph.hpp"
#include "export/format.hpp"
#include "export/object_label_of.hpp"
#include "symbols/qualified_name.hpp"

#include "config.h"

namespace vftr::exports {

namespace {

// The numbers of names, of functions or of files, in a part.
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

struct AllNames {
    Names functions, files, objects;
};

// Where a function is: in the object "(1) solver", declared in the file "(2) /home/me/a.c" and the line.
struct Place {
    std::string object, file, line;
};
Place place_of(const Subject& subject, const Part& part, const CallGraph::Function& function, AllNames& names) {
    const analysis::PathNode& node = part.profile.nodes[function.node];
    const std::string label = object_label_of(node, part.profile.names[node.name], subject.application);
    const std::string object = names.objects.of(label.empty() ? "???" : symbols::shown_qualifier(label, 0));
    const SourcePlace* place = subject.place_of(part.profile, function.node);
    return place ? Place{object, names.files.of(place->file), std::to_string(place->line)}
                 : Place{object, names.files.of("???"), "0"};
}

void write_part(const Subject& subject, const Part& part, std::size_t number, Sink& sink) {
    const CallGraph graph = call_graph(part.profile);
    AllNames names;
    sink.text("part: " + std::to_string(number) + "\ndesc: Trigger: " + part.title +
              "\npositions: line\nevents: ns Calls\n");
    auto call = graph.calls.begin();
    for (std::uint32_t id = 0; id < graph.functions.size(); ++id) {
        const CallGraph::Function& function = graph.functions[id];
        const Place place = place_of(subject, part, function, names);
        sink.text("\nob=" + place.object + "\nfl=" + place.file + "\nfn=" + names.functions.of(function.name) + '\n' +
                  place.line + ' ' + std::to_string(function.exclusive) + ' ' + std::to_string(function.calls) + '\n');
        for (; call != graph.calls.end() && call->first.first == id; ++call) {
            const CallGraph::Function& callee = graph.functions[call->first.second];
            const CallGraph::Calls& calls_there = call->second;
            const Place there = place_of(subject, part, callee, names);
            sink.text("cob=" + there.object + "\ncfi=" + there.file + "\ncfn=" + names.functions.of(callee.name) +
                      "\ncalls=" + std::to_string(calls_there.calls) + ' ' + there.line + '\n' + place.line + ' ' +
                      std::to_string(calls_there.inclusive) + ' ' + std::to_string(calls_there.calls) + '\n');
        }
    }
    sink.text("\n");
}

// Of the bytes before the first line of events: kcachegrind knows the format by that line, if it is among the first
// 2047 bytes.
constexpr std::size_t RoomForRemarks = 1000;

} // namespace

void write_callgrind(const Subject& subject, const Options&, Sink& sink) {
    sink.text("# callgrind format\nversion: 1\ncreator: vftrace " PACKAGE_VERSION "\ncmd: " + subject.application +
              '\n');
    std::string shown, hidden;
    for (const std::string& remark : subject.remarks)
        if (shown.size() + remark.size() < RoomForRemarks)
            shown += "desc: Note: " + remark + '\n';
        else
            hidden += "# Note: " + remark + '\n';
    if (!hidden.empty())
        shown += "desc: Note: more notes are comments at the end of this file\n";
    sink.text(shown + "event: ns : Exclusive time [ns]\nevent: Calls : Number of calls\n");
    for (std::size_t i = 0; i < subject.parts.size(); ++i)
        write_part(subject, subject.parts[i], i + 1, sink);
    sink.text(hidden);
}

} // namespace vftr::exports
