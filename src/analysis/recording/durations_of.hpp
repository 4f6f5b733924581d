// SPDX-License-Identifier: BSD-3-Clause
//
// How long the single calls of one process's recording took (vfd::CallDurations). Its classes are of ticks and those of
// a profile of nanoseconds, so the calls of a class are taken to have lasted as long as its middle: durations of a
// profile are known within 20 %.
#pragma once

#include "analysis/profile/profile.hpp"
#include "vfd/image.hpp"

#include <cstdint>
#include <functional>

namespace vftr::analysis {

// Fills Profile::durations. place(thread, node) tells the path of a node, or vfd::NoNode.
void fill_durations(Profile& profile, const vfd::Image& image,
                    const std::function<std::uint32_t(std::uint32_t, std::uint32_t)>& place);

} // namespace vftr::analysis
