// SPDX-License-Identifier: BSD-3-Clause
//
// The times of the head of the log.
//
// The tables are sums over all ranks, and the head tells the averages of the same sums: so what it says of a rank,
// times the number of ranks, is what the parts in the tables add up to, however differently the ranks lost time. To
// take the loss of the rank that lost most from all of them was considered, as the others wait for that rank: but they
// do so in MPI functions, whose times are in the tables, and head and tables then tell of two different runs. What that
// rank lost is a figure of its own.
//
// Within a rank the head tells by how much the rank ends later (lost_time.hpp), which is no sum over its threads.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <tuple>

namespace vftr::analysis {

// Times are nanoseconds.
struct RankTimes {
    std::uint64_t runtime = 0;
    std::uint64_t hook_overhead = 0, mpi_overhead = 0;
    // Work of the recorder at begin, at first calls and at the end (record/timing/one_time_work.hpp).
    std::uint64_t one_time_work = 0;
    // Waiting for a core; it is no part of any path's time (record/timing/off_cpu.hpp).
    std::uint64_t waiting = 0;
    // By how much hook_overhead may be wrong, with 95 % confidence: one error for all ranks, as they run the same code.
    std::uint64_t hook_uncertainty = 0;

    std::uint64_t overhead() const { return hook_overhead + mpi_overhead + one_time_work; }
    std::uint64_t lost() const { return overhead() + waiting; }
    std::uint64_t application() const { return runtime - std::min(runtime, lost()); }

    static const std::array<std::uint64_t RankTimes::*, 6> All;
    void add(const RankTimes& other);
    bool operator==(const RankTimes&) const = default;
};

inline constexpr std::array<std::uint64_t RankTimes::*, 6> RankTimes::All{
    &RankTimes::runtime,       &RankTimes::hook_overhead,    &RankTimes::mpi_overhead,
    &RankTimes::one_time_work, &RankTimes::hook_uncertainty, &RankTimes::waiting};

inline void RankTimes::add(const RankTimes& other) {
    for (const auto time : All)
        this->*time += other.*time;
}

struct HeadTimes {
    RankTimes sum;                 // over the ranks
    RankTimes slowest;             // of the rank that lost most time
    std::int32_t slowest_rank = 0; // the lowest one with that loss
    std::uint64_t longest = 0;     // the run time of the rank that ran longest

    HeadTimes() = default;
    HeadTimes(const RankTimes& rank, std::int32_t number)
        : sum(rank), slowest(rank), slowest_rank(number), longest(rank.runtime) {}

    // Adds other ranks. The order does not matter.
    void add_ranks(const HeadTimes& other) {
        sum.add(other.sum);
        longest = std::max(longest, other.longest);
        if (other.slowest.lost() > slowest.lost() ||
            (other.slowest.lost() == slowest.lost() && other.slowest_rank < slowest_rank)) {
            slowest = other.slowest;
            slowest_rank = other.slowest_rank;
        }
    }

    // Adds another process of the one rank that this is of: they run side by side, and the rank has lost what the one
    // has lost that lost most.
    void add_process(const HeadTimes& other) {
        const auto loss = [](const RankTimes& of) {
            return std::tuple(of.lost(), of.waiting, of.hook_overhead, of.mpi_overhead);
        };
        RankTimes both = loss(other.sum) > loss(sum) ? other.sum : sum;
        both.runtime = std::max(sum.runtime, other.sum.runtime);
        *this = HeadTimes(both, slowest_rank);
    }
    bool operator==(const HeadTimes&) const = default;
};

} // namespace vftr::analysis
