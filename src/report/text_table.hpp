// SPDX-License-Identifier: BSD-3-Clause
//
// A table in plain text: titles centred, cells right-aligned, each column as wide as its widest
// cell. In a cell a backslash stands before each '|' and each backslash, so that the columns can be told apart by whoever parses the table.
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
