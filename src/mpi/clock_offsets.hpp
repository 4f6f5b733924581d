// SPDX-License-Identifier: BSD-3-Clause
//
// Measures how far rank 0's CLOCK_MONOTONIC is ahead of the clock of each other rank. This file knows nothing of MPI.
//
// A rank asks its parent in a binomial tree for the time, several times, and keeps the answer that came back fastest.
// The parent read its clock somewhere between question and answer, so the middle of these two moments is wrong by at
// most half of the round trip (F. Cristian, "Probabilistic clock synchronization", Distributed Computing 3, 1989). The
// parent's own offset and error are added. A rank asks before it answers. It answers its children one after the other
// and begins with the child that has the most ranks behind it. The last rank knows its offset after O(log P) exchanges.
#pragma once

#include "mpi/deadline.hpp"
#include "vfd/format.hpp"

#include <cstdint>
#include <optional>
#include <span>

namespace vftr::mpi {

// One question and its answer, in nanoseconds; `answer` is a time of the other rank's clock.
struct RoundTrip {
    std::uint64_t asked, answer, came;
};

// The offset from the fastest of the round trips. error_ns is at least 1, because 0 means "not measured".
vfd::ClockOffset fastest(std::span<const RoundTrip> trips);
// The sum of the offset to the parent, measured now, and the parent's own offset.
vfd::ClockOffset add(const vfd::ClockOffset& to_parent, const vfd::ClockOffset& of_parent);

// What the ranks exchange.
struct ClockLetter {
    std::uint64_t now;       // set in an answer
    vfd::ClockOffset offset; // set in the last answer: the sender's own offset; all zero if it has none
};

class ClockLink {
public:
    virtual ~ClockLink() = default;
    virtual int rank() const = 0;
    virtual int size() const = 0;
    virtual std::uint64_t now() = 0; // ns
    // False or nullopt: the message did not go or come by the deadline.
    virtual bool send(int to, const ClockLetter& letter) = 0;
    virtual std::optional<ClockLetter> receive(int from) = 0;
};

// Returns this rank's offset to rank 0. All ranks must call it. error_ns is 0 if a rank did not answer; rank 0 has
// offset 0 and no error.
vfd::ClockOffset measure_offset(ClockLink& link);

} // namespace vftr::mpi
