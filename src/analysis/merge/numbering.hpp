// SPDX-License-Identifier: BSD-3-Clause
//
// Stack ids (STIDs) that several profiles have in common.
//
// canonicalise() numbers the paths of one profile. A rank has only some of its job's paths, so its own numbers would
// differ from those of the job's profile, and a path that is added later would shift the numbers after it. So the
// numbering of one profile can be kept and applied to others: a path that is in both has the same number, and all other
// paths get the numbers after these.
#pragma once

#include "analysis/profile/profile.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace vftr::analysis {

// Call paths and their STIDs. Empty: nothing is numbered.
struct Numbering {
    struct Path {
        std::uint32_t parent; // index, smaller than that of this path; the root has index 0 and is its own parent
        std::uint32_t name;   // index into `names`
    };
    std::vector<std::string> names;
    std::vector<Path> paths;
    std::vector<std::uint32_t> stids; // by path
    std::uint32_t first_free = 0;     // larger than all STIDs in use; 0: none is in use
};

// The paths of a profile with their STIDs.
Numbering numbering_of(const Profile& profile);

// The STIDs for the paths of `profile`, in the order of its nodes: those of `shared`, which must not be empty, and the
// next free ones for paths that it lacks.
std::vector<std::uint32_t> stids_of(const Profile& profile, const Numbering& shared);

// Does what canonicalise() does, but paths that `shared` has get their STIDs from there, and the others get the next
// free ones in canonical order.
void canonicalise(Profile& profile, const Numbering& shared);

} // namespace vftr::analysis
