// SPDX-License-Identifier: BSD-3-Clause
//
// Format (format.hpp): OpenMP constructs, and the teams of parallel regions.
#pragma once

#include "vfd/format_tree.hpp"

namespace vftr::vfd {

// The construct that the program wrote. A node of the kind OpenMp holds the time that a thread spent in the construct:
// waiting, for a barrier and for the entry of a critical section or lock, and working, for all others.
enum class Construct : std::uint8_t {
    Parallel = 1,
    Loop = 2,
    Sections = 3,
    Single = 4,
    Barrier = 5,         // explicit
    ImplicitBarrier = 6, // at the end of a parallel region or worksharing construct
    Critical = 7,        // waiting for its entry
    Lock = 8,            // waiting for the lock
    Ordered = 9,         // waiting for the turn
    Atomic = 10,         // waiting for its entry
    Task = 11,           // execution of the task
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

// Extracts the construct from the key of a node of the kind OpenMp. In a damaged file the value may be none of the
// enumerators.
constexpr Construct construct_of(std::uint64_t key) { return static_cast<Construct>(key >> ConstructShift & 0x3f); }

// True if the time in the construct is waiting time. A taskgroup counts as waiting, because its body does little but
// create tasks.
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

// Sums over the teams of all parallel regions that were forked on one call path.
struct Team {
    std::uint32_t thread;  // ThreadRecord::index of the thread that forked them
    std::uint32_t node;    // id of the region's node in that thread
    std::uint32_t largest; // number of threads of the largest team
    std::uint32_t reserved;
    std::uint64_t regions; // number of regions that have ended
    std::uint64_t threads; // sum of the teams' sizes
    std::uint64_t ticks;   // sum of duration × threads of the team: the thread time that was available
};
static_assert(sizeof(Team) == 40);

} // namespace vftr::vfd
