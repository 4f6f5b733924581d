// SPDX-License-Identifier: BSD-3-Clause
//
// Which ranks of a job run which program (mpirun -n 2 ./solver : -n 1 ./reader).
#pragma once

#include "analysis/profile/rank_list.hpp"

#include <string>
#include <vector>

namespace vftr::analysis {

struct Application {
    std::string name; // symbols::executable_label
    RankList ranks;
    bool operator==(const Application&) const = default;
};

// Sorted by name, and each name once.
using Applications = std::vector<Application>;

// Adds those of other ranks.
void add(Applications& into, const Applications& other);

} // namespace vftr::analysis
