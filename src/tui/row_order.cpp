// SPDX-License-Identifier: BSD-3-Clause
#include "tui/row_order.hpp"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <utility>

namespace vftr::tui {

std::optional<std::size_t> RowOrder::place_of(std::size_t row) const {
    const auto found = std::find(seen_.begin(), seen_.end(), row);
    return found == seen_.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - seen_.begin()));
}

bool RowOrder::before(std::size_t a, std::size_t b) const {
    return sorting_.descending ? grid_.less(*sorting_.column, b, a) : grid_.less(*sorting_.column, a, b);
}

FlatOrder::FlatOrder(const Grid& grid, std::optional<std::size_t> group) : RowOrder(grid), group_(group) {
    seen_.resize(grid.rows());
    std::iota(seen_.begin(), seen_.end(), 0u);
}

void FlatOrder::sort(Sorting sorting) {
    sorting_ = sorting;
    std::sort(seen_.begin(), seen_.end());
    if (sorting_.column)
        std::stable_sort(seen_.begin(), seen_.end(), [&](std::uint32_t a, std::uint32_t b) { return before(a, b); });
    if (!group_)
        return;
    // Texts of a grid are numbered as they come.
    std::stable_sort(seen_.begin(), seen_.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return grid_.bits(a, *group_) < grid_.bits(b, *group_); });
}

void FlatOrder::show_only(const Matches& matches) {
    seen_.clear();
    for (std::uint32_t row = 0; row < grid_.rows(); ++row)
        if (!matches || matches(row))
            seen_.push_back(row);
    sort(sorting_);
}

TreeOrder::TreeOrder(const Grid& grid, std::size_t depth)
    : RowOrder(grid), depth_(grid.rows()), parent_(grid.rows(), None), children_(grid.rows()), open_(grid.rows()) {
    std::vector<std::uint32_t> above; // by depth
    for (std::uint32_t row = 0; row < grid.rows(); ++row) {
        const std::size_t wanted = grid.bits(row, depth);
        above.resize(std::min(wanted, above.size()));
        depth_[row] = static_cast<std::uint32_t>(above.size());
        if (above.empty()) {
            roots_.push_back(row);
            open_[row] = true;
        } else {
            parent_[row] = above.back();
            children_[above.back()].push_back(row);
        }
        above.push_back(row);
    }
    look_again();
}

void TreeOrder::sort(Sorting sorting) {
    sorting_ = sorting;
    sort_siblings();
    look_again();
}

void TreeOrder::sort_siblings() {
    const auto sort_list = [&](std::vector<std::uint32_t>& list) {
        std::sort(list.begin(), list.end());
        if (sorting_.column)
            std::stable_sort(list.begin(), list.end(), [&](std::uint32_t a, std::uint32_t b) { return before(a, b); });
    };
    sort_list(roots_);
    for (std::vector<std::uint32_t>& list : children_)
        sort_list(list);
}

void TreeOrder::show_only(const Matches& matches) {
    kept_.clear();
    if (matches) {
        kept_.resize(grid_.rows());
        for (std::size_t row = grid_.rows(); row-- > 0;) {
            if (!kept_[row] && matches(row))
                kept_[row] = true;
            if (kept_[row] && parent_[row] != None)
                kept_[parent_[row]] = true;
        }
    }
    look_again();
}

std::optional<std::size_t> TreeOrder::parent(std::size_t row) const {
    return parent_[row] == None ? std::nullopt : std::optional<std::size_t>(parent_[row]);
}

void TreeOrder::set_open(std::size_t row, bool open) {
    open_[row] = open && can_open(row);
    look_again();
}

void TreeOrder::set_all_open(bool open) {
    for (std::size_t row = 0; row < open_.size(); ++row)
        open_[row] = open ? can_open(row) : parent_[row] == None;
    look_again();
}

void TreeOrder::reveal(std::size_t row) {
    for (std::optional<std::size_t> above = parent(row); above; above = parent(*above))
        open_[*above] = true;
    look_again();
}

// Without recursion, as trees are thousands of calls deep.
void TreeOrder::look_again() {
    seen_.clear();
    std::vector<std::uint32_t> ahead(roots_.rbegin(), roots_.rend());
    while (!ahead.empty()) {
        const std::uint32_t row = ahead.back();
        ahead.pop_back();
        if (!kept_.empty() && !kept_[row])
            continue;
        seen_.push_back(row);
        if (open_[row] || !kept_.empty())
            ahead.insert(ahead.end(), children_[row].rbegin(), children_[row].rend());
    }
}

OpenNames TreeOrder::open_names(std::size_t name) const {
    OpenNames all;
    std::vector<std::pair<std::uint32_t, OpenNames*>> ahead; // an open row, and where its children's names belong
    const auto enter = [&](std::uint32_t row, OpenNames& into) {
        if (open_[row])
            ahead.emplace_back(row, &into.below[std::string(grid_.text(row, name))]);
    };
    for (const std::uint32_t root : roots_)
        enter(root, all);
    while (!ahead.empty()) {
        const auto [row, into] = ahead.back();
        ahead.pop_back();
        for (const std::uint32_t child : children_[row])
            enter(child, *into);
    }
    return all;
}

void TreeOrder::open(const OpenNames& names, std::size_t name) {
    std::fill(open_.begin(), open_.end(), false);
    std::vector<std::pair<const std::vector<std::uint32_t>*, const OpenNames*>> ahead{{&roots_, &names}};
    while (!ahead.empty()) {
        const auto [rows, those] = ahead.back();
        ahead.pop_back();
        for (const std::uint32_t row : *rows) {
            const auto found = those->below.find(grid_.text(row, name));
            if (found == those->below.end())
                continue;
            open_[row] = true;
            ahead.emplace_back(&children_[row], &found->second);
        }
    }
    look_again();
}

} // namespace vftr::tui
