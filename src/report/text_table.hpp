// SPDX-License-Identifier: BSD-3-Clause
//
// A table in plain text: titles centred, cells right-aligned, each column as wide as its widest
// cell. Whoever parses a table gets back what a cell had, but for control characters, which are '?': in a cell \| is a
// bar, \\ a backslash, and \s a blank at its beginning or end. So bars stand between columns only, and blanks around a
// cell are none of its own.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace vftr::report {

class TextTable {
public:
    explicit TextTable(std::vector<std::string> titles);

    // One cell per column. The mark stands behind the row, outside the border.
    void add_row(std::vector<std::string> cells, std::string mark = "");
    std::string to_text() const;

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
