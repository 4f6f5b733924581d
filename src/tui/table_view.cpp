// SPDX-License-Identifier: BSD-3-Clause
#include "tui/table_view.hpp"

#include "tui/text_cells.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

namespace vftr::tui {
namespace {

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
    for (std::string_view word : words(spec.columns)) {
        const bool if_any = word.ends_with('?');
        word.remove_suffix(if_any ? 1 : 0);
        if (const auto column = grid_->find(word);
            column && !(if_any && grid_->columns()[*column].kind == Grid::Kind::Empty))
            columns_.push_back(*column);
    }
    if (bar_)
        for (std::size_t row = 0; row < grid_->rows(); ++row)
            most_ = std::max(most_, std::abs(grid_->value(row, *bar_)));
    for (std::size_t row = 0; name_ && row < grid_->rows(); ++row)
        widest_name_ = std::max(widest_name_, cells(tree_mark(row)) + cells(grid_->text(row, *name_)));
    for (std::vector<std::size_t>& widths : widths_)
        widths.resize(grid_->columns().size());
    if (!spec.sort.empty())
        order_->sort({grid_->find(spec.sort), true});
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

// Where the row is not seen, the cursor stays.
void TableView::put_cursor_on(std::size_t row) {
    if (const auto place = order_->place_of(row))
        cursor_ = *place;
}

void TableView::move_to_row(std::size_t row) {
    order_->reveal(row);
    if (!order_->place_of(row) && !only_.empty())
        show_only("");
    put_cursor_on(row);
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
        put_cursor_on(*here);
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
        put_cursor_on(*here);
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
            put_cursor_on(*same);
}

} // namespace vftr::tui
