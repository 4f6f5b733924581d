// SPDX-License-Identifier: BSD-3-Clause
//
// What a Profile knows of messages: totals per call path for the communication table, and the communication matrix.
//
// Why the matrix has two sizes. Up to ExactRanks ranks every pair of ranks that talked is kept. Beyond that a profile
// that is merged over a tree of thousands of ranks must not grow with their number, so each rank keeps what can be
// merged in constant memory: its heaviest pairs (a pair's total is known to the rank that sent, so the heaviest of all
// are among the heaviest of each), and what it sent and received in all, as statistics over ranks.
//
// A pair is counted by its sender; one-sided gets, of which the sender knows nothing, by the receiver, and apart: so
// each cell is known whole to one rank, and leaving light ones out early cannot lose a part of a heavy one.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace vftr::analysis {

// Messages one way. Sums; bytes of 2^64 are enough for a hundred thousand ranks that send 100 TB each.
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

// Of one call path, over all ranks and threads.
struct PathMessages {
    std::uint32_t node; // index into Profile::nodes
    MessageSum sent, received;
};

struct RankPair {
    std::uint32_t from, to; // rank of MPI_COMM_WORLD, with vfd::ForeignRank of another job's
    std::uint32_t node;     // index into Profile::nodes with mpi.matrix_per_callpath, else 0
    bool got = false;       // counted by the receiver
    auto operator<=>(const RankPair&) const = default;
};

struct MatrixCell {
    RankPair pair;
    MessageSum sum;
};

// Cells that were left out, together.
struct LighterPairs {
    std::uint64_t pairs = 0;
    MessageSum sum;
};

constexpr std::uint32_t ExactRanks = 64;   // ranks up to which all pairs are kept
constexpr std::size_t HeaviestPairs = 100; // that are kept beyond; by bytes, then messages, then the lower ranks

} // namespace vftr::analysis
