// SPDX-License-Identifier: BSD-3-Clause
//
// From a recording to what a run leaves behind: symbols into the store, the profile, the logs. At MPI_Finalize (rank 0
// has the other ranks' profiles then) and at the end of the process.
#pragma once

#include "analysis/profile/profile.hpp"
#include "session/lifecycle/state.hpp"
#include "vfd/image.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace vftr::session {

// The recording as it is in memory. Other threads may still record. The caller holds a Writer::Reading as long as the
// image.
vfd::Image live_image();
// Adds a segment of name records to it. False: it cannot grow.
bool add_names(const std::vector<std::byte>& names);
// What this process has recorded up to now.
analysis::Profile live_profile();
// Into the header: what is counted outside of it.
void update_totals();

// Whether its file stays at a clean end.
bool recording_is_kept(const Session& s);
// Names of all functions into the symbol store beside the recording, so that it needs no executable any more.
void store_symbols(const Session& s);

// Whether this process writes a log of itself alone.
bool writes_own_log(const Session& s);
// Those of the run before that this run is going to replace (previous_log.hpp): when it begins, and again when a rank
// is known.
void set_previous_logs_aside(const Session& s);
// Logs and merged profile. ended: this process has gone on since the other ranks' profiles were collated. False: the
// recording alone tells what this process did (a full disk).
bool write_results(Session& s, bool ended);
// The recording under the name that it has for good, in the output directory.
// False: it stays where it is, and a warning has said why.
bool keep_recording(Session& s, const std::string& name);
// All that is left to write at the end of the process.
void write_last_results(Session& s);
// The end of the file: kept as <basename>_<rank>.vfd where it holds a timeline or what rank 0 may not have, or where
// nothing else has been told of it; else gone.
void settle_file(Session& s, bool told);

} // namespace vftr::session
