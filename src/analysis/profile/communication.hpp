// SPDX-License-Identifier: BSD-3-Clause
//
// What a Profile knows of messages: totals per call path for the communication table, and the communication matrix.
//
// Why the matrix has two sizes. Up to ExactRanks ranks, every pair of ranks that communicated is kept. Beyond that a
// profile that is merged over a tree of thousands of ranks must not grow with their number, so each rank keeps what can
// be merged in constant memory: its heaviest pairs (a pair's total is known to the rank that sent, so the heaviest of
// all are among the heaviest of each), and its totals sent and received, as statistics over ranks.
//
// A pair is counted by its sender. One-sided gets, which the sender does not notice, are counted by the receiver in
// separate cells. So one rank knows each cell completely, and dropping light cells early cannot lose a part of a heavy
// one.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace vftr::analysis {

// Sums over messages in one direction. 64 bits are enough for the bytes of a hundred thousand ranks that send 100 TB
// each.
struct MessageSum {
    std::uint64_t messages = 0, bytes = 0;
    std::uint64_t ns = 0; // from begin to end of each message, added up
    void add(const MessageSum& other) {
        messages += other.messages;
        bytes += other.bytes;
        ns += other.ns;
    }
    bool operator==(const MessageSum&) const = default;
};

// The messages of one call path, over all ranks and threads.
struct PathMessages {
    std::uint32_t node; // index into Profile::nodes
    MessageSum sent, received;
};

struct RankPair {
    std::uint32_t from, to; // rank of MPI_COMM_WORLD; vfd::ForeignRank is set for a rank of another job
    std::uint32_t node;     // index into Profile::nodes with mpi.matrix_per_callpath, else 0
    bool got = false;       // a one-sided get, counted by the receiver
    auto operator<=>(const RankPair&) const = default;
};

struct MatrixCell {
    RankPair pair;
    MessageSum sum;
};

// The sum of the cells that were dropped.
struct LighterPairs {
    std::uint64_t pairs = 0;
    MessageSum sum;
};

constexpr std::uint32_t ExactRanks = 64; // ranks up to which all pairs are kept
// How many pairs are kept in larger jobs: those with most bytes, then most messages, then the lower ranks.
constexpr std::size_t HeaviestPairs = 100;

} // namespace vftr::analysis
