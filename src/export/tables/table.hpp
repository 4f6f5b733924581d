// SPDX-License-Identifier: BSD-3-Clause
//
// The tables of the log as columns and rows, for files that scripts read. Each table is described once, as a list of
// columns that know the cell of a row; whoever writes rows (as JSON, as comma-separated values) is a TableSink. So all
// files have the same figures under the same names.
//
// A cell may be absent: a caller that the root does not have, a minimum over ranks where there is one rank. JSON has no
// member then, and comma-separated values have nothing between the commas. Columns are always the same.
#pragma once

#include "analysis/profile/rank_list.hpp"
#include "export/format.hpp"
#include "report/shown_names.hpp"

#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vftr::exports {

// Takes the value of one cell, or nothing where it is absent.
class Cell {
public:
    virtual ~Cell() = default;
    virtual void number(std::uint64_t value) = 0;
    virtual void rank(std::int64_t value) = 0;
    virtual void real(double value) = 0;
    virtual void flag(bool value) = 0;
    virtual void text(std::string_view value) = 0;
    virtual void digits(std::string_view value) = 0; // a number as it is to stand in the file
    virtual void ranks(const analysis::RankList& value) = 0;
};

struct ColumnName {
    const char* group; // of columns that belong together: an object in JSON; empty: none
    const char* name;
    // What `name` does not say of its unit, as the table's place in JSON says it ("_ns").
    const char* unit = "";
};

// The title of the column in files of comma-separated values, such as "sent_bytes".
inline std::string file_title(const ColumnName& column) {
    return (*column.group ? std::string(column.group) + '_' : std::string()) + column.name + column.unit;
}

template <class Row>
struct Column : ColumnName {
    void (*put)(const Row& row, Cell& cell);

    constexpr Column(const char* its_name, void (*put_it)(const Row&, Cell&)) : ColumnName{"", its_name}, put(put_it) {}
    constexpr Column(ColumnName its, void (*put_it)(const Row&, Cell&)) : ColumnName(its), put(put_it) {}
};

// Takes rows: for each of them begin_row(), a cell for each column in turn, end_row().
class TableSink : public Cell {
public:
    virtual void begin_row() = 0;
    virtual void begin_cell(const ColumnName& column) = 0;
    virtual void end_row() = 0;
};

template <class Columns, class Row>
void put_row(const Columns& columns, const Row& row, TableSink& sink) {
    sink.begin_row();
    for (const Column<Row>& column : columns) {
        sink.begin_cell(column);
        column.put(row, sink);
    }
    sink.end_row();
}

// The profile whose tables are written.
struct TablePart {
    TablePart(const Subject& its_subject, const Part& part)
        : subject(its_subject), profile(part.profile), waits(part.waits ? &*part.waits : nullptr), names(profile) {}

    const Subject& subject;
    const analysis::Profile& profile;
    const analysis::Waits* const waits; // nullptr: not known
    const report::ShownNames names;
};

struct Table {
    std::string_view name;
    std::string_view help; // what a row is
    std::vector<ColumnName> (*columns)();
    void (*put_rows)(const TablePart& part, TableSink& sink);
};

template <const auto& Columns>
std::vector<ColumnName> names_of() {
    return {std::begin(Columns), std::end(Columns)};
}

} // namespace vftr::exports
