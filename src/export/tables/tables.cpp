// SPDX-License-Identifier: BSD-3-Clause
#include "export/tables/tables.hpp"

#include <algorithm>

namespace vftr::exports {

namespace {

constexpr const Table* AllTables[] = {&metadata_table,         &applications_table,   &head_table,
                                      &breakdown_table,        &efficiencies_table,   &findings_table,
                                      &functions_table,        &paths_table,          &threads_table,
                                      &thread_totals_table,    &openmp_regions_table, &messages_table,
                                      &messages_by_rank_table, &message_matrix_table, &lighter_pairs_table};

} // namespace

std::span<const Table* const> tables() { return AllTables; }

const Table* find_table(std::string_view name) {
    const auto found = std::ranges::find_if(AllTables, [&](const Table* table) { return table->name == name; });
    return found == std::end(AllTables) ? nullptr : *found;
}

} // namespace vftr::exports
