// SPDX-License-Identifier: BSD-3-Clause
//
// What a profile tells of the cost of recording: its call paths, and the functions that they are calls of, all ranks
// and threads together. Times are nanoseconds without the hooks, as a Profile has them.
//
// What percentages are of. Hooks cost CPU time, so they are compared with the CPU time of the program's own functions
// (Observed::program), not with time in which it had nothing to do: of a rank that waits in MPI for nine tenths of the
// run, or of a main that sleeps, the hooks would cost next to nothing, and no function would have a share. A preemption
// is in no function's time (record/off_cpu.hpp). Left out are MPI functions and constructs of OpenMP that wait, whether
// they poll or sleep; and the rest counts as no more than the CPU time that all threads had. Which function slept is
// not known, so one that did has a larger share than is right; all others' are right.
#pragma once

#include "analysis/profile.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace vftr::advice {

inline constexpr std::uint32_t NoFunction = std::numeric_limits<std::uint32_t>::max();

struct Path {
    std::uint32_t parent;   // index, smaller than the own; the root is 0 and its own parent
    std::uint32_t function; // index; NoFunction: the root, an MPI call, a region, OpenMP
    std::uint64_t calls;
    double own, hooks;
};

struct Function {
    std::string name; // as tables show it
    std::uint64_t calls = 0;
    double own = 0;
    double hooks = 0; // what the hooks of its calls cost, wherever that fell
    bool precise = false;

    double own_per_call() const { return calls ? own / static_cast<double>(calls) : 0; }
    double hooks_per_call() const { return calls ? hooks / static_cast<double>(calls) : 0; }
};

struct Observed {
    std::vector<Path> paths;
    std::vector<Function> functions; // the dearest first
    double hooks = 0;                // of all paths
    double program = 0;              // CPU time of the program's own functions
    bool cpu_known = false;          // else that is the time in them

    // Of the program's CPU time; at most all of it.
    double percent(double ns) const { return program > 0 ? 100 * ns / program : 0; }
    double share(const Function& function) const { return percent(std::min(function.own, program)); }
    // What the hooks cost, in percent of that.
    double overhead() const { return percent(hooks); }
    // Some of it was written in C++: no other name has a parenthesis in it, and none begins with _Z where names are
    // left as they are.
    bool has_cxx() const;
};

Observed observe(const analysis::Profile& profile);

} // namespace vftr::advice
