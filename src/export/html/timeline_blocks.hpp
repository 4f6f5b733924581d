// SPDX-License-Identifier: BSD-3-Clause
//
// The timeline of a page: the events of all threads in blocks, so that memory does not grow with their number. An event
// is two numbers, which compress to three or four bytes: the ns since the event before it in the thread (of its first
// one: since the start of the run), and what happens then. Messages, collectives and wait states come after all calls
// (timeline_marks.hpp).
#pragma once

#include "analysis/timeline/run_timeline.hpp"
#include "analysis/timeline/wait_states.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace vftr::exports {

// What an event is, where it is not the row of a call path that is entered.
inline constexpr std::uint32_t EventLeave = 0xffffffff;   // the innermost call ends
inline constexpr std::uint32_t EventNothing = 0xfffffffe; // only time passes, as a number is too small for it

// Calls put() with each block: u32 index of the thread, u32 number of events, u32 ns of each, u32 what of each; all
// little-endian and, as a block has two times two numbers and pairs, a multiple of 8 bytes. `row_of` gives the row of a
// node of run.paths(). Calls that have not ended are not left. `waits` are Subject::waits.
void put_timeline(const analysis::RunTimeline& run, std::span<const analysis::Wait> waits,
                  std::span<const std::uint32_t> row_of, const std::function<void(std::string_view)>& put);

} // namespace vftr::exports
