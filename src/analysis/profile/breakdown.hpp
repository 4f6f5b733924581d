// SPDX-License-Identifier: BSD-3-Clause
//
// Where the time of a job went: the time of all recorded threads divided into activities, and the parallel efficiency.
//
// Each moment of a thread's life belongs to exactly one activity, so the activities of a rank add up to the lives of
// its threads plus the time after the clock was stopped (FileHeader::ending_ns). The times are the exclusive times of
// call paths without the cost of the hooks, which is an activity of its own. A wait for a core is part of no path's
// time (record/timing/off_cpu.hpp). All time that is not known to be something else is computation. The part of
// computation in which a thread had no CPU time, and was not waiting for a core, counts as Blocked (input and output, a
// lock or a sleep). This is a lower bound: waits of MPI and OpenMP may have slept, too, and that time is not counted
// again as Blocked. It covers the thread's life up to the last moment when the kernel was asked for the thread's CPU
// time.
//
// The efficiencies are those of the POP project (Performance Optimisation and Productivity, a centre of excellence in
// HPC; "POP Standard Metrics for Parallel Performance Analysis", and M. Wagner, S. Mohr, J. Gimenez, J. Labarta: "A
// Structured Approach to Performance Analysis", Tools for High Performance Computing 2017), in the multiplicative form
// for processes with threads:
//   load balance              average over maximum of the ranks' times outside of MPI
//   communication efficiency  maximum of the ranks' times outside of MPI over the run time
//   OpenMP efficiency         working time of the first threads and of OpenMP's workers over their lives outside of MPI
// Parallel efficiency is the product of all three. OpenMP efficiency includes only processes that have workers. The
// time outside of MPI is that of the rank's first thread, which communicates as a rule; the run time is that of the
// rank whose first thread was longest, without MPI_Init and MPI_Finalize, paused recording, hooks and waits for a core.
// All of them end where the ranks' profiles are merged in MPI_Finalize, which is where most profiles end
// (FileHeader::until_collation): there is nothing to compare with what a rank does after that. A worker of OpenMP
// counts for its whole life, less the part for which the first thread was in MPI.
#pragma once

#include "analysis/profile/rank_stat.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace vftr::analysis {

enum class Activity : std::uint8_t {
    Computation,
    PointToPoint,    // and calls that complete non-blocking calls of any kind
    Collective,      // collective communication
    Synchronisation, // the barriers that mpi.show_sync_time adds before collective calls
    OneSided,
    MpiFiles,
    MpiBeginEnd, // MPI_Init, MPI_Finalize and similar functions
    OtherMpi,
    OpenMpWait, // at barriers and locks, and for tasks
    OpenMpIdle, // workers outside of parallel regions
    Blocked,
    Overhead,
    NoCore,
    Paused, // recording paused by vftrace_pause or MPI_Pcontrol
};
inline constexpr std::size_t ActivityCount = 14;

constexpr bool is_mpi(Activity activity) {
    return activity >= Activity::PointToPoint && activity <= Activity::OtherMpi;
}

// Times are nanoseconds.
struct Breakdown {
    std::array<RankStat, ActivityCount> times; // of all threads of a rank
    RankStat outside_mpi;                      // of the first thread of a rank
    // The largest value over the ranks of the first thread's time outside of MPI plus its time in MPI, without MPI's
    // begin and end.
    std::uint64_t longest = 0;
    // Sum over the processes that have workers: the lives of the first thread and of OpenMP's workers outside of MPI.
    std::uint64_t team = 0;
    std::uint64_t worked = 0; // working time of the same threads, outside of MPI and waits

    const RankStat& of(Activity activity) const { return times[static_cast<std::size_t>(activity)]; }
    // Adds to the time of a breakdown that covers one rank.
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
    // From 0 to 1; 1 where there is nothing to compare. `ranks` is the number of ranks that the profile covers.
    double load_balance(std::uint32_t ranks) const { return ratio(outside_mpi.sum, outside_mpi.max, ranks); }
    double communication_efficiency() const { return ratio(outside_mpi.max, longest); }
    double openmp_efficiency() const { return ratio(worked, team); }

    static double ratio(std::uint64_t part, std::uint64_t whole, std::uint32_t times = 1) {
        const double all = static_cast<double>(whole) * times;
        return all > 0 && static_cast<double>(part) < all ? static_cast<double>(part) / all : 1;
    }
};

} // namespace vftr::analysis
