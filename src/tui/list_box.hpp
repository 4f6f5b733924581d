// SPDX-License-Identifier: BSD-3-Clause
//
// A box over the view with lines to read or to choose from: help, the columns, profiles, all cells of a row.
#pragma once

#include "tui/line.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace vftr::tui {

class ListBox {
public:
    struct Entry {
        std::string text;
        bool marked = false;
    };
    enum class After { StaysOpen, Closes };
    using Choose = std::function<After(std::size_t entry, ListBox& box)>;

    // Without `choose` the lines are only read.
    ListBox(std::string title, std::vector<Entry> entries, Choose choose = {});

    void set_cursor(std::size_t entry);
    void move(std::ptrdiff_t by);
    void move_to_end() { set_cursor(entries_.size()); }
    std::size_t page() const { return page_; }
    void scroll(std::ptrdiff_t cells);
    // Whether it closes.
    bool choose();
    void mark(std::size_t entry, bool marked) { entries_[entry].marked = marked; }
    bool marked(std::size_t entry) const { return entries_[entry].marked; }
    bool only_read() const { return !choose_; }

    std::vector<Line> lines(Size size);

private:
    std::string title_;
    std::vector<Entry> entries_;
    Choose choose_;
    std::size_t cursor_ = 0, top_ = 0, page_ = 1, offset_ = 0;
};

} // namespace vftr::tui
