// SPDX-License-Identifier: BSD-3-Clause
//
// The wait states of a job from the timelines of its ranks: decodes all event streams side by side,
// in the order of time, and gives what they hold to WaitStates (wait_states.hpp).
#pragma once

#include "analysis/profile.hpp"
#include "analysis/wait_states.hpp"
#include "vfd/image.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace vftr::analysis {

struct Waits {
    std::vector<WaitSum> sums; // by path (index into Profile::nodes) and state
    std::uint64_t messages = 0, unmatched_messages = 0; // sends and receives
    std::uint64_t calls = 0, unmatched_calls = 0;       // of collective functions
    std::int64_t clock_error = 0;                       // ns
    bool clocks_known = true;
    std::uint64_t cut_streams = 0; // that could not be decoded to the end
};

// `all`: the canonical profile of these files; paths that it lacks are added behind the others.
// Throws vfd::Error, std::runtime_error where a rank has no timeline.
Waits waits_of(std::span<const vfd::Image> images, Profile& all);

} // namespace vftr::analysis
