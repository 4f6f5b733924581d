// SPDX-License-Identifier: BSD-3-Clause
//
// The reduction tree of the collation: which rank waits for which, for how long, and what is missing at the end. This
// file knows nothing of MPI.
//
// It is a binomial tree: in step k a rank whose bit k is set sends its profile to the rank without that bit and is
// done. Rank r+2^k represents the ranks r+2^k … r+2^(k+1)−1; if it does not come, all of these are missing. The steps
// share the time evenly, and a rank waits in step k until the end of that step's share: a rank that waits in step k may
// be waited for in step k+1, and must have given up on its own partner by then. The ranks begin at about the same time,
// namely when they have found out that all have come.
//
// On the way back each rank that wants STIDs, or represents a rank that does, gets the STIDs of the paths that it has
// sent from the rank that it has sent them to. It passes on the partners' STIDs, first to those that represent the most
// ranks.
//
// Memory: a rank gives away its own profile, a partner's profile is merged into it and dropped, and while the result is
// sent only its bytes are kept.
#pragma once

#include "analysis/profile/profile.hpp"
#include "mpi/deadline.hpp"
#include "mpi/stids.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace vftr::mpi {

// Sends and receives messages between ranks. Both calls return at `deadline` at the latest.
class Link {
public:
    virtual ~Link() = default;
    virtual int rank() const = 0;
    virtual int size() const = 0;
    // Returns false if the message was not taken by the deadline.
    virtual bool send(int to, std::vector<std::byte> bytes, Clock::time_point deadline) = 0;
    // Returns nullopt if no message, or not all of it, came by the deadline.
    virtual std::optional<std::vector<std::byte>> receive(int from, Clock::time_point deadline) = 0;
};

struct Reduced {
    analysis::Profile profile; // on rank 0 the merged profiles of all ranks; else empty
    bool sent = true;          // what this rank gathered, its own included, has gone to the next; rank 0
                               // sends nothing
    bool all_came = true;      // no rank that this rank itself waited for is missing
    bool wants_stids = false;  // this rank, or one that it represents, wants STIDs; rank 0 needs none for itself
    std::size_t own_paths = 0; // the first so many paths of the gathered profile are this rank's own
    std::vector<MergedRank>
        parts; // the other parts of that profile, in the order of the steps; only those that want STIDs
};

// `seconds`: the time for all steps together, from `begin` on, which is about the same moment on all ranks.
Reduced reduce(Link& link, analysis::Profile mine, double seconds, Clock::time_point begin = Clock::now(),
               bool wants_stids = false);

// Hands the STIDs back; to be called if reduced.wants_stids. On rank 0, `stids` are those of the paths of
// reduced.profile. Returns the STIDs of this rank's own paths, empty if none have come by the deadline. `quiet` becomes
// false if a message is still under way.
Stids hand_back(Link& link, const Reduced& reduced, Stids stids, Clock::time_point deadline, bool& quiet);

} // namespace vftr::mpi
