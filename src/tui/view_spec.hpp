// SPDX-License-Identifier: BSD-3-Clause
//
// What a view is: a table, and how it is looked at. Columns have the names that they have in files.
#pragma once

#include "tui/scene.hpp"

#include <memory>
#include <span>
#include <string_view>

namespace vftr::tui {

struct ViewSpec {
    // Where Enter leads from a row.
    enum class Leads { Nowhere, ToFunction, ToPath, ToRank };

    std::string_view name, title;
    std::string_view help; // what is seen, a sentence without its full stop
    // The columns that are seen at first, with blanks between them; one with a ? behind it only where some row has it.
    const char* columns;
    std::string_view sort; // the column that it is sorted by at first; empty: the order of the table
    std::string_view bar;  // the column that bars are of; empty: there are none
    std::string_view name_column;
    std::string_view depth; // of a tree: the column that says how deep a row is
    std::string_view group; // rows of one value in this column stay together
    Leads leads;
    bool (*there)(const Scene&);
    std::shared_ptr<const Grid> (*grid)(const Scene&);
};

// In the order of views.def.
std::span<const ViewSpec* const> view_specs();

#define VFTR_VIEW(name) extern const ViewSpec view_##name;
#include "tui/views/views.def"
#undef VFTR_VIEW

} // namespace vftr::tui
