// SPDX-License-Identifier: BSD-3-Clause
//
// The columns of tables in which each row is a quantity, with its statistics over ranks.
#pragma once

#include "analysis/profile/rank_stat.hpp"
#include "export/tables/table.hpp"

#include <array>
#include <string_view>

namespace vftr::exports {

struct Quantity {
    std::string_view name;
    const analysis::RankStat& over_ranks;
};

constexpr std::array<Column<Quantity>, 6> quantity_columns(const char* title, const char* unit) {
    return {{{title, [](const Quantity& row, Cell& cell) { cell.text(row.name); }},
             {{"", "sum", unit}, [](const Quantity& row, Cell& cell) { cell.number(row.over_ranks.sum); }},
             {{"", "min", unit}, [](const Quantity& row, Cell& cell) { cell.number(row.over_ranks.min); }},
             {"min_rank", [](const Quantity& row, Cell& cell) { cell.rank(row.over_ranks.min_rank); }},
             {{"", "max", unit}, [](const Quantity& row, Cell& cell) { cell.number(row.over_ranks.max); }},
             {"max_rank", [](const Quantity& row, Cell& cell) { cell.rank(row.over_ranks.max_rank); }}}};
}

} // namespace vftr::exports
