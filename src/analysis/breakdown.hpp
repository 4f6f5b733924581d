// SPDX-License-Identifier: BSD-3-Clause
//
// Where the time of a job went: the time of all recorded threads, by what they did, and how efficient they were side by
// side.
//
// Each moment of a thread's life is in one activity, so that the activities of a rank add up to the lives of its
// threads and to what came after the clock was stopped (FileHeader::ending_ns). Exclusive times of call paths decide,
// without what the hooks cost, which is an activity of its own. A wait for a core is no path's time
// (record/off_cpu.hpp). All that is not known to be something else is computation. Of that, what a thread spent without
// CPU time and could not have had a core for is blocked, in input and output, a lock or a sleep: at least so much, as
// waits of MPI and OpenMP may have slept, too, and are not blocked twice. It is known up to the moment when the kernel
// was last asked for the thread's CPU time.
//
// The efficiencies are those of the POP project (Performance Optimisation and Productivity, a centre of excellence in
// HPC; "POP Standard Metrics for Parallel Performance Analysis", and M. Wagner, S. Mohr, J. Gimenez, J. Labarta: "A
// Structured Approach to Performance Analysis", Tools for High Performance Computing 2017), in the multiplicative form
// for processes with threads:
//   load balance              average over maximum of the ranks' times outside of MPI
//   communication efficiency  maximum of the ranks' times outside of MPI over the run time
//   OpenMP efficiency         what the first threads and OpenMP's workers worked, over their lives outside of MPI; of
//   processes that have workers
// Parallel efficiency is the product of all. The time outside of MPI is that of the rank's first thread, which
// communicates as a rule; the run time is that of the rank whose first thread was longest, without MPI_Init and
// MPI_Finalize, paused recording, hooks and waits for a core. All of them end where the ranks' profiles are merged in
// MPI_Finalize, which is where most profiles end (FileHeader::until_collation): what a rank does after that would be
// compared with nothing. A worker of OpenMP counts for as long as it lived, less that part of its life for which the
// first thread was in MPI.
#pragma once

#include "analysis/rank_stat.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace vftr::analysis {

enum class Activity : std::uint8_t {
    Computation,
    PointToPoint,    // and what completes non-blocking calls of all kinds
    Collective,      // communication
    Synchronisation, // the barriers that mpi.show_sync_time adds before collective calls
    OneSided,
    MpiFiles,
    MpiBeginEnd, // MPI_Init, MPI_Finalize and the like
    OtherMpi,
    OpenMpWait, // at barriers, locks, for tasks
    OpenMpIdle, // workers outside of parallel regions
    Blocked,
    Overhead,
    NoCore,
    Paused, // by vftrace_pause, MPI_Pcontrol
};
inline constexpr std::size_t ActivityCount = 14;

constexpr bool is_mpi(Activity activity) {
    return activity >= Activity::PointToPoint && activity <= Activity::OtherMpi;
}

// Times are nanoseconds.
struct Breakdown {
    std::array<RankStat, ActivityCount> times; // of all threads of a rank
    RankStat outside_mpi;                      // of the first thread of a rank
    std::uint64_t longest =
        0;                  // of the ranks: outside of MPI, and in MPI but for its begin and end, of the first thread
    std::uint64_t team = 0; // of the first thread and OpenMP's workers the lives outside of MPI, sum over the processes
                            // that have workers
    std::uint64_t worked = 0; // by these outside of MPI and of waits, likewise

    const RankStat& of(Activity activity) const { return times[static_cast<std::size_t>(activity)]; }
    // Of one rank.
    void add(Activity activity, std::uint64_t ns) {
        RankStat& time = times[static_cast<std::size_t>(activity)];
        time = of_one_rank(time.sum + ns, time.min_rank);
    }
    std::uint64_t sum() const {
        std::uint64_t all = 0;
        for (const RankStat& time : times)
            all += time.sum;
        return all;
    }
    // From 0 to 1; 1 where there is nothing to be compared. ranks: that the profile covers.
    double load_balance(std::uint32_t ranks) const { return ratio(outside_mpi.sum, outside_mpi.max, ranks); }
    double communication_efficiency() const { return ratio(outside_mpi.max, longest); }
    double openmp_efficiency() const { return ratio(worked, team); }

    static double ratio(std::uint64_t part, std::uint64_t whole, std::uint32_t times = 1) {
        const double all = static_cast<double>(whole) * times;
        return all > 0 && static_cast<double>(part) < all ? static_cast<double>(part) / all : 1;
    }
};

} // namespace vftr::analysis
