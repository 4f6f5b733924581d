// SPDX-License-Identifier: BSD-3-Clause
//
// The way back of the collation: rank 0 has numbered the call paths of all ranks, and those that write logs get the
// numbers of theirs.
//
// A rank gets no names, only the STIDs of the paths that it has sent, in its own order: who has merged a profile into
// another knows where each of its paths is there.
#pragma once

#include "analysis/merge/numbering.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace vftr::mpi {

// What is sent: the first STID that no path has, and the STIDs of the receiver's paths. Empty: nothing came.
using Stids = std::vector<std::uint32_t>;

// A profile that another rank has sent.
struct Part {
    int rank;
    std::vector<std::uint32_t> place; // of its paths in what it was merged into; empty where it wants no STIDs
};

// Of `whole`, which is about the paths that a part was merged into, what concerns the part.
Stids of_part(const Stids& whole, const Part& part);

// On rank 0: the numbering of the job, and what the paths of `others` are in it.
analysis::Numbering number_job(analysis::Profile mine, const analysis::Profile& others);
Stids stids_in(const analysis::Numbering& job, const analysis::Profile& others);

// `paths`, which a rank has sent, with the STIDs that have come back; empty where these are not for it.
analysis::Numbering numbered(analysis::Numbering paths, std::span<const std::uint32_t> stids);

} // namespace vftr::mpi
