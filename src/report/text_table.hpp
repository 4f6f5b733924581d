// SPDX-License-Identifier: BSD-3-Clause
//
// A table in plain text: titles are centred, cells right-aligned, and each column is as wide as its widest cell. A
// parser can restore the contents of a cell, except for control characters, which become '?': in a cell \| stands for a
// bar, \\ for a backslash, and \s for a blank at its beginning or end. So plain bars only separate columns, and blanks
// around a cell do not belong to it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace vftr::report {

class TextTable {
public:
    explicit TextTable(std::vector<std::string> titles);

    // Adds a row with one cell per column. The mark comes after the row, outside the border.
    void add_row(std::vector<std::string> cells, std::string mark = "");
    // Characters of the longest line, with its mark; and of the widest cell of a column, 0 where there is none.
    std::size_t width() const;
    std::size_t width_of(std::string_view title) const;
    std::string to_text() const;
    void append_to(std::string& text) const;

private:
    struct Row {
        std::vector<std::string> cells;
        std::string mark;
    };
    std::string border() const;

    std::vector<std::string> titles_;
    std::vector<std::size_t> widths_;
    std::vector<Row> rows_;
};

} // namespace vftr::report
