// SPDX-License-Identifier: BSD-3-Clause
//
// The boxes to choose from and to read.
#include "tui/browser.hpp"

#include "tui/text_cells.hpp"

#include <algorithm>
#include <utility>

namespace vftr::tui {

void Browser::choose_sorting() {
    const Grid& grid = view().grid();
    std::vector<ListBox::Entry> entries{{"the order of the table", !view().sorting().column}};
    std::vector<std::size_t> columns;
    for (std::size_t column = 0; column < grid.columns().size(); ++column) {
        if (grid.columns()[column].kind == Grid::Kind::Empty)
            continue;
        columns.push_back(column);
        entries.push_back({title_of(grid.columns()[column].name, times_), view().sorting().column == column});
    }
    box_.emplace("Sort by (Enter chooses)", std::move(entries), [this, columns](std::size_t entry, ListBox&) {
        if (entry == 0) {
            view().sort({std::nullopt, true});
            return ListBox::After::Closes;
        }
        const std::size_t column = columns[entry - 1];
        view().sort({column, view().grid().columns()[column].kind != Grid::Kind::Text});
        return ListBox::After::Closes;
    });
}

void Browser::choose_columns() {
    const Grid& grid = view().grid();
    std::vector<ListBox::Entry> entries;
    std::vector<std::size_t> columns;
    for (std::size_t column = 0; column < grid.columns().size(); ++column) {
        if (grid.columns()[column].kind == Grid::Kind::Empty)
            continue;
        columns.push_back(column);
        entries.push_back({title_of(grid.columns()[column].name, times_),
                           std::ranges::find(view().columns(), column) != view().columns().end()});
    }
    box_.emplace("Columns (Enter shows or hides, Esc closes)", std::move(entries),
                 [this, columns](std::size_t entry, ListBox& box) {
                     view().show_column(columns[entry], !box.marked(entry));
                     box.mark(entry, std::ranges::find(view().columns(), columns[entry]) != view().columns().end());
                     return ListBox::After::StaysOpen;
                 });
}

void Browser::choose_of_profiles() {
    const std::vector<Choice> all = choices();
    std::vector<ListBox::Entry> entries;
    std::size_t current = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const bool chosen = all[i].is_at(choice_);
        entries.push_back({all[i].title, chosen});
        if (chosen)
            current = i;
    }
    box_.emplace("Profiles (Enter chooses)", std::move(entries), [this, all](std::size_t entry, ListBox&) {
        choose_profile(all[entry]);
        return ListBox::After::Closes;
    });
    box_->set_cursor(current);
}

// Under the names and with the values that files have.
void Browser::show_details() {
    const TableView& shown = view();
    const auto row = shown.row();
    if (!row)
        return;
    std::vector<ListBox::Entry> entries;
    std::size_t width = 0;
    for (const Grid::Column& column : shown.grid().columns())
        width = std::max(width, exports::file_title(column.name).size());
    for (std::size_t column = 0; column < shown.grid().columns().size(); ++column)
        if (shown.grid().there(*row, column))
            entries.push_back({left_aligned(exports::file_title(shown.grid().columns()[column].name), width) + "  " +
                               shown.grid().exact(*row, column)});
    box_.emplace("The row in full (Esc closes)", std::move(entries));
}

void Browser::show_help() {
    std::vector<ListBox::Entry> entries;
    std::vector<std::string> names;
    std::size_t width = 0;
    for (const Binding& binding : bindings()) {
        std::string& text = names.emplace_back();
        for (const Key key : binding.keys)
            text += (text.empty() ? "" : " ") + name_of(key);
        width = std::max(width, text.size());
    }
    for (std::size_t i = 0; i < names.size(); ++i)
        entries.push_back({left_aligned(names[i], width) + "  " + std::string(bindings()[i].help)});
    entries.push_back({""});
    for (const ViewSpec* each : specs_)
        entries.push_back({left_aligned(each->title, width) + "  " + std::string(each->help)});
    entries.push_back({""});
    entries.push_back({left_aligned("Mouse", width) + "  a click chooses a view, a row or (on a title) the order"});
    box_.emplace("Keys and views (Esc closes)", std::move(entries));
}

} // namespace vftr::tui
