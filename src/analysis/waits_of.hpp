// SPDX-License-Identifier: BSD-3-Clause
//
// The wait states of a job from the timelines of its ranks: decodes all event streams side by side,
// in the order of time, and gives what they hold to WaitStates (wait_states.hpp).
#pragma once

#include "analysis/profile.hpp"
#include "analysis/wait_states.hpp"
#include "vfd/image.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace vftr::analysis {

struct Waits {
    std::vector<WaitSum> sums;                          // by path (index into Profile::nodes) and state
    std::vector<LateSum> late;                          // by path and rank
    std::uint64_t messages = 0, unmatched_messages = 0; // sends and receives
    std::uint64_t calls = 0, unmatched_calls = 0;       // of collective functions
    std::int64_t clock_error = 0;                       // ns
    bool clocks_known = true;
    std::uint64_t cut_streams = 0; // that could not be decoded to the end
    // ns: in MPI by the ranks' first threads, how much of that they waited for others to begin, and how long the
    // longest of them would be if only waits were left of it.
    std::uint64_t in_mpi = 0, waiting = 0, ideal = 0;

    // The factors of the communication efficiency (breakdown.hpp) after POP: what an ideal network, on which messages
    // take no time, would leave of the run time, and what waits for each other would take of that then. POP simulates
    // that network; here what is no wait in MPI is left out.
    double serialisation_efficiency(const Breakdown& all) const { return Breakdown::ratio(all.outside_mpi.max, ideal); }
    double transfer_efficiency(const Breakdown& all) const { return Breakdown::ratio(ideal, all.longest); }
};

// `all`: the canonical profile of these files; paths that it lacks are added behind the others.
// Throws vfd::Error, std::runtime_error where a rank has no timeline.
Waits waits_of(std::span<const vfd::Image> images, Profile& all);

} // namespace vftr::analysis
