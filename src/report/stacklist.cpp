// SPDX-License-Identifier: BSD-3-Clause
#include "report/stacklist.hpp"

#include "report/distinct_paths.hpp"

#include <algorithm>
#include <string_view>

namespace vftr::report {
namespace {

constexpr std::size_t Gap = 3; // blanks between STID and call stack

bool wants_stacklist(const Context& context) { return context.config.stacklist_show_stacklist; }

void add_line(std::string& out, std::size_t column, std::string_view id, std::string_view path) {
    out.append(column - std::min(column, id.size()), ' ');
    out += id;
    out.append(Gap, ' ');
    out += path;
    out += '\n';
}

void write_stacklist(Context& context, std::string& text) { append_stacklist(context, "stacklist.max_width", text); }

} // namespace

void append_stacklist(const Context& context, const std::string& option, std::string& out) {
    std::vector<std::uint32_t> nodes;
    for (std::uint32_t node = 0; node < context.shown.size(); ++node)
        if (context.shown[node])
            nodes.push_back(node);
    std::size_t column = 7 + (nodes.empty() ? 1 : context.stid(nodes.back()).size());
    const auto most = static_cast<std::size_t>(context.config.stacklist_max_width);
    const std::size_t limit = most == 0 ? 0 : std::max(most, column + Gap + 1) - column - Gap;
    const PathText paths(context.profile, context.names, limit, context.config.max_name_width);
    const std::vector<std::string> texts = distinct_paths(context.profile, context.names, paths, nodes);
    const bool cut = std::any_of(nodes.begin(), nodes.end(), [&](std::uint32_t node) { return !paths.is_whole(node); });
    out += "Global call stacks:\n" + std::string(55, '-') + '\n';
    add_line(out, column, "STID",
             cut ? "Call stack, shortened to lines of " + std::to_string(most) +
                       " characters; (N left out): functions in its middle; " + option + " 0 shows all"
                 : "Call stack");
    for (std::size_t i = 0; i < nodes.size(); ++i)
        add_line(out, column, "STID" + context.stid(nodes[i]), texts[i]);
}

extern const Section section_stacklist{"", "", wants_stacklist, write_stacklist};

} // namespace vftr::report
