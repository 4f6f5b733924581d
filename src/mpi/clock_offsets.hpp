// SPDX-License-Identifier: BSD-3-Clause
//
// How far rank 0's CLOCK_MONOTONIC is ahead of each other rank's, without a word of MPI.
//
// A rank asks its parent in a binomial tree for the time, some times over, and keeps the answer that came back fastest:
// the parent read its clock somewhere between question and answer, so the middle of these is wrong by half of the round
// trip at most (F. Cristian, "Probabilistic clock synchronization", Distributed Computing 3, 1989). The parent's own
// offset and error are added. A rank asks before it answers, and answers its children one after the other, those with
// the most ranks behind them first: O(log P) exchanges until the last one knows.
#pragma once

#include "mpi/deadline.hpp"
#include "vfd/format.hpp"

#include <cstdint>
#include <optional>
#include <span>

namespace vftr::mpi {

// One question and its answer; nanoseconds, `answer` on the other's clock.
struct RoundTrip {
    std::uint64_t asked, answer, came;
};

// From the fastest of them. error_ns is at least 1, for 0 means not measured.
vfd::ClockOffset fastest(std::span<const RoundTrip> trips);
// Of an offset to the parent, measured now, and the parent's own.
vfd::ClockOffset add(const vfd::ClockOffset& to_parent, const vfd::ClockOffset& of_parent);

// What the ranks exchange.
struct ClockLetter {
    std::uint64_t now;       // of an answer
    vfd::ClockOffset offset; // of the last answer: the sender's own; all zero: it has none
};

class ClockLink {
public:
    virtual ~ClockLink() = default;
    virtual int rank() const = 0;
    virtual int size() const = 0;
    virtual std::uint64_t now() = 0; // ns
    // False, nullopt: not by the deadline.
    virtual bool send(int to, const ClockLetter& letter) = 0;
    virtual std::optional<ClockLetter> receive(int from) = 0;
};

// This rank's offset to rank 0. All ranks call it. error_ns 0: a rank did not answer; rank 0 has offset 0 and no error.
vfd::ClockOffset measure_offset(ClockLink& link);

} // namespace vftr::mpi
