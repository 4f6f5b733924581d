// SPDX-License-Identifier: BSD-3-Clause
//
// The cost of recording that a profile shows: its call paths and their functions, for all ranks and threads together.
// Times are nanoseconds without the cost of the hooks, as in a Profile.
//
// What is 100 %: hooks cost CPU time, so they are compared with the CPU time of the program's own functions
// (Observed::program), not with time in which it had nothing to do. Otherwise the hooks would seem to cost next to
// nothing, and no function would have a relevant share, on a rank that waits in MPI for nine tenths of the run, or in a
// program whose main function sleeps. Preemptions are in no function's time (record/timing/off_cpu.hpp). MPI functions
// and constructs of OpenMP that wait are left out, whether they poll or sleep, and the rest is limited to the CPU time
// of all threads. It is not known which function slept, so the share of such a function is too large; all other shares
// are right.
#pragma once

#include "analysis/profile/profile.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace vftr::advice {

inline constexpr std::uint32_t NoFunction = std::numeric_limits<std::uint32_t>::max();

struct Path {
    std::uint32_t parent;   // index, smaller than that of this path; the root has index 0 and is its own parent
    std::uint32_t function; // index; NoFunction: the root, an MPI call, a region or a construct of OpenMP
    std::uint64_t calls;
    double own, hooks;
};

struct Function {
    std::string name; // as shown in tables
    std::uint64_t calls = 0;
    double own = 0;
    double hooks = 0; // cost of the hooks of its calls, in its own and its callers' times
    bool precise = false;
    analysis::Uncertainty uncertainty = {}; // of `own`

    double own_per_call() const { return calls ? own / static_cast<double>(calls) : 0; }
    double hooks_per_call() const { return calls ? hooks / static_cast<double>(calls) : 0; }
};

struct Observed {
    std::vector<Path> paths;
    std::vector<Function> functions; // the one with the largest cost of hooks first
    double hooks = 0;                // cost of all hooks
    double program = 0;              // CPU time of the program's own functions
    bool cpu_known = false;          // otherwise `program` is the elapsed time in these functions

    // Percent of the program's CPU time; a function's share is at most all of it.
    double percent(double ns) const { return program > 0 ? 100 * ns / program : 0; }
    double share(const Function& function) const { return percent(std::min(function.own, program)); }
    // The cost of all hooks in percent of the program's CPU time.
    double overhead() const { return percent(hooks); }
    // Whether some functions are C++. Only C++ names have a parenthesis, or begin with _Z where names are not
    // demangled.
    bool has_cxx() const;
};

Observed observe(const analysis::Profile& profile);

} // namespace vftr::advice
