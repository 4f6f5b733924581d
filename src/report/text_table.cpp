// SPDX-License-Identifier: BSD-3-Clause
#include "report/text_table.hpp"

#include "base/foreign_text.hpp"
#include "report/number_text.hpp"

#include <algorithm>
#include <utility>

namespace vftr::report {

namespace {

// Escapes a cell so that the table can be parsed: within a cell '|' has a backslash before it, and blanks around a cell
// do not belong to it.
std::string as_cell(std::string text) {
    const auto is_special = [](char c) { return c == '|' || c == '\\' || c < ' ' || c == 0x7f; };
    if (text.empty() ||
        (text.front() != ' ' && text.back() != ' ' && std::none_of(text.begin(), text.end(), is_special)))
        return text;
    const std::string harmless = base::foreign_text(text);
    std::string cell;
    for (std::size_t i = 0; i < harmless.size(); ++i) {
        const char c = harmless[i];
        const bool outer_blank = c == ' ' && (i == 0 || i + 1 == harmless.size());
        if (c == '|' || c == '\\' || outer_blank)
            cell += '\\';
        cell += outer_blank ? 's' : c;
    }
    return cell;
}

} // namespace

TextTable::TextTable(std::vector<std::string> titles) : titles_(std::move(titles)) {
    for (const std::string& title : titles_)
        widths_.push_back(report::width(title));
}

void TextTable::add_row(std::vector<std::string> cells, std::string mark) {
    cells.resize(titles_.size());
    for (std::size_t i = 0; i < cells.size(); ++i) {
        cells[i] = as_cell(std::move(cells[i]));
        widths_[i] = std::max(widths_[i], report::width(cells[i]));
    }
    rows_.push_back({std::move(cells), std::move(mark)});
}

std::size_t TextTable::width() const {
    std::size_t of_marks = 0;
    for (const Row& row : rows_)
        if (!row.mark.empty())
            of_marks = std::max(of_marks, 1 + report::width(row.mark));
    return border().size() - 1 + of_marks;
}

std::size_t TextTable::width_of(std::string_view title) const {
    const auto found = std::ranges::find(titles_, title);
    return found == titles_.end() ? 0 : widths_[static_cast<std::size_t>(found - titles_.begin())];
}

std::string TextTable::border() const {
    std::string line = "+";
    for (std::size_t width : widths_) {
        line.append(width + 2, '-');
        line += '+';
    }
    return line + '\n';
}

std::string TextTable::to_text() const {
    std::string text;
    append_to(text);
    return text;
}

void TextTable::append_to(std::string& text) const {
    const std::string line = border();
    text.reserve(text.size() + (rows_.size() + 4) * line.size());
    text += line;
    text += '|';
    for (std::size_t i = 0; i < titles_.size(); ++i) {
        std::size_t spare = widths_[i] - report::width(titles_[i]);
        text.append(1 + spare / 2, ' ');
        text += titles_[i];
        text.append(1 + spare - spare / 2, ' ');
        text += '|';
    }
    text += '\n';
    text += line;
    for (const Row& row : rows_) {
        text += '|';
        for (std::size_t i = 0; i < row.cells.size(); ++i) {
            text.append(1 + widths_[i] - report::width(row.cells[i]), ' ');
            text += row.cells[i];
            text += " |";
        }
        if (!row.mark.empty())
            text += ' ' + row.mark;
        text += '\n';
    }
    text += line;
}

} // namespace vftr::report
