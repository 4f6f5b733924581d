// SPDX-License-Identifier: BSD-3-Clause
//
// Filters and triggers of the process that is recorded: what the recorder asks (record::Settings), and what others say.
//
// Only functions are filtered. MPI calls, regions and OpenMP constructs stay: they are few, and what they tell is told
// nowhere else.
#pragma once

#include "config/config.hpp"
#include "record/recorder.hpp"
#include "vfd/metadata_note.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace vftr::filter {

// Before the first thread of the process begins, and again in a forked child, where what the program said to its parent
// holds on. store: the folder of symbols.
void begin(const config::Config& config, const std::string& store, record::Settings& settings);
// Whether the recording begins stopped.
bool begins_stopped();
// The rank is known for sure. The calling thread's guard is held.
void set_rank(std::int64_t rank);
// Whether functions are excluded, and filter.live_patching leaves their hook calls where they are.
bool keeps_hook_calls();
// What came so far of the expressions, and of the lists of ranks and threads. Allocates.
std::vector<vfd::ExpressionUse> expression_uses();

} // namespace vftr::filter
