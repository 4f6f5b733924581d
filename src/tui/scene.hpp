// SPDX-License-Identifier: BSD-3-Clause
//
// What the views show: one profile, and the tables that were made of it so far.
#pragma once

#include "export/call_graph.hpp"
#include "export/tables/table.hpp"
#include "tui/grid.hpp"
#include "tui/source.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace vftr::tui {

class Scene {
public:
    // All outlive it. `all_ranks`: the part is that of the whole run, not of one rank or program. `difference`: between
    // this run and another one; nullptr: there is one run.
    Scene(const Source& source, const exports::Part& part, bool all_ranks, const Difference* difference = nullptr);

    const Source& source() const { return source_; }
    const exports::TablePart& part() const { return part_; }
    const analysis::Profile& profile() const { return part_.profile; }
    bool all_ranks() const { return all_ranks_; }
    const Difference* difference() const { return difference_; }
    // With the wait states; nullptr: they are not known.
    const exports::TablePart* waits() const { return waits_ ? &*waits_ : nullptr; }

    std::shared_ptr<const Grid> grid(const exports::Table& table) const;
    std::shared_ptr<const Grid> grid_with_waits(const exports::Table& table) const;
    const exports::CallGraph& call_graph() const;

    // Whose callers and callees are looked at. At first the function with most exclusive time.
    const std::string& function() const;
    const std::string& chosen_function() const { return function_; } // empty: none was asked for yet
    bool has_function(std::string_view name) const;                  // in its call graph
    void set_function(std::string name) { function_ = std::move(name); }

private:
    std::shared_ptr<const Grid> made(const exports::Table& table, const exports::TablePart& part) const;

    const Source& source_;
    const exports::TablePart part_;
    std::optional<exports::TablePart> waits_;
    const bool all_ranks_;
    const Difference* const difference_;
    mutable std::map<const exports::Table*, std::shared_ptr<const Grid>> grids_;
    mutable std::unique_ptr<exports::CallGraph> graph_;
    mutable std::string function_;
};

} // namespace vftr::tui
