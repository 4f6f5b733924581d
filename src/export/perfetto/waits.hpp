// SPDX-License-Identifier: BSD-3-Clause
//
// The wait states of a thread as slices on a track of their own, beside the tracks of its process: what it waited in,
// and for which rank.
#pragma once

#include "analysis/timeline/wait_states.hpp"
#include "export/format.hpp"
#include "export/perfetto/ids.hpp"
#include "export/perfetto/sequence.hpp"
#include "export/sink.hpp"
#include "report/shown_names.hpp"

#include <cstdint>

namespace vftr::exports::perfetto {

// `process` is the track of the thread's process. Does nothing where the thread has not waited.
void write_waits(const Subject& subject, const analysis::RunThread& thread, const report::ShownNames& names,
                 std::uint64_t process, const Ids::OfThread& ids, const Start& start, Sink& sink);

} // namespace vftr::exports::perfetto
