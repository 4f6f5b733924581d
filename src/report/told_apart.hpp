// SPDX-License-Identifier: BSD-3-Clause
//
// Finds the functions by which call paths that look alike are told apart. Of the places on the paths the one with the
// most different functions is taken, the nearest of several; paths that still have the same function there are told
// apart by a further place.
#pragma once

#include "analysis/profile/profile.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace vftr::report {

struct AlikePath {
    std::vector<std::uint32_t> nodes;   // of the path, or of the part of it that is looked at, from the inside outwards
    std::vector<std::size_t> kept = {}; // places in `nodes`, from the inside outwards
};

// Fills in `kept` of each path, with `most` places at most. Paths that have the same functions stay alike.
void tell_apart(const analysis::Profile& profile, const std::vector<AlikePath*>& alike, std::size_t most);

} // namespace vftr::report
