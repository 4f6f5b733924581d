// SPDX-License-Identifier: BSD-3-Clause
//
// Tells the paths whose own time is no work of the program: idle threads of an OpenMP runtime, its barriers and other
// waits, and paused recording (vftrace_pause). Waits within MPI functions are not among these, but are time of the MPI
// function.
#pragma once

#include "analysis/profile/profile.hpp"

#include <cstdint>

namespace vftr::analysis {

// The path below the root in which workers wait for their next region.
inline constexpr const char* IdleName = "omp idle";

bool is_waiting(const Profile& profile, std::uint32_t node);

// Summary::runtime_sum without the time in such paths: nanoseconds over all ranks and threads.
std::uint64_t time_of_program(const Profile& profile);

} // namespace vftr::analysis
