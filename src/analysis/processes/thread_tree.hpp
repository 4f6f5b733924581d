// SPDX-License-Identifier: BSD-3-Clause
//
// The tree of a recording's threads: each thread is below the one that created it.
//
// Many threads may have used one record one after the other. So the creator of a thread is the thread that used the
// record that its origin names at the moment of creation. A recording of very many threads may lack the lives of some;
// a thread that one of those created is placed below the previous user of the same record.
#pragma once

#include "vfd/image.hpp"

#include <cstddef>
#include <vector>

namespace vftr::analysis {

struct ThreadInTree {
    std::size_t place;    // index into Image::threads(): the record that the thread used
    vfd::ThreadLife life; // `end` of a running thread is the latest moment known
    bool latest;          // whether it is the latest thread that used the record
    unsigned depth;       // 0 for threads whose creator is not known, or not recorded
};

// Depth first; the threads that one thread created are in the order of their begins. Each thread appears once, even in
// a damaged file.
std::vector<ThreadInTree> thread_tree(const vfd::Image& image);

} // namespace vftr::analysis
