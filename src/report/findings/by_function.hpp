// SPDX-License-Identifier: BSD-3-Clause
//
// Sums over the call paths of each function that is work of the program: neither a function of MPI nor a wait.
#pragma once

#include "analysis/profile/profile.hpp"

#include <cstdint>
#include <vector>

namespace vftr::report {

struct FunctionSum {
    std::uint64_t exclusive = 0, overhead = 0, calls = 0; // ns, ns
    std::uint32_t paths = 0;
    std::uint32_t heaviest = 0; // the path with most exclusive time, the first of several
    analysis::Uncertainty uncertainty;
};

// Whether the own time of the path is work of the program.
bool is_work(const analysis::Profile& profile, std::uint32_t node);

// Whether it is MPI_Init, MPI_Finalize or the like, whose time is up to the machine.
bool begins_or_ends_mpi(const analysis::Profile& profile, std::uint32_t node);

// In the order of Profile::names, only functions that have a path.
std::vector<FunctionSum> by_function(const analysis::Profile& profile);

} // namespace vftr::report
