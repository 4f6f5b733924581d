// SPDX-License-Identifier: BSD-3-Clause
//
// A view: the rows of a grid in some order, with a cursor, chosen columns and bars. It knows nothing of keys and
// terminals; the browser tells it what to do and where it has room.
#pragma once

#include "tui/column_text.hpp"
#include "tui/line.hpp"
#include "tui/row_order.hpp"
#include "tui/view_spec.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vftr::tui {

class TableView {
public:
    // Makes a name of the name column about as short as so many characters, so that different names stay different.
    using Shorten = std::function<std::string(std::string_view name, std::size_t limit)>;

    // Without `shorten` the ends of long names are cut.
    TableView(const ViewSpec& spec, std::shared_ptr<const Grid> grid, Shorten shorten = {});

    const ViewSpec& spec() const { return spec_; }
    const Grid& grid() const { return *grid_; }
    bool is_tree() const { return !spec_.depth.empty(); }

    // The titles, then rows; at most `size.rows` lines, and the cursor is among them.
    std::vector<Line> lines(Size size, Times times);
    // The name in the row under the cursor, where some name is too long for a line of so many columns; nullopt: none
    // is.
    std::optional<std::string> long_name(std::size_t columns, Times times) const;
    // "row 3 of 57, by t_excl[s]".
    std::string status(Times times) const;

    std::optional<std::size_t> row() const; // under the cursor; nullopt: there is none
    // The cell of that row in the column of this name; empty where it is absent.
    std::string cell(std::string_view file_title) const;
    std::size_t page() const { return page_; }
    void move(std::ptrdiff_t by);
    void move_to(std::size_t place); // among the rows that are seen
    void move_to_row(std::size_t row);
    void click(std::size_t line); // of the lines that were drawn last: the titles sort, a row gets the cursor
    bool click_title(std::size_t column_of_screen);
    void scroll(std::ptrdiff_t cells);
    void close_or_leave(); // closes the row, or moves to the one above it
    void open();
    void toggle();
    void set_all_open(bool open);

    const Sorting& sorting() const { return order_->sorting(); }
    void sort(Sorting sorting);
    const std::vector<std::size_t>& columns() const { return columns_; } // that are seen
    void show_column(std::size_t column, bool shown);

    // The next row (or the one before) with the text, from the cursor on and around; whether there is one. In a tree,
    // what is closed is searched, too, and opened.
    bool search(const std::string& text, bool backwards, bool from_here);
    void show_only(const std::string& text); // empty: all
    const std::string& searched() const { return searched_; }
    const std::string& shown_only() const { return only_; }

    // What is seen: all rows and columns, in this order.
    std::string csv() const;
    std::string text(Times times) const;

    // Looks at the same as another view of the same kind, whose grid is older.
    void adopt(const TableView& before);

private:
    struct Part { // of a line: a column and where it is on the screen
        std::size_t column, begin, end;
    };
    void put_cursor_on(std::size_t row);
    bool is_name(std::size_t column) const;
    std::string tree_mark(std::size_t row) const;
    std::string shown_name(std::size_t row, std::size_t room) const;
    void add_with_matches(Line& line, std::string_view text) const;
    Line title_line(Times times) const;
    // A name that is longer than `room` is shortened.
    Line row_line(std::size_t row, Times times, std::size_t room) const;
    bool has_text(std::size_t row, const std::string& text) const;
    std::size_t width_of(std::size_t column, Times times) const;
    std::size_t width_before_name(Times times) const; // without the bar
    std::size_t bar_width_for(std::size_t columns, Times times) const;
    std::vector<std::string> names_above(std::size_t row) const;
    std::optional<std::size_t> row_of(const std::vector<std::string>& names) const;

    const ViewSpec& spec_;
    std::shared_ptr<const Grid> grid_;
    Shorten shorten_;
    std::unique_ptr<RowOrder> order_;
    std::optional<std::size_t> name_, bar_;
    std::vector<std::size_t> columns_; // that are seen, from left to right; the name comes last
    double most_ = 0;                  // of the bars
    std::size_t bar_width_ = 0, widest_name_ = 0;
    std::size_t cursor_ = 0, top_ = 0, page_ = 1, offset_ = 0;
    std::string searched_, only_;
    mutable std::vector<std::size_t> widths_[2]; // by Times and column; 0: not known yet
    std::vector<Part> parts_;                    // of the lines that were drawn last
};

} // namespace vftr::tui
