// SPDX-License-Identifier: BSD-3-Clause
//
// The call tree of a page as columns: for a million call paths text takes ten times as long to be read as arrays do.
// Rows are depth first, so that what is below a path follows it. share_src/viewer/data.js reads them; both know
// each column by its name.
#pragma once

#include "export/format.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace vftr::exports {

// One array of numbers, in the byte order of nearly all machines (little-endian).
struct NumberColumn {
    std::string_view name;
    std::string_view type; // "u32" or "f64": the arrays of JavaScript
    std::string bytes;
};

// Of one profile. `titles` are the functions' names that the column "name" has indices of, `short_titles` those that a
// table of the log would show for them, empty where that is the whole name.
struct TreeColumns {
    std::vector<std::string> titles, short_titles;
    std::vector<NumberColumn> columns;
    std::uint32_t rows = 0;
    std::vector<std::uint32_t> row_of; // by node of the profile
};

TreeColumns path_columns(const analysis::Profile& profile);

} // namespace vftr::exports
