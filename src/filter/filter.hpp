// SPDX-License-Identifier: BSD-3-Clause
//
// Filters and triggers of the recorded process: the functions that the recorder calls (record::Settings), and those by
// which other rooms set up the filters and query them.
//
// Only functions are filtered. MPI calls, regions and OpenMP constructs are always recorded: they are few, and their
// information is found nowhere else.
#pragma once

#include "config/config.hpp"
#include "record/recorder.hpp"
#include "vfd/metadata_note.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace vftr::filter {

// Called before the first thread of the process begins to record, and again in a forked child, where the runtime
// overrides of its parent remain valid. store: the folder of the symbol store.
void begin(const config::Config& config, const std::string& store, record::Settings& settings);
// Whether the recording begins stopped.
bool begins_stopped();
// Called when the rank is known for certain, with the calling thread's guard held.
void set_rank(std::int64_t rank);
// Whether filters exclude functions whose hook calls stay in the machine code, since filter.live_patching is off.
bool keeps_hook_calls();
// How often the expressions, and the lists of ranks and threads, have applied so far. Allocates.
std::vector<vfd::ExpressionUse> expression_uses();

} // namespace vftr::filter
