// SPDX-License-Identifier: BSD-3-Clause
//
// All tables (table.hpp). What their columns mean is told by the schema of the JSON export,
// share_src/vftrace-export.schema.json.
#pragma once

#include "export/tables/table.hpp"

#include <span>
#include <string_view>

namespace vftr::exports {

// With one row for each profile.
extern const Table metadata_table, head_table, efficiencies_table, lighter_pairs_table;
// The first column is the key of the row, and each key comes once.
extern const Table breakdown_table, messages_by_rank_table, thread_totals_table;
extern const Table applications_table, findings_table, functions_table, paths_table, messages_table,
    message_matrix_table, threads_table, openmp_regions_table;
// Only of a part with waits, so they are not among tables().
extern const Table waits_table, late_ranks_table;

// In the order of the log.
std::span<const Table* const> tables();
const Table* find_table(std::string_view name); // nullptr: there is none of this name

} // namespace vftr::exports
