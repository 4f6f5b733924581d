// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "vfd/image.hpp"

#include <cstdint>

namespace vftr::vfd {

// Ticks of the latest event in a thread's stream; 0: it has none. Looks at the last segment that holds any, however
// long the stream is, and needs no call tree for it. What makes no sense ends the walk.
std::uint64_t last_event_ticks(const ThreadView& thread);

} // namespace vftr::vfd
