// SPDX-License-Identifier: BSD-3-Clause
//
// Paths whose own time is no work of the program: an OpenMP runtime's idle threads, its barriers and other waits, and
// the time in vftrace_pause. Waits within functions of MPI are those functions' time.
#pragma once

#include "analysis/profile.hpp"

#include <cstdint>

namespace vftr::analysis {

inline constexpr const char* IdleName =
    "omp idle"; // the path below the root of threads that wait for their next region

bool is_waiting(const Profile& profile, std::uint32_t node);

// Nanoseconds over all ranks and threads: what is left of Summary::runtime_sum without the time in such paths.
std::uint64_t time_of_program(const Profile& profile);

} // namespace vftr::analysis
