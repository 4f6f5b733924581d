// SPDX-License-Identifier: BSD-3-Clause
//
// Stack ids (STIDs) that several profiles have in common.
//
// canonicalise() numbers the paths of one profile. A rank has only some of its job's paths, so by itself it would
// number them otherwise than the job's profile does; and a path that comes later would shift the numbers behind it. So
// the numbers of one profile can be kept, and given to others: a path that is in both has the same number there, and
// all other paths come behind.
#pragma once

#include "analysis/profile.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace vftr::analysis {

// Call paths and their STIDs. Empty: nothing is numbered.
struct Numbering {
    struct Path {
        std::uint32_t parent; // index, smaller than the own; the root is index 0 and its own parent
        std::uint32_t name;   // index
    };
    std::vector<std::string> names;
    std::vector<Path> paths;
    std::vector<std::uint32_t> stids; // of the paths
    std::uint32_t first_free = 0;     // all STIDs that are given are smaller; 0: none is
};

// The paths of a profile, with the STIDs that they have there.
Numbering numbering_of(const Profile& profile);

// The STIDs of the paths of `profile`, in its order: those that `shared`, which is not empty, has, and for the others
// the next ones.
std::vector<std::uint32_t> stids_of(const Profile& profile, const Numbering& shared);

// canonicalise(), but paths that `shared` has get their STIDs from there, and the others the next ones in canonical
// order.
void canonicalise(Profile& profile, const Numbering& shared);

} // namespace vftr::analysis
