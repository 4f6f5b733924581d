// SPDX-License-Identifier: BSD-3-Clause
//
// Folded stacks: lines "root;caller;function N", the format of Brendan Gregg's FlameGraph scripts. N is a whole number:
// nanoseconds of exclusive time, or calls. Paths with 0 have no line.
#include "export/depth_first.hpp"
#include "export/format.hpp"
#include "report/shown_names.hpp"

#include <algorithm>

namespace vftr::exports {

namespace {

// A name has no line breaks already (base/foreign_text.hpp).
std::string without_separator(std::string name) {
    std::ranges::replace(name, ';', ',');
    return name;
}

} // namespace

void write_folded(const Subject& subject, const Options& options, Sink& sink) {
    for (const Part& part : subject.parts) {
        const report::ShownNames names(part.profile);
        std::string path = subject.parts.size() > 1 ? without_separator(part.title) + ';' : std::string();
        std::vector<std::size_t> ends{path.size()}; // by depth: where the path of the caller ends
        for (const Visit visit : depth_first(part.profile)) {
            ends.resize(visit.depth + 1);
            path.resize(ends.back());
            path += without_separator(names.of(visit.node));
            const analysis::PathNode& node = part.profile.nodes[visit.node];
            if (const std::uint64_t weight = options.weight == Weight::Calls ? node.calls : node.exclusive;
                weight != 0) {
                sink.text(path);
                sink.character(' ');
                sink.number(weight);
                sink.character('\n');
            }
            path += ';';
            ends.push_back(path.size());
        }
    }
}

} // namespace vftr::exports
