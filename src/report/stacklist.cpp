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
    std::vector<std::uint32_t> ids;
    for (std::uint32_t id = 0; id < context.shown.size(); ++id)
        if (context.shown[id])
            ids.push_back(id);
    std::string out = "Global call stacks:\n" + std::string(55, '-') + '\n';
    std::size_t column = 7 + std::to_string(ids.empty() ? 0 : ids.back()).size();
    add_line(out, column, "STID", "Call stack");
    PathText paths(context.profile, context.names);
    const std::size_t limit = PathText::limit_for(ids.size(), Budget, LongestPath);
    for (std::uint32_t id : ids)
        add_line(out, column, "STID" + std::to_string(id), paths.of(id, limit));
    return out;
}

} // namespace

extern const Section section_stacklist{"", wanted, text};

} // namespace vftr::report
