// SPDX-License-Identifier: BSD-3-Clause
#include "tui/table_view.hpp"

#include "export/csv/csv_field.hpp"
#include "tui/text_cells.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace vftr::tui {
namespace {

constexpr std::size_t NarrowScreen = 120, NarrowBar = 10, WideBar = 20,
                      LeastName = 24; // cells
constexpr std::size_t NoLimit = ~std::size_t{0};
constexpr std::size_t Indent = 2, DeepestIndent = 40; // cells, levels

std::vector<std::string_view> words(std::string_view text) {
    std::vector<std::string_view> result;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find(' ', at), text.size());
        result.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return result;
}

std::unique_ptr<RowOrder> order_for(const ViewSpec& spec, const Grid& grid) {
    if (!spec.depth.empty())
        if (const auto depth = grid.find(spec.depth))
            return std::make_unique<TreeOrder>(grid, *depth);
    return std::make_unique<FlatOrder>(grid, spec.group.empty() ? std::nullopt : grid.find(spec.group));
}

} // namespace

TableView::TableView(const ViewSpec& spec, std::shared_ptr<const Grid> grid, Shorten shorten)
    : spec_(spec), grid_(std::move(grid)), shorten_(std::move(shorten)), order_(order_for(spec, *grid_)) {
    name_ = spec.name_column.empty() ? std::nullopt : grid_->find(spec.name_column);
    bar_ = spec.bar.empty() ? std::nullopt : grid_->find(spec.bar);
    for (const std::string_view word : words(spec.columns))
        if (const auto column = grid_->find(word))
            columns_.push_back(*column);
    if (bar_)
        for (std::size_t row = 0; row < grid_->rows(); ++row)
            most_ = std::max(most_, grid_->value(row, *bar_));
    for (std::size_t row = 0; name_ && row < grid_->rows(); ++row)
        widest_name_ = std::max(widest_name_, cells(tree_mark(row)) + cells(grid_->text(row, *name_)));
    for (std::vector<std::size_t>& widths : widths_)
        widths.resize(grid_->columns().size());
    if (!spec.sort.empty())
        order_->sort({grid_->find(spec.sort), true});
}

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
        if (bar_ && bar_width_ != 0)
            line.add(bar(most_ > 0 ? grid_->value(row, *bar_) / most_ : 0, bar_width_) + ' ', Style::Bar);
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

std::optional<std::size_t> TableView::row() const {
    const auto& seen = order_->seen();
    return cursor_ < seen.size() ? std::optional<std::size_t>(seen[cursor_]) : std::nullopt;
}

std::string TableView::cell(std::string_view file_title) const {
    const auto column = grid_->find(file_title);
    const auto here = row();
    return column && here ? grid_->exact(*here, *column) : "";
}

void TableView::move(std::ptrdiff_t by) {
    const std::size_t count = order_->seen().size();
    const auto wanted = static_cast<std::ptrdiff_t>(cursor_) + by;
    if (count != 0)
        cursor_ =
            static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(wanted, 0, static_cast<std::ptrdiff_t>(count) - 1));
}

void TableView::move_to(std::size_t place) {
    cursor_ = std::min(place, order_->seen().empty() ? 0 : order_->seen().size() - 1);
}

void TableView::move_to_row(std::size_t row) {
    order_->reveal(row);
    if (!order_->place_of(row) && !only_.empty())
        show_only("");
    if (const auto place = order_->place_of(row))
        cursor_ = *place;
}

void TableView::click(std::size_t line) {
    if (line != 0)
        move_to(top_ + line - 1);
}

bool TableView::click_title(std::size_t column_of_screen) {
    const std::size_t at = column_of_screen + offset_;
    for (const Part& part : parts_)
        if (at >= part.begin && at <= part.end) {
            const bool same = sorting().column == part.column;
            sort({part.column, same ? !sorting().descending : grid_->columns()[part.column].kind != Grid::Kind::Text});
            return true;
        }
    return false;
}

void TableView::scroll(std::ptrdiff_t cells) {
    offset_ = static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, static_cast<std::ptrdiff_t>(offset_) + cells));
}

void TableView::close_or_leave() {
    const auto here = row();
    if (!here)
        return;
    if (order_->is_open(*here) && order_->can_open(*here))
        order_->set_open(*here, false);
    else if (const auto above = order_->parent(*here))
        move_to_row(*above);
}

void TableView::open() {
    if (const auto here = row(); here && order_->can_open(*here))
        order_->set_open(*here, true);
}

void TableView::toggle() {
    if (const auto here = row(); here && order_->can_open(*here))
        order_->set_open(*here, !order_->is_open(*here));
}

void TableView::set_all_open(bool open) {
    auto here = row();
    order_->set_all_open(open);
    while (here && !order_->place_of(*here))
        here = order_->parent(*here);
    if (here)
        move_to_row(*here);
}

void TableView::sort(Sorting sorting) {
    const auto here = row();
    order_->sort(sorting);
    if (here)
        if (const auto place = order_->place_of(*here))
            cursor_ = *place;
}

void TableView::show_column(std::size_t column, bool shown) {
    const auto found = std::ranges::find(columns_, column);
    if (!shown && found != columns_.end() && columns_.size() > 1)
        columns_.erase(found);
    if (shown && found == columns_.end()) {
        const bool name_last = !columns_.empty() && is_name(columns_.back());
        columns_.insert(columns_.end() - (name_last ? 1 : 0), column);
    }
}

bool TableView::has_text(std::size_t row, const std::string& text) const {
    for (const std::size_t column : columns_)
        if (find_text(cell_text(*grid_, row, column, Times::Seconds), text) != text.npos)
            return true;
    return false;
}

bool TableView::search(const std::string& text, bool backwards, bool from_here) {
    searched_ = text;
    const std::size_t rows = grid_->rows();
    const auto here = row();
    if (text.empty() || !here)
        return false;
    // Rows in the order in which they are seen; of a tree in that in which they would be if all were open.
    std::vector<std::uint32_t> all = order_->seen();
    if (is_tree() && all.size() < rows && only_.empty()) {
        TreeOrder whole(*grid_, *grid_->find(spec_.depth));
        whole.sort(sorting());
        whole.set_all_open(true);
        all = whole.seen();
    }
    const std::size_t count = all.size();
    const auto start = static_cast<std::size_t>(std::ranges::find(all, *here) - all.begin());
    for (std::size_t i = from_here ? 0 : 1; i <= count; ++i) {
        const std::size_t place = backwards ? (start + count - i % count) % count : (start + i) % count;
        if (!has_text(all[place], text))
            continue;
        move_to_row(all[place]);
        return true;
    }
    return false;
}

void TableView::show_only(const std::string& text) {
    const auto here = row();
    only_ = text;
    order_->show_only(text.empty() ? RowOrder::Matches() : [&](std::size_t row) { return has_text(row, text); });
    cursor_ = 0;
    if (here)
        if (const auto place = order_->place_of(*here))
            cursor_ = *place;
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
        std::string whole;
        for (const Span& span : line.spans)
            whole += span.text;
        text += whole.substr(0, whole.find_last_not_of(' ') + 1) + '\n';
    };
    add(title_line(times));
    for (const std::uint32_t row : order_->seen())
        add(row_line(row, times, NoLimit));
    return text;
}

std::vector<std::string> TableView::names_above(std::size_t row) const {
    std::vector<std::string> names;
    for (std::optional<std::size_t> at = row; at; at = order_->parent(*at))
        names.insert(names.begin(), name_ ? std::string(grid_->text(*at, *name_)) : "");
    return names;
}

std::optional<std::size_t> TableView::row_of(const std::vector<std::string>& names) const {
    for (std::size_t row = 0; row < grid_->rows(); ++row)
        if (order_->depth(row) + 1 == names.size() && grid_->text(row, *name_) == names.back() &&
            names_above(row) == names)
            return row;
    return std::nullopt;
}

void TableView::adopt(const TableView& before) {
    columns_.clear();
    for (const std::size_t column : before.columns_)
        if (const auto here = grid_->find(exports::file_title(before.grid_->columns()[column].name)))
            columns_.push_back(*here);
    Sorting sorting = before.sorting();
    if (sorting.column)
        sorting.column = grid_->find(exports::file_title(before.grid_->columns()[*sorting.column].name));
    order_->sort(sorting);
    if (is_tree() && name_)
        order_->open(before.order_->open_names(*before.name_), *name_);
    if (!before.only_.empty())
        show_only(before.only_);
    searched_ = before.searched_;
    offset_ = before.offset_;
    top_ = before.top_;
    cursor_ = before.cursor_;
    if (const auto row = before.row(); row && name_)
        if (const auto same = row_of(before.names_above(*row)))
            if (const auto place = order_->place_of(*same))
                cursor_ = *place;
}

} // namespace vftr::tui
