// SPDX-License-Identifier: BSD-3-Clause
//
// Sums over the call paths of each function that is work of the program: neither a function of MPI nor a wait.
#pragma once

#include "analysis/profile/profile.hpp"
#include "analysis/profile/waiting.hpp"

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
inline bool is_work(const analysis::Profile& profile, std::uint32_t node) {
    using analysis::NodeKind;
    const NodeKind kind = profile.nodes[node].kind;
    // The region that mpi.show_sync_time adds below an MPI call.
    if (kind == NodeKind::Region && profile.nodes[profile.nodes[node].parent].kind == NodeKind::Mpi)
        return false;
    return node != 0 && kind != NodeKind::Mpi && kind != NodeKind::Overflow && !analysis::is_waiting(profile, node);
}

// Whether it is MPI_Init, MPI_Finalize or the like, whose time is up to the machine.
bool begins_or_ends_mpi(const analysis::Profile& profile, std::uint32_t node);

// In the order of Profile::names, only functions that have a path.
std::vector<FunctionSum> by_function(const analysis::Profile& profile);

} // namespace vftr::report
