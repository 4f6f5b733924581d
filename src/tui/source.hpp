// SPDX-License-Identifier: BSD-3-Clause
//
// Where the views get their data from. It is what exports are made of, so that all figures are those of vftr report.
#pragma once

#include "analysis/processes/process_tree.hpp"
#include "export/format.hpp"
#include "tui/difference.hpp"

#include <cstdint>
#include <vector>

namespace vftr::tui {

class Source {
public:
    virtual ~Source() = default;

    // The profiles: one of all ranks, or one for each program.
    virtual const exports::Subject& subject() const = 0;
    // The profile of all ranks, with Part::waits; nullptr: the files have not the timelines of several ranks.
    virtual const exports::Part* waits() const = 0;
    virtual const analysis::ProcessTree& processes() const = 0;
    // The ranks of which there is a profile each; empty: it is one rank, or only the sum is known.
    virtual const std::vector<std::int32_t>& ranks() const = 0;
    virtual exports::Part part_of_rank(std::int32_t rank) const = 0;

    // The run before a change, to which this one is compared; nullptr: there is one run.
    virtual const Source* base() const { return nullptr; }
    virtual const Difference* difference() const { return nullptr; } // not nullptr where there is a base

    // Whether a process still writes one of the files, or one that comes into a folder.
    virtual bool may_change() const = 0;
    // Whether other recordings may come at any time.
    virtual bool has_folder() const = 0;
    // Reads everything again. Throws std::exception, and then all is as before.
    virtual void read() = 0;
};

} // namespace vftr::tui
