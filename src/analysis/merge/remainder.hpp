// SPDX-License-Identifier: BSD-3-Clause
//
// What a rank has recorded after its profile was collated: its remainder. Programs call functions after MPI_Finalize,
// at least the destructors of static objects and the handlers of atexit.
//
// Why a difference of profiles: the profile that was collated is part of a sum over ranks, out of which it cannot be
// taken any more. So the recording keeps it (FlagCollated), and who reads the recording after the rank's end takes it
// away from the whole. Call paths are compared by their names, as in every merge. Where the names were found in another
// way this time (the program's file is not there), the difference would count the same calls twice, and there is no
// remainder then.
//
// What is not in it: messages, as MPI has ended; single threads, the parallel regions of OpenMP and the durations of
// single calls, which end at the collation. In a profile to which a remainder was added, the smallest value of a rank
// may be that up to the collation.
#pragma once

#include "analysis/profile/profile.hpp"
#include "vfd/image.hpp"

#include <cstdint>
#include <optional>

namespace vftr::analysis {

// Takes `collated` away from `now`, the later profile of the same rank. Sums are those of the remainder; the largest
// values, and the times of the slowest rank, those of the rank. nullopt: `now` lacks a call path of `collated`.
std::optional<Profile> remainder(Profile now, const Profile& collated);
// The remainder of a recording; nullopt: its rank was not collated, or as above. Throws vfd::Error.
std::optional<Profile> remainder_of(const vfd::Image& image);

// Adds the merged remainders of ranks that `all` covers, which are then in Profile::whole_ranks.
void add_remainders(Profile& all, const Profile& remainders);

// Whether the job's profile lacks a remainder of that rank, if there is one.
bool may_lack_remainder(const Profile& job, std::int32_t rank);

} // namespace vftr::analysis
