// SPDX-License-Identifier: BSD-3-Clause
//
// Computes the wait states of a job from the timelines of its ranks: decodes all event streams side by side, in the
// order of time, and adds their messages and collective calls to WaitStates (wait_states.hpp).
#pragma once

#include "analysis/profile/profile.hpp"
#include "analysis/timeline/wait_states.hpp"
#include "vfd/image.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace vftr::analysis {

struct Waits {
    std::vector<WaitSum> sums;                          // sorted by path (index into Profile::nodes) and state
    std::vector<LateSum> late;                          // sorted by path and rank
    std::uint64_t messages = 0, unmatched_messages = 0; // sends and receives
    std::uint64_t calls = 0, unmatched_calls = 0;       // of collective functions
    std::int64_t clock_error = 0;                       // ns
    bool clocks_known = true;
    std::uint64_t cut_streams = 0; // event streams that could not be decoded to the end
    // Nanoseconds of the ranks' first threads: in_mpi is their time in MPI, `waiting` the part of it in which they
    // waited for others to begin, and `ideal` the run time of the longest one if its time in MPI consisted of these
    // waits only.
    std::uint64_t in_mpi = 0, waiting = 0, ideal = 0;

    // The two factors of the communication efficiency (breakdown.hpp) as POP defines them. Transfer efficiency is the
    // part of the run time that would remain on an ideal network, on which messages take no time; serialisation
    // efficiency is what the ranks' waits for each other leave of that. POP simulates the ideal network; here the time
    // in MPI that is not a wait is subtracted instead.
    double serialisation_efficiency(const Breakdown& all) const { return Breakdown::ratio(all.outside_mpi.max, ideal); }
    double transfer_efficiency(const Breakdown& all) const { return Breakdown::ratio(ideal, all.longest); }
};

// `all` is the canonical profile of these files; paths that it lacks are appended to it. Throws vfd::Error, and
// std::runtime_error where a rank has no timeline.
Waits waits_of(std::span<const vfd::Image> images, Profile& all, WaitStates::Tell tell = {});

} // namespace vftr::analysis
