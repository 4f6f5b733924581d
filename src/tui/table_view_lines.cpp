// SPDX-License-Identifier: BSD-3-Clause
//
// How a view looks: on the screen, and in files.
#include "tui/table_view.hpp"

#include "export/csv/csv_field.hpp"
#include "tui/text_cells.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace vftr::tui {
namespace {

constexpr std::size_t NarrowScreen = 120, NarrowBar = 10, WideBar = 20,
                      LeastName = 24; // cells
constexpr std::size_t NoLimit = ~std::size_t{0};
constexpr std::size_t Indent = 2, DeepestIndent = 40; // cells, levels

} // namespace

bool TableView::is_name(std::size_t column) const { return name_ && column == *name_; }

std::size_t TableView::width_of(std::size_t column, Times times) const {
    std::size_t& width = widths_[static_cast<int>(times)][column];
    if (width == 0)
        width = widest(*grid_, column, times);
    return width;
}

std::size_t TableView::width_before_name(Times times) const {
    std::size_t sum = 0;
    for (const std::size_t column : columns_)
        sum += is_name(column) ? 0 : width_of(column, times) + 1;
    return sum;
}

// Where there is too little room for names and bars, bars give way.
std::size_t TableView::bar_width_for(std::size_t columns, Times times) const {
    if (!bar_)
        return 0;
    const std::size_t width = columns < NarrowScreen ? NarrowBar : WideBar;
    return width_before_name(times) + width + 1 + (name_ ? LeastName : 0) <= columns ? width : 0;
}

std::optional<std::string> TableView::long_name(std::size_t columns, Times times) const {
    const std::size_t bar = bar_width_for(columns, times);
    if (!name_ || width_before_name(times) + (bar ? bar + 1 : 0) + widest_name_ <= columns)
        return std::nullopt;
    const auto here = row();
    return here ? std::string(grid_->text(*here, *name_)) : std::string();
}

Line TableView::title_line(Times times) const {
    Line line;
    for (const std::size_t column : columns_) {
        if (is_name(column))
            line.add(std::string(bar_width_ ? bar_width_ + 1 : 0, ' '));
        std::string title = title_of(grid_->columns()[column].name, times);
        const bool sorted = sorting().column == column;
        if (is_name(column))
            line.add(std::move(title), Style::Title);
        else if (grid_->columns()[column].kind == Grid::Kind::Text)
            line.add(left_aligned(title, width_of(column, times)), Style::Title);
        else
            line.add(right_aligned(title, width_of(column, times)), Style::Title);
        line.add(sorted ? (sorting().descending ? "v" : "^") : " ");
    }
    return line;
}

// What is open has a "-" before its name, what can be opened a "+".
std::string TableView::tree_mark(std::size_t row) const {
    std::string text;
    if (is_tree()) {
        const std::size_t depth = order_->depth(row);
        text.append(Indent * std::min(depth, DeepestIndent), ' ');
        if (depth > DeepestIndent)
            text += "[" + std::to_string(depth) + "] ";
        text += !order_->can_open(row) ? "  " : order_->is_open(row) ? "- " : "+ ";
    }
    return text;
}

// In a tree the room differs from level to level; for each length all names of the profile have to be compared, so
// there are few.
std::string TableView::shown_name(std::size_t row, std::size_t room) const {
    constexpr std::size_t Step = 16, Shortest = 16;
    const std::string_view name = grid_->text(row, *name_);
    if (!shorten_ || room == NoLimit || cells(name) <= room)
        return std::string(name);
    return shorten_(name, std::max(Shortest, is_tree() ? room / Step * Step : room));
}

void TableView::add_with_matches(Line& line, std::string_view text) const {
    std::size_t at = 0;
    while (!searched_.empty()) {
        const std::size_t found = find_text(text, searched_, at);
        if (found == text.npos)
            break;
        line.add(std::string(text.substr(at, found - at)));
        line.add(std::string(text.substr(found, searched_.size())), Style::Match);
        at = found + searched_.size();
    }
    line.add(std::string(text.substr(at)));
}

Line TableView::row_line(std::size_t row, Times times, std::size_t room) const {
    Line line;
    const auto add_bar = [&] {
        if (!bar_ || bar_width_ == 0)
            return;
        const double length = std::abs(grid_->value(row, *bar_)); // a difference may be negative
        line.add(bar(most_ > 0 ? length / most_ : 0, bar_width_) + ' ', Style::Bar);
    };
    for (const std::size_t column : columns_) {
        if (is_name(column)) {
            add_bar();
            const std::string mark = tree_mark(row);
            line.add(mark);
            add_with_matches(line, shown_name(row, room == NoLimit ? room : room - std::min(room, cells(mark))));
            continue;
        }
        const std::string text = cell_text(*grid_, row, column, times);
        if (grid_->columns()[column].kind == Grid::Kind::Text)
            add_with_matches(line, left_aligned(text, width_of(column, times)));
        else
            line.add(right_aligned(text, width_of(column, times)));
        line.add(" ");
    }
    if (!name_ || std::ranges::find(columns_, *name_) == columns_.end())
        add_bar();
    return line;
}

std::vector<Line> TableView::lines(Size size, Times times) {
    bar_width_ = bar_width_for(size.columns, times);
    const std::size_t count = order_->seen().size();
    page_ = std::max<std::size_t>(1, size.rows - std::min<std::size_t>(size.rows, 1));
    cursor_ = std::min(cursor_, count == 0 ? 0 : count - 1);
    top_ = std::min(top_, count > page_ ? count - page_ : 0);
    top_ = cursor_ < top_ ? cursor_ : cursor_ >= top_ + page_ ? cursor_ - page_ + 1 : top_;
    std::vector<Line> all;
    if (size.rows == 0)
        return all;
    all.push_back(window(title_line(times), offset_, size.columns));
    parts_.clear();
    const std::size_t used = width_before_name(times) + (bar_width_ ? bar_width_ + 1 : 0);
    const std::size_t room = offset_ != 0 ? NoLimit : size.columns - std::min(size.columns, used);
    std::size_t at = 0;
    for (const std::size_t column : columns_) {
        at += is_name(column) && bar_width_ ? bar_width_ + 1 : 0;
        const std::size_t width = is_name(column) ? size.columns : width_of(column, times);
        parts_.push_back({column, at, at + width});
        at += width + 1;
    }
    for (std::size_t place = top_; place < std::min(count, top_ + size.rows - 1); ++place) {
        Line line = row_line(order_->seen()[place], times, room);
        line.under_cursor = place == cursor_;
        all.push_back(window(line, offset_, size.columns));
    }
    return all;
}

std::string TableView::status(Times times) const {
    const std::size_t count = order_->seen().size();
    std::string text = count == 0 ? "no rows" : "row " + std::to_string(cursor_ + 1) + " of " + std::to_string(count);
    if (sorting().column)
        text += ", by " + title_of(grid_->columns()[*sorting().column].name, times);
    if (!only_.empty())
        text += ", only \"" + only_ + '"';
    return text;
}

std::string TableView::csv() const {
    std::string text;
    const auto add_row = [&](auto cell) {
        for (std::size_t i = 0; i < columns_.size(); ++i)
            text += (i == 0 ? "" : ",") + exports::csv_field(cell(columns_[i]));
        text += "\r\n";
    };
    add_row([&](std::size_t column) { return exports::file_title(grid_->columns()[column].name); });
    for (const std::uint32_t row : order_->seen())
        add_row([&](std::size_t column) { return grid_->exact(row, column); });
    return text;
}

std::string TableView::text(Times times) const {
    std::string text;
    const auto add = [&](const Line& line) {
        const std::string whole = text_of(line);
        text += whole.substr(0, whole.find_last_not_of(' ') + 1) + '\n';
    };
    add(title_line(times));
    for (const std::uint32_t row : order_->seen())
        add(row_line(row, times, NoLimit));
    return text;
}

} // namespace vftr::tui
