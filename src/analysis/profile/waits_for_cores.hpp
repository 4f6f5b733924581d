// SPDX-License-Identifier: BSD-3-Clause
//
// How much of MPI's time may be owed to ranks that had no core.
//
// A rank that has no core comes late, and others wait for it in MPI functions. These keep their time
// (record/timing/off_cpu.hpp): a profile does not tell for which message a rank waited, and why that came late. But it
// tells how long each rank had no core (Activity::NoCore), and how long ranks were off the processor in MPI functions,
// where they slept or had no core, by their CPU time. A rank has not waited longer for the others than they had no core
// together. So there are two bounds. Where no two ranks were without a core at the same time, and all others waited
// each time, each rank has waited as long as all the others had none, in MPI functions and outside. Where ranks had
// none at the same times as far as possible, and only outside of MPI, each has waited by how much its own time without
// a core is less than the longest one.
//
// Both are sums over ranks, of numbers that merge in any order, and no more than all of MPI's time without MPI_Init and
// MPI_Finalize.
#pragma once

#include "analysis/profile/profile.hpp"

#include <cstdint>

namespace vftr::analysis {

// Times are nanoseconds.
struct WaitsForCores {
    std::uint64_t mpi = 0;      // time in MPI, over all ranks
    std::uint64_t at_most = 0;  // the part of it that is owed to ranks without a core
    std::uint64_t together = 0; // the same if ranks were without a core at the same times, outside of MPI
    // What the communication efficiency would be at best if each rank had had a core of its own.
    double communication_efficiency = 1;
    // Whether ranks were without a core for more than a fiftieth of all time, or one of them for more than that part of
    // its own, and there is time in MPI that others may have waited for them.
    bool matter = false;
};

WaitsForCores waits_for_cores(const Profile& profile);

} // namespace vftr::analysis
