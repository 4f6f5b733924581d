// SPDX-License-Identifier: BSD-3-Clause
//
// One of the tables (tables/table.hpp) as comma-separated values by RFC 4180, with the rows of all parts: the first
// column is the title of the part.
#include "export/csv/csv_rows.hpp"
#include "export/format.hpp"
#include "export/tables/tables.hpp"

namespace vftr::exports {

namespace {

constexpr std::string_view LineEnd = "\r\n";

} // namespace

void write_csv(const Subject& subject, const Options& options, Sink& sink) {
    const Table& table = options.table ? *options.table : paths_table;
    CsvRows(sink, LineEnd, "part").put_titles(table.columns());
    for (const Part& part : subject.parts) {
        CsvRows rows(sink, LineEnd, part.title);
        table.put_rows({subject, part}, rows);
    }
}

} // namespace vftr::exports
