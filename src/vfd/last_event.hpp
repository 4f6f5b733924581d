// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "vfd/error.hpp"
#include "vfd/views.hpp"

#include <cstdint>

namespace vftr::vfd {

// Returns the ticks of the latest event in a thread's stream, or 0 if it has none. It reads only the last segment that
// holds events, however long the stream is, and does not need the call tree. The walk ends at an invalid record.
std::uint64_t last_event_ticks(const ThreadView& thread);

} // namespace vftr::vfd
