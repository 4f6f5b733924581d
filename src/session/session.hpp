// SPDX-License-Identifier: BSD-3-Clause
//
// The life of a recording (before main → running → finalized) and what happens at each step.
#pragma once

#include "analysis/merge/numbering.hpp"
#include "analysis/profile/profile.hpp"
#include "config/config.hpp"
#include "vfd/format.hpp"

#include <cstdint>

namespace vftr::session {

// Begins the recording of this process if that is due (record/observers.hpp). Returns whether the calling thread may
// record now.
bool begin_if_due();

// True while events are recorded (paused counts as running).
bool running();
const config::Config& configuration(); // only while running or after

// Called when MPI has told the rank of this process: writes rank and size into the file and renames it to
// <basename>_<rank>.vfd. Only the first call counts.
void set_rank(std::int32_t rank, std::int32_t size);

// Notes how far rank 0's clock is ahead: index 0 after MPI_Init, 1 in MPI_Finalize.
void set_clock_offset(int index, const vfd::ClockOffset& offset);

// Called when the process has come to MPI_Finalize: writes that into its file, which rank 0 may have to read.
void enter_finalize();

// The profile of this process up to now, for the collation. Never throws; returns an empty profile on failure.
analysis::Profile snapshot_profile();

// Takes the result of the collation. Rank 0 passes the merged profile of ranks 1…P−1 (without its own). The session
// adds what it can read from the files of ranks that are missing there (for at most 10 s, or mpi.collate_timeout if
// that is less), and writes the logs: now, and again at exit with its own part brought up to date. The other ranks pass
// an empty profile. complete: on rank 0, no rank is missing; on others, the own profile is on its way to rank 0. If it
// is false, or if collated() is never called in a job of several ranks, the process keeps its file. numbering: the
// STIDs that the paths of this rank (on rank 0, of all ranks) have in the job's logs; empty if they are not known.
void collated(analysis::Profile others, bool complete, analysis::Numbering numbering);

// Whether this process is one of several ranks and writes a log of its own.
bool writes_rank_log();

// Stop, resume and flush the recording (MPI_Pcontrol levels 0, 1 and 2).
void pause();
void resume();
void flush();

} // namespace vftr::session
