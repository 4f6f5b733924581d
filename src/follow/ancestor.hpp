// SPDX-License-Identifier: BSD-3-Clause
//
// The recording that programs started from this memory descend from: this process's own, or that of the process that forked it.
// A copy in plain memory: a forked child has no view of its parent's file.
#pragma once

#include "follow/lineage.hpp"
#include "vfd/format.hpp"

namespace vftr::follow {

struct Ancestor {
    Lineage recording;        // generation: of the next program in the same process
    bool plain_names = false; // its results have no pid in their names
};
const Ancestor& ancestor();

// A recording begins; its header is complete.
void set_ancestor(const vfd::FileHeader& header, bool plain_names);

} // namespace vftr::follow
