// SPDX-License-Identifier: BSD-3-Clause
//
// The call tree of a page as columns: for a million call paths text takes ten times as long to be read as arrays do.
// Rows are depth first, so that what is below a path follows it. share_src/viewer/data.js reads them; both know
// each column by its name.
#pragma once

#include "export/depth_first.hpp"
#include "export/format.hpp"
#include "export/html/little_endian.hpp"

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace vftr::exports {

// One array of numbers, in the byte order of nearly all machines (little-endian).
struct NumberColumn {
    std::string_view name;
    std::string_view type; // "u32" or "f64": the arrays of JavaScript
    std::string bytes;
};

// Of one profile. `titles` are the functions' names that the column "name" has indices of, `short_titles` those that a
// table of the log would show for them, empty where that is the whole name.
struct TreeColumns {
    std::vector<std::string> titles, short_titles;
    std::vector<NumberColumn> columns;
    std::uint32_t rows = 0;
    std::vector<std::uint32_t> row_of; // by node of the profile
};

// Puts columns together. It begins with those that a tree cannot do without: "parent" (a row), "name", "kind".
class TreeColumnsBuilder {
public:
    // `profile` must outlive it.
    explicit TreeColumnsBuilder(const analysis::Profile& profile);

    // `value` gives the number of a node of the profile.
    template <class Value>
    void add_u32(std::string_view name, Value value) {
        NumberColumn column{name, "u32", {}};
        column.bytes.reserve(order_.size() * sizeof(std::uint32_t));
        for (const Visit visit : order_)
            append_little_endian(column.bytes, std::uint32_t{value(visit.node)});
        built_.columns.push_back(std::move(column));
    }
    template <class Value>
    void add_f64(std::string_view name, Value value) {
        NumberColumn column{name, "f64", {}};
        column.bytes.reserve(order_.size() * sizeof(double));
        for (const Visit visit : order_)
            append_little_endian(column.bytes, std::bit_cast<std::uint64_t>(static_cast<double>(value(visit.node))));
        built_.columns.push_back(std::move(column));
    }
    TreeColumns take() { return std::move(built_); }

private:
    const std::vector<Visit> order_;
    TreeColumns built_;
};

TreeColumns path_columns(const analysis::Profile& profile);

} // namespace vftr::exports
