// SPDX-License-Identifier: BSD-3-Clause
//
// One of the tables (tables/table.hpp) as comma-separated values by RFC 4180, with the rows of all parts: the first
// column is the title of the part. Cells that are absent are empty. Columns of a group have its name before theirs
// ("sent_bytes").
#include "export/csv/csv_field.hpp"
#include "export/format.hpp"
#include "export/tables/tables.hpp"
#include "report/number_text.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace vftr::exports {

namespace {

class CsvRows final : public TableSink {
public:
    CsvRows(std::string title, Sink& sink) : title_(std::move(title)), sink_(sink) {}

    void begin_row() override { sink_.text(title_); }
    void begin_cell(const ColumnName&) override { sink_.character(','); }
    void end_row() override { sink_.text("\r\n"); }

    void number(std::uint64_t value) override { sink_.number(value); }
    void rank(std::int64_t value) override { sink_.text(std::to_string(value)); }
    void real(double value) override { sink_.text(report::plain(value)); }
    void flag(bool value) override { sink_.text(value ? "true" : "false"); }
    void text(std::string_view value) override { sink_.text(csv_field(value)); }
    void digits(std::string_view value) override { sink_.text(value); }
    // "2 5-7": without commas, which would need quotes.
    void ranks(const analysis::RankList& value) override {
        std::string list = report::range_list(value);
        std::erase(list, ',');
        sink_.text(list);
    }

private:
    const std::string title_; // of the part, as a field
    Sink& sink_;
};

void write_titles(const Table& table, Sink& sink) {
    sink.text("part");
    for (const ColumnName& column : table.columns()) {
        sink.character(',');
        sink.text(file_title(column));
    }
    sink.text("\r\n");
}

} // namespace

void write_csv(const Subject& subject, const Options& options, Sink& sink) {
    const Table& table = options.table ? *options.table : paths_table;
    write_titles(table, sink);
    for (const Part& part : subject.parts) {
        CsvRows rows(csv_field(part.title), sink);
        table.put_rows({subject, part}, rows);
    }
}

} // namespace vftr::exports
