// SPDX-License-Identifier: BSD-3-Clause
//
// The names of a table, shortened (short_name.hpp) so that different ones read differently. Of those that come out
// alike each order of shortening is tried, and the one that tells most of them apart is taken for all of them; the
// others get a number in the order of the full names: f<…>(…)#1, f<…>(…)#2. The same names come out the same, whatever
// their order; with other names beside them they may get another number.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace vftr::report {

inline constexpr std::size_t NameWidth = 60; // characters of a name in tables that have no option for it

class DistinctNames {
public:
    // Limit and bound as for short_name().
    DistinctNames(const std::vector<std::string_view>& names, std::size_t limit, std::size_t bound);

    // What is not among the names is only shortened.
    std::string of(std::string_view name) const;

private:
    std::unordered_map<std::string, std::string> texts_; // of names that do not stay as they are
    std::size_t limit_, bound_;
};

} // namespace vftr::report
