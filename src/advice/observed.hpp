// SPDX-License-Identifier: BSD-3-Clause
//
// What a profile tells of the cost of recording: its call paths, and the functions that they are calls of, all ranks and threads
// together. Times are nanoseconds without the hooks, as a Profile has them.
#pragma once

#include "analysis/profile.hpp"

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
    double own = 0, hooks = 0;       // of all paths

    // What the hooks cost, in percent of the program's own time.
    double overhead() const { return own > 0 ? 100 * hooks / own : 0; }
    // Some of it was written in C++: no other name has a parenthesis in it, and none begins with _Z where names are left as they are.
    bool has_cxx() const;
};

Observed observe(const analysis::Profile& profile);

} // namespace vftr::advice
