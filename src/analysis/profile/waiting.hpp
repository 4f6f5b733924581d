// SPDX-License-Identifier: BSD-3-Clause
//
// Tells the paths whose own time is no work of the program: idle threads of an OpenMP runtime, its barriers and other
// waits, and paused recording (vftrace_pause). Waits within MPI functions are not among these, but are time of the MPI
// function.
#pragma once

#include "analysis/profile/profile.hpp"

#include <cstdint>
#include <string>

namespace vftr::analysis {

// The path below the root in which workers wait for their next region.
inline constexpr const char* IdleName = "omp idle";

// Whether a construct of OpenMP, by its name in a profile such as "omp barrier solve:42", is a wait.
bool is_wait_of_openmp(const std::string& name);

// Here, as it is asked for each path, and nearly always answered by the kind.
inline bool is_waiting(const Profile& profile, std::uint32_t node) {
    const PathNode& path = profile.nodes[node];
    return path.kind == NodeKind::Pause ||
           (path.kind == NodeKind::OpenMp && is_wait_of_openmp(profile.names[path.name]));
}

// Summary::runtime_sum without the time in such paths: nanoseconds over all ranks and threads.
std::uint64_t time_of_program(const Profile& profile);

} // namespace vftr::analysis
