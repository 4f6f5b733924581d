// SPDX-License-Identifier: BSD-3-Clause
//
// The reduction tree of the collation, without a word of MPI: who waits for whom, how long, and
// what is missing at the end.
//
// A binomial tree: in step k a rank whose bit k is set sends what it has to the rank without that
// bit and is done. Rank r+2^k stands for the ranks r+2^k … r+2^(k+1)−1; if it does not come, all of
// these are missing. A rank waits in step k until (k+1) times the timeout after its start: one who
// waits in step k may be waited for in step k+1, and has to have given up on its own partner by
// then.
#pragma once

#include "analysis/profile.hpp"

#include <chrono>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace vftr::mpi {

using Clock = std::chrono::steady_clock;

// Messages between ranks. Both calls return at `deadline` at the latest.
class Link {
public:
    virtual ~Link() = default;
    virtual int rank() const = 0;
    virtual int size() const = 0;
    // False: not taken by then.
    virtual bool send(int to, std::span<const std::byte> bytes, Clock::time_point deadline) = 0;
    // nullopt: nothing, or not all of it, came by then.
    virtual std::optional<std::vector<std::byte>> receive(int from, Clock::time_point deadline) = 0;
};

struct Reduced {
    analysis::Profile profile; // on rank 0 all others merged; else empty
    bool sent = true;     // what this rank gathered, its own included, has gone to the next; rank 0
                          // sends nothing
    bool all_came = true; // nobody for whom this rank waits itself is missing
};

Reduced reduce(Link& link, const analysis::Profile& mine, double timeout_s);

} // namespace vftr::mpi
