// SPDX-License-Identifier: BSD-3-Clause
//
// The way back of the collation: rank 0 has numbered the call paths of all ranks, and each rank that writes a log gets
// the STIDs of its paths.
//
// A rank gets no names, only the STIDs of the paths that it has sent, in its own order: the rank that has merged a
// profile into another one knows the index of each of its paths there.
#pragma once

#include "analysis/merge/numbering.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace vftr::mpi {

// The message: the first unused STID, then the STIDs of the receiver's paths. It is empty if nothing came.
using Stids = std::vector<std::uint32_t>;

// The profile of another rank, as part of the profile that it was merged into.
struct MergedRank {
    int rank;
    // For each path of the rank the index in the merged profile; empty if the rank wants no STIDs.
    std::vector<std::uint32_t> place;
};

// Selects from `whole`, the STIDs of the merged profile, those of the part.
Stids of_part(const Stids& whole, const MergedRank& part);

// On rank 0: number_job numbers the paths of the job, and stids_in finds the numbers of the paths of `others`.
analysis::Numbering number_job(analysis::Profile mine, const analysis::Profile& others);
Stids stids_in(const analysis::Numbering& job, const analysis::Profile& others);

// Returns `paths`, which this rank has sent, with the STIDs that came back; empty if these do not fit the paths.
analysis::Numbering numbered(analysis::Numbering paths, std::span<const std::uint32_t> stids);

} // namespace vftr::mpi
