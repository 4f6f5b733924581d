// SPDX-License-Identifier: BSD-3-Clause
//
// Format (format.hpp): constructs of OpenMP, and the teams of its parallel regions.
#pragma once

#include "vfd/format_tree.hpp"

namespace vftr::vfd {

// What the program wrote. A node of the kind OpenMp shows the time that a thread spent in the construct: waiting in a
// barrier, at the entry of a critical section or lock; else working.
enum class Construct : std::uint8_t {
    Parallel = 1,
    Loop = 2,
    Sections = 3,
    Single = 4,
    Barrier = 5,         // explicit
    ImplicitBarrier = 6, // at the end of a parallel region or worksharing construct
    Critical = 7,        // waiting for it
    Lock = 8,            // likewise
    Ordered = 9,         // likewise
    Atomic = 10,         // likewise
    Task = 11,           // its execution
    Taskwait = 12,
    Taskgroup = 13,
    Taskloop = 14,
    Target = 15,
    TargetData = 16,
    Teams = 17,
    Distribute = 18,
    Masked = 19,
    Workshare = 20,
    Reduction = 21,
    Scope = 22,
};

// Of the key of a node of the kind OpenMp; a damaged file may have other values.
constexpr Construct construct_of(std::uint64_t key) { return static_cast<Construct>(key >> ConstructShift & 0x3f); }

// Whether a thread waits in it. A taskgroup, too: what its text does but for making tasks is little.
constexpr bool is_wait(Construct construct) {
    switch (construct) {
    case Construct::Barrier:
    case Construct::ImplicitBarrier:
    case Construct::Critical:
    case Construct::Lock:
    case Construct::Ordered:
    case Construct::Atomic:
    case Construct::Taskwait:
    case Construct::Taskgroup:
        return true;
    default:
        return false;
    }
}

// The teams of all parallel regions that were forked on one call path, added up.
struct Team {
    std::uint32_t thread;  // ThreadRecord::index and
    std::uint32_t node;    // node id of the region
    std::uint32_t largest; // threads of the largest team
    std::uint32_t reserved;
    std::uint64_t regions; // that have ended
    std::uint64_t threads; // of their teams, added up
    std::uint64_t ticks;   // duration × threads of the team, added up: the time that was there to be used
};
static_assert(sizeof(Team) == 40);

} // namespace vftr::vfd
