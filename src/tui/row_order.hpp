// SPDX-License-Identifier: BSD-3-Clause
//
// Which rows of a grid are seen, from top to bottom: all in the order of a column (FlatOrder), or those of a tree whose
// callers are open, where the order is that of siblings (TreeOrder). In a search for rows, only those are seen that
// match, in a tree with those above them.
#pragma once

#include "tui/grid.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace vftr::tui {

struct Sorting {
    std::optional<std::size_t> column; // nullopt: the order of the table
    bool descending = true;
};

// Rows of a tree that are open, by the names that lead to them.
struct OpenNames {
    std::map<std::string, OpenNames, std::less<>> below;
};

class RowOrder {
public:
    using Matches = std::function<bool(std::size_t row)>;

    // The grid outlives it.
    explicit RowOrder(const Grid& grid) : grid_(grid) {}
    virtual ~RowOrder() = default;
    RowOrder(const RowOrder&) = delete;
    RowOrder& operator=(const RowOrder&) = delete;

    const std::vector<std::uint32_t>& seen() const { return seen_; }
    // The place of a row in seen(); nullopt: it is not seen.
    std::optional<std::size_t> place_of(std::size_t row) const;

    const Sorting& sorting() const { return sorting_; }
    virtual void sort(Sorting sorting) = 0;
    virtual void show_only(const Matches& matches) = 0; // an empty one: all

    // Of a tree; elsewhere no row can be opened.
    virtual std::size_t depth(std::size_t) const { return 0; }
    virtual std::optional<std::size_t> parent(std::size_t) const { return std::nullopt; }
    virtual bool can_open(std::size_t) const { return false; }
    virtual bool is_open(std::size_t) const { return false; }
    virtual void set_open(std::size_t, bool) {}
    virtual void set_all_open(bool) {}
    virtual void reveal(std::size_t) {} // opens what is above the row
    virtual OpenNames open_names(std::size_t) const { return {}; }
    virtual void open(const OpenNames&, std::size_t) {}

protected:
    // Whether row `a` comes before row `b`.
    bool before(std::size_t a, std::size_t b) const;

    const Grid& grid_;
    Sorting sorting_;
    std::vector<std::uint32_t> seen_;
};

class FlatOrder final : public RowOrder {
public:
    // Rows of one value in the column `group` stay together, in the order in which these come in the grid.
    explicit FlatOrder(const Grid& grid, std::optional<std::size_t> group = std::nullopt);

    void sort(Sorting sorting) override;
    void show_only(const Matches& matches) override;

private:
    std::optional<std::size_t> group_;
};

class TreeOrder final : public RowOrder {
public:
    // The column `depth` says how deep a row is; callers stand before what they call. The outermost rows are open.
    TreeOrder(const Grid& grid, std::size_t depth);

    void sort(Sorting sorting) override;
    void show_only(const Matches& matches) override;
    std::size_t depth(std::size_t row) const override { return depth_[row]; }
    std::optional<std::size_t> parent(std::size_t row) const override;
    bool can_open(std::size_t row) const override { return !children_[row].empty(); }
    bool is_open(std::size_t row) const override { return open_[row]; }
    void set_open(std::size_t row, bool open) override;
    void set_all_open(bool open) override;
    void reveal(std::size_t row) override;
    OpenNames open_names(std::size_t name) const override;
    void open(const OpenNames& names, std::size_t name) override;

private:
    static constexpr std::uint32_t None = 0xffffffff;
    void look_again();
    void sort_siblings();

    std::vector<std::uint32_t> depth_, parent_;
    std::vector<std::vector<std::uint32_t>> children_;
    std::vector<std::uint32_t> roots_;
    std::vector<bool> open_;
    std::vector<bool> kept_; // by row: it or one below it matches; empty: all rows are shown
};

} // namespace vftr::tui
