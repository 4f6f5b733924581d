// SPDX-License-Identifier: BSD-3-Clause
#include "tui/grid.hpp"

#include "base/foreign_text.hpp"
#include "report/number_text.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>

namespace vftr::tui {

std::optional<std::size_t> Grid::find(std::string_view file_title) const {
    for (std::size_t i = 0; i < columns_.size(); ++i)
        if (exports::file_title(columns_[i].name) == file_title)
            return i;
    return std::nullopt;
}

double Grid::value(std::size_t row, std::size_t column) const {
    if (!there(row, column))
        return 0;
    switch (columns_[column].kind) {
    case Kind::Real:
        return std::bit_cast<double>(bits(row, column));
    case Kind::Signed:
        return static_cast<double>(static_cast<std::int64_t>(bits(row, column)));
    default:
        return static_cast<double>(bits(row, column));
    }
}

std::string_view Grid::text(std::size_t row, std::size_t column) const {
    return columns_[column].kind == Kind::Text && there(row, column) ? std::string_view(texts_[bits(row, column)])
                                                                     : std::string_view();
}

std::string Grid::exact(std::size_t row, std::size_t column) const {
    if (!there(row, column))
        return "";
    switch (columns_[column].kind) {
    case Kind::Number:
        return std::to_string(bits(row, column));
    case Kind::Signed:
        return std::to_string(static_cast<std::int64_t>(bits(row, column)));
    case Kind::Real:
        return report::plain(value(row, column));
    case Kind::Flag:
        return bits(row, column) ? "true" : "false";
    case Kind::Text:
        return std::string(text(row, column));
    case Kind::Empty:
        break;
    }
    return "";
}

bool Grid::less(std::size_t column, std::size_t a, std::size_t b) const {
    if (!there(a, column) || !there(b, column))
        return there(b, column) && !there(a, column);
    switch (columns_[column].kind) {
    case Kind::Text:
        return text(a, column) < text(b, column);
    case Kind::Real:
    case Kind::Signed:
        return value(a, column) < value(b, column);
    default:
        return bits(a, column) < bits(b, column);
    }
}

GridBuilder::GridBuilder(const std::vector<exports::ColumnName>& columns) {
    for (const exports::ColumnName& name : columns)
        grid_.columns_.push_back({name});
}

void GridBuilder::begin_row() {
    column_ = 0;
    if (!first_)
        return;
    ++column_;
    rank(*first_);
}

void GridBuilder::end_row() {
    ++grid_.rows_;
    for (Grid::Column& column : grid_.columns_) {
        column.values.resize(grid_.rows_);
        column.there.resize(grid_.rows_);
    }
}

void GridBuilder::put(Grid::Kind kind, std::uint64_t bits) {
    Grid::Column& column = grid_.columns_[column_ - 1];
    column.kind = kind;
    column.values.push_back(bits);
    column.there.push_back(true);
}

void GridBuilder::real(double value) { put(Grid::Kind::Real, std::bit_cast<std::uint64_t>(value)); }

void GridBuilder::text(std::string_view value) {
    auto place = places_.find(value);
    if (place == places_.end()) {
        place = places_.emplace(value, grid_.texts_.size()).first;
        grid_.texts_.push_back(base::foreign_text(value));
    }
    put(Grid::Kind::Text, place->second);
}

void GridBuilder::digits(std::string_view value) { real(std::strtod(std::string(value).c_str(), nullptr)); }

void GridBuilder::ranks(const analysis::RankList& value) { text(report::range_list(value)); }

Grid grid_of(const exports::Table& table, const exports::TablePart& part) {
    GridBuilder builder(table.columns());
    table.put_rows(part, builder);
    return std::move(builder).grid();
}

} // namespace vftr::tui
