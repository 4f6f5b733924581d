// SPDX-License-Identifier: BSD-3-Clause
//
// The reduction tree of the collation, without a word of MPI: who waits for whom, how long, and
// what is missing at the end.
//
// A binomial tree: in step k a rank whose bit k is set sends what it has to the rank without that
// bit and is done. Rank r+2^k stands for the ranks r+2^k … r+2^(k+1)−1; if it does not come, all of
// these are missing. The steps share the time evenly, and a rank waits in step k until the end of that step's share:
// one who waits in step k may be waited for in step k+1, and has to have given up on its own partner by then. Ranks
// begin at about the same time, when they have found out that all have come.
//
// On the way back each rank that wants STIDs, or stands for one that does, gets those of the paths that it has sent
// from the rank that it has sent them to, and passes on what concerns its partners, those with the most ranks behind
// them first.
//
// Memory: a rank's own profile is given away to it, a partner's is merged into it and dropped, and what is sent is all
// that is left while it is sent.
#pragma once

#include "analysis/profile/profile.hpp"
#include "mpi/deadline.hpp"
#include "mpi/stids.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace vftr::mpi {

// Messages between ranks. Both calls return at `deadline` at the latest.
class Link {
public:
    virtual ~Link() = default;
    virtual int rank() const = 0;
    virtual int size() const = 0;
    // False: not taken by then.
    virtual bool send(int to, std::vector<std::byte> bytes, Clock::time_point deadline) = 0;
    // nullopt: nothing, or not all of it, came by then.
    virtual std::optional<std::vector<std::byte>> receive(int from, Clock::time_point deadline) = 0;
};

struct Reduced {
    analysis::Profile profile; // on rank 0 all others merged; else empty
    bool sent = true;          // what this rank gathered, its own included, has gone to the next; rank 0
                               // sends nothing
    bool all_came = true;      // nobody for whom this rank waits itself is missing
    bool wants_stids = false;  // this rank, or one that it stands for; rank 0 alone needs none
    std::size_t own_paths = 0; // of the profile that this rank stands for these are the first
    std::vector<Part> parts;   // of that profile, in the order of the steps; only those that want STIDs
};

// `seconds`: for all steps together, from `begin` on, which is about the same moment on all ranks.
Reduced reduce(Link& link, analysis::Profile mine, double seconds, Clock::time_point begin = Clock::now(),
               bool wants_stids = false);

// The way back, where reduced.wants_stids. `stids`: on rank 0, of the paths of reduced.profile.
// Returns those of this rank's own paths, empty where none have come by the deadline. `quiet` becomes false where a
// message is still under way.
Stids hand_back(Link& link, const Reduced& reduced, Stids stids, Clock::time_point deadline, bool& quiet);

} // namespace vftr::mpi
