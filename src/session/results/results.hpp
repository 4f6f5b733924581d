// SPDX-License-Identifier: BSD-3-Clause
//
// Makes from a recording what a run leaves behind: symbols in the store, the profile and the logs. This is done at
// MPI_Finalize, when rank 0 has the other ranks' profiles, and at the end of the process.
#pragma once

#include "analysis/profile/profile.hpp"
#include "session/lifecycle/state.hpp"
#include "vfd/image.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace vftr::session {

// The recording as it is in memory. Other threads may still record. The caller holds a Writer::Reading for as long as
// it uses the image.
vfd::Image live_image();
// Adds a segment of these bytes to the recording. Returns false if the recording cannot grow.
bool add_segment(vfd::SegmentKind kind, const std::vector<std::byte>& bytes);
// The number of calls that this process has recorded.
std::uint64_t recorded_calls();
// The profile of what this process has recorded up to now.
analysis::Profile live_profile();
// Writes the totals that are counted elsewhere, to the header and to the metadata notes.
void update_totals();

// Whether the recording's file is kept when the process ends normally.
bool recording_is_kept(const Session& s);
// Writes the names of all functions to the symbol store beside the recording, so that readers of the recording need no
// executable any more. A recording that rank 0 is going to remove gets them itself.
void store_symbols(const Session& s);

// Whether this process writes a log of its own data alone.
bool writes_own_log(const Session& s);
// Moves aside the logs of the previous run that this run is going to replace (previous_log.hpp). Called when the
// recording begins, and again when the rank is known.
void set_previous_logs_aside(const Session& s);
// Writes the logs and the merged profile. ended: the process ends, and has gone on since the other ranks' profiles were
// collated. Returns false if a result could not be written (a full disk, for example), so that only the recording has
// the data of this process.
bool write_results(Session& s, bool ended);
// Gives the recording its final name in the output directory. Returns false if it stays where it is; a warning has said
// why.
bool keep_recording(Session& s, const std::string& name);
// Writes all that is left to write at the end of the process.
void write_last_results(Session& s);
// Decides about the recording's file at the end: it is kept as <basename>_<rank>.vfd if it has a timeline or data that
// rank 0 may not have, or if no other result has its data (`told` is false); otherwise it is removed.
void settle_file(Session& s, bool told);

} // namespace vftr::session
