// SPDX-License-Identifier: BSD-3-Clause
//
// What a node of the tree of processes shows: of a program, of an MPI job as a whole, or of a process that is known by
// its pid only. Times are nanoseconds since 1970.
#pragma once

#include "analysis/processes/process_tree.hpp"

#include <cstdint>
#include <string>

namespace vftr::report {

struct ProcessLine {
    const analysis::Recording* program = nullptr; // nullptr: it is a job, or missing
    std::string title;                            // instead of a command, where it is no program
    bool times_known = false;                     // of a missing process they are not
    std::uint64_t start = 0;
    std::uint64_t end = 0; // where it has not ended, the latest known moment
    bool end_known = false;
    std::string ended; // "exit 1", "killed"; of a job that of all its ranks, or "various"
};

ProcessLine process_line(const analysis::ProcessTree& tree, std::uint32_t node);

// The last program that the process of a node became, which tells how it ended; nullptr: there is no recording of it.
const analysis::Recording* last_program(const analysis::ProcessTree& tree, std::uint32_t node);

} // namespace vftr::report
