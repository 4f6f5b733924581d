// SPDX-License-Identifier: BSD-3-Clause
//
// Titles of columns and cells as they stand on the screen. Titles are those of the log where it has the column, else
// the words that files have. Times are in seconds, or in the whole nanoseconds that files have.
#pragma once

#include "tui/grid.hpp"

#include <cstddef>
#include <string>

namespace vftr::tui {

enum class Times { Seconds, Nanoseconds };

std::string title_of(const exports::ColumnName& column, Times times);
bool is_time(const exports::ColumnName& column);
std::string cell_text(const Grid& grid, std::size_t row, std::size_t column, Times times);
// The cells that the column needs at most, with its title.
std::size_t widest(const Grid& grid, std::size_t column, Times times);

} // namespace vftr::tui
