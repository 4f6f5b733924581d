// SPDX-License-Identifier: BSD-3-Clause
#include "report/process_line.hpp"

#include "report/command_text.hpp"

#include <algorithm>
#include <cstddef>

namespace vftr::report {
namespace {

using analysis::Ending;
using analysis::ProcessNode;
using analysis::ProcessTree;
using analysis::Recording;

std::string ending_of_job(const ProcessTree& tree, const ProcessNode& node) {
    std::string all;
    for (std::size_t i = 0; i < node.ranks; ++i) {
        const std::string one = ending_text(*last_program(tree, node.children[i]));
        if (!all.empty() && one != all)
            return "various";
        all = one;
    }
    return all;
}

ProcessLine line_of_job(const ProcessTree& tree, std::uint32_t index) {
    const ProcessNode& node = tree.nodes()[index];
    const Recording* whole = tree.recording(index);
    const Recording* first = whole ? whole : tree.recording(node.children.front());
    ProcessLine line;
    line.start = node.start_realtime_ns;
    line.end = whole ? whole->end_realtime_ns : 0;
    for (std::size_t i = 0; i < node.ranks; ++i)
        line.end = std::max(line.end, tree.recording(node.children[i])->end_realtime_ns);
    line.times_known = line.end_known = true;
    const bool complete = whole || static_cast<std::int32_t>(node.ranks) >= first->size;
    line.title = (complete ? "" : std::to_string(node.ranks) + " of ") + std::to_string(first->size) + " ranks of " +
                 command_text(*first, 0);
    line.ended = node.ranks == 0 && whole ? ending_text(*whole) : ending_of_job(tree, node);
    return line;
}

} // namespace

const Recording* last_program(const ProcessTree& tree, std::uint32_t node) {
    while (tree.nodes()[node].next != analysis::NoNodeIndex)
        node = tree.nodes()[node].next;
    return tree.recording(node);
}

ProcessLine process_line(const ProcessTree& tree, std::uint32_t index) {
    const ProcessNode& node = tree.nodes()[index];
    if (node.kind == ProcessNode::Kind::Job)
        return line_of_job(tree, index);
    ProcessLine line;
    if (const Recording* recording = tree.recording(index)) {
        line.program = recording;
        line.times_known = true;
        line.start = recording->start_realtime_ns;
        line.end = recording->end_realtime_ns;
        line.end_known = recording->ending != Ending::Runs && recording->ending != Ending::Unknown;
        line.ended = ending_text(*recording);
    }
    if (node.kind == ProcessNode::Kind::Missing)
        line.title = "process " + std::to_string(node.id.pid) + " (no recording)";
    return line;
}

} // namespace vftr::report
