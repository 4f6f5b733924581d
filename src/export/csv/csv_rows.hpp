// SPDX-License-Identifier: BSD-3-Clause
//
// Rows of a table as comma-separated values. Cells that are absent are empty. Columns of a group have its name before
// theirs ("sent_bytes").
#pragma once

#include "export/csv/csv_field.hpp"
#include "export/sink.hpp"
#include "export/tables/table.hpp"
#include "report/number_text.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace vftr::exports {

class CsvRows final : public TableSink {
public:
    // Each row ends with `end`. It may have a text before its first cell.
    CsvRows(Sink& sink, std::string_view end, std::optional<std::string> before = {})
        : sink_(sink), end_(end), before_(std::move(before)) {}

    void begin_row() override {
        begun_ = before_.has_value();
        if (before_)
            sink_.text(csv_field(*before_));
    }
    void begin_cell(const ColumnName&) override {
        if (begun_)
            sink_.character(',');
        begun_ = true;
    }
    void end_row() override { sink_.text(end_); }

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

    // The line of the titles.
    void put_titles(const std::vector<ColumnName>& columns) {
        begin_row();
        for (const ColumnName& column : columns) {
            begin_cell(column);
            text(file_title(column));
        }
        end_row();
    }

private:
    Sink& sink_;
    const std::string end_;
    const std::optional<std::string> before_;
    bool begun_ = false; // the row has something
};

} // namespace vftr::exports
