// SPDX-License-Identifier: BSD-3-Clause
//
// The call stacks of the rows that the tables before showed.
#include "report/path_text.hpp"
#include "report/section.hpp"

#include <algorithm>

namespace vftr::report {
namespace {

constexpr std::size_t Budget = 3 << 20; // bytes
constexpr std::size_t LongestPath = 4000;

bool wanted(const Context& context) {
    return context.config.stacklist_show_stacklist;
}

void add_line(std::string& out, std::size_t column, const std::string& id,
              const std::string& path) {
    out.append(column - std::min(column, id.size()), ' ');
    out += id + "   " + path + '\n';
}

std::string text(Context& context) {
    std::vector<std::uint32_t> nodes;
    for (std::uint32_t node = 0; node < context.shown.size(); ++node)
        if (context.shown[node])
            nodes.push_back(node);
    std::string out = "Global call stacks:\n" + std::string(55, '-') + '\n';
    std::size_t column = 7 + (nodes.empty() ? 1 : context.stid(nodes.back()).size());
    add_line(out, column, "STID", "Call stack");
    PathText paths(context.profile, context.names);
    const std::size_t limit = PathText::limit_for(nodes.size(), Budget, LongestPath);
    for (std::uint32_t node : nodes)
        add_line(out, column, "STID" + context.stid(node), paths.of(node, limit));
    return out;
}

} // namespace

extern const Section section_stacklist{"", wanted, text};

} // namespace vftr::report
