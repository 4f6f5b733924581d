// SPDX-License-Identifier: BSD-3-Clause
#include "advice/expression.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace vftr::advice {
namespace {

constexpr std::size_t ShortList = 12; // up to so many names are listed one by one
constexpr std::ptrdiff_t SmallGroup = 3;

using Names = std::vector<std::string>;

// The range of the sorted names that begin with the prefix.
std::pair<Names::const_iterator, Names::const_iterator> beginning_with(const Names& names, std::string_view prefix) {
    const auto first = std::lower_bound(names.begin(), names.end(), prefix);
    return {first,
            std::find_if_not(first, names.end(), [&](const std::string& name) { return name.starts_with(prefix); })};
}

// The length of the shortest prefix that many names have in common and none of the others has; 0: there is none.
std::size_t common_beginning(const std::string& name, const Names& names, const Names& others) {
    for (std::size_t end = 1; end < name.size(); ++end) {
        const std::string_view prefix(name.data(), end);
        if (!prefix.ends_with("::") && !prefix.ends_with('<'))
            continue;
        const auto [first, last] = beginning_with(names, prefix);
        const auto [other, other_end] = beginning_with(others, prefix);
        if (last - first < SmallGroup)
            return 0;
        if (other == other_end)
            return end;
    }
    return 0;
}

} // namespace

std::string escaped(std::string_view text) {
    std::string result;
    for (char c : text) {
        if (std::string_view("\\^$.[]|()?*+{}").find(c) != std::string_view::npos)
            result += '\\';
        result += c;
    }
    return result;
}

std::string expression_for(Names names, Names others) {
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    std::sort(others.begin(), others.end());
    std::string parts;
    for (auto name = names.cbegin(); name != names.cend();) {
        const std::size_t common = names.size() > ShortList ? common_beginning(*name, names, others) : 0;
        parts += parts.empty() ? "" : "|";
        parts += common ? escaped(name->substr(0, common)) + ".*" : escaped(*name);
        name = common ? beginning_with(names, name->substr(0, common)).second : name + 1;
    }
    return "^(?:" + parts + ")$";
}

} // namespace vftr::advice
