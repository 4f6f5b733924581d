// SPDX-License-Identifier: BSD-3-Clause
//
// The tree of a recording's threads: each below the one that created it.
//
// A record may have been used by many threads one after the other, so the record that an origin names is not enough:
// its creator is who used that record at that moment. A recording of very many threads may lack the lives of some: who
// is created by such a one stands below the one before it.
#pragma once

#include "vfd/image.hpp"

#include <cstddef>
#include <vector>

namespace vftr::analysis {

struct ThreadInTree {
    std::size_t place;    // in Image::threads(): the record that it used
    vfd::ThreadLife life; // end: of one that lives the latest moment known
    bool latest;          // of those that used the record
    unsigned depth;       // below threads whose creator is not known, or not recorded: 0
};

// Depth first; those of one creator in the order of their begins. Each thread once, whatever a damaged file says.
std::vector<ThreadInTree> thread_tree(const vfd::Image& image);

} // namespace vftr::analysis
