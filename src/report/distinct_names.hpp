// SPDX-License-Identifier: BSD-3-Clause
//
// Shortens the names of a table (short_name.hpp) so that different names stay different. For names whose short forms
// are equal, each order of shortening is tried, and the order that tells most of them apart is used for all of them.
// Those that are still equal get a number in the order of the full names: f<…>(…)#1, f<…>(…)#2. The result depends on
// the set of names, not on their order; with a different set a name may get another number.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace vftr::report {

inline constexpr std::size_t NameWidth = 60; // width of names in tables that have no option for it

class DistinctNames {
public:
    // `limit` and `bound` are as for short_name().
    DistinctNames(const std::vector<std::string_view>& names, std::size_t limit, std::size_t bound);

    // The short form of a name. A name that is not in the set is only shortened.
    std::string of(std::string_view name) const;

private:
    struct Hash : std::hash<std::string_view> {
        using is_transparent = void;
    };
    // Short forms of the names that are changed.
    std::unordered_map<std::string, std::string, Hash, std::equal_to<>> short_names_;
    std::size_t limit_, bound_;
};

} // namespace vftr::report
