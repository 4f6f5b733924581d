// SPDX-License-Identifier: BSD-3-Clause
#include "tui/list_box.hpp"

#include "tui/text_cells.hpp"

#include <algorithm>
#include <utility>

namespace vftr::tui {

ListBox::ListBox(std::string title, std::vector<Entry> entries, Choose choose)
    : title_(std::move(title)), entries_(std::move(entries)), choose_(std::move(choose)) {}

void ListBox::set_cursor(std::size_t entry) {
    const std::size_t last = entries_.empty() ? 0 : entries_.size() - 1;
    cursor_ = std::min(entry, only_read() ? last - std::min(last, page_ - 1) : last);
}

// Lines to read have no cursor: the first one that is seen is moved.
void ListBox::move(std::ptrdiff_t by) {
    set_cursor(static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, static_cast<std::ptrdiff_t>(cursor_) + by)));
}

void ListBox::scroll(std::ptrdiff_t cells) {
    offset_ = static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, static_cast<std::ptrdiff_t>(offset_) + cells));
}

bool ListBox::choose() { return !choose_ || entries_.empty() || choose_(cursor_, *this) == After::Closes; }

std::vector<Line> ListBox::lines(Size size) {
    std::vector<Line> all;
    if (size.rows == 0)
        return all;
    page_ = std::max<std::size_t>(1, size.rows - 1);
    set_cursor(cursor_);
    if (only_read())
        top_ = cursor_;
    else
        top_ = cursor_ < top_ ? cursor_ : cursor_ >= top_ + page_ ? cursor_ - page_ + 1 : top_;
    Line title;
    title.add(cut(title_, size.columns), Style::Title);
    all.push_back(std::move(title));
    const bool marks = std::ranges::any_of(entries_, &Entry::marked);
    for (std::size_t i = top_; i < std::min(entries_.size(), top_ + size.rows - 1); ++i) {
        Line line;
        line.add((!marks ? "" : entries_[i].marked ? "* " : "  ") + entries_[i].text);
        line = window(line, offset_, size.columns);
        line.under_cursor = !only_read() && i == cursor_;
        all.push_back(std::move(line));
    }
    return all;
}

} // namespace vftr::tui
