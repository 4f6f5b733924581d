// SPDX-License-Identifier: BSD-3-Clause
//
// The rows of a table (export/tables/table.hpp), to be shown in any order: a column is an array of 64-bit values, and
// each text is held once. A million call paths take 200 MB, where cells of text would take some gigabytes.
#pragma once

#include "export/tables/table.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vftr::tui {

class Grid {
public:
    enum class Kind { Empty, Number, Signed, Real, Flag, Text };
    struct Column {
        exports::ColumnName name;
        Kind kind = Kind::Empty; // Empty: no row has it
        std::vector<std::uint64_t> values{};
        std::vector<bool> there{}; // by row: whether it has the cell
    };

    std::size_t rows() const { return rows_; }
    const std::vector<Column>& columns() const { return columns_; }
    // By its name in files, such as "exclusive_ns"; nullopt: there is none of the name.
    std::optional<std::size_t> find(std::string_view file_title) const;

    bool there(std::size_t row, std::size_t column) const { return columns_[column].there[row]; }
    std::uint64_t bits(std::size_t row, std::size_t column) const { return columns_[column].values[row]; }
    double value(std::size_t row, std::size_t column) const;          // of a number; 0 where it is absent
    std::string_view text(std::size_t row, std::size_t column) const; // of a text; empty where it is absent
    // The cell as it stands in files of comma-separated values, without their quotes.
    std::string exact(std::size_t row, std::size_t column) const;
    // Whether the cell of row `a` is smaller than that of `b`. Cells that are absent are the smallest.
    bool less(std::size_t column, std::size_t a, std::size_t b) const;

private:
    friend class GridBuilder;

    std::vector<Column> columns_;
    std::vector<std::string> texts_;
    std::size_t rows_ = 0;
};

// Takes rows, and is asked for the grid at the end.
class GridBuilder final : public exports::TableSink {
public:
    explicit GridBuilder(const std::vector<exports::ColumnName>& columns);

    // The cell that the first column has in all rows that follow, where these come from a table that lacks it.
    void set_first(std::int64_t rank) { first_ = rank; }
    Grid grid() && { return std::move(grid_); }

    void begin_row() override;
    void begin_cell(const exports::ColumnName&) override { ++column_; }
    void end_row() override;
    void number(std::uint64_t value) override { put(Grid::Kind::Number, value); }
    void rank(std::int64_t value) override { put(Grid::Kind::Signed, static_cast<std::uint64_t>(value)); }
    void real(double value) override;
    void flag(bool value) override { put(Grid::Kind::Flag, value); }
    void text(std::string_view value) override;
    void digits(std::string_view value) override;
    void ranks(const analysis::RankList& value) override;

private:
    void put(Grid::Kind kind, std::uint64_t bits);

    Grid grid_;
    std::map<std::string, std::uint64_t, std::less<>> places_; // of texts
    std::optional<std::int64_t> first_;
    std::size_t column_ = 0; // from 1
};

Grid grid_of(const exports::Table& table, const exports::TablePart& part);

} // namespace vftr::tui
