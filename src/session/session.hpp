// SPDX-License-Identifier: BSD-3-Clause
//
// The life of a recording: before main → running → finalized, and what happens at each step.
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

// MPI tells us who we are: fills rank and size into the file and renames it to <basename>_<rank>.vfd. Once.
void set_rank(std::int32_t rank, std::int32_t size);

// How far rank 0's clock is ahead: index 0 after MPI_Init, 1 in MPI_Finalize.
void set_clock_offset(int index, const vfd::ClockOffset& offset);

// The process has come to MPI_Finalize: says so in its file, which rank 0 may have to read.
void enter_finalize();

// The profile of this process up to now. For the collation; throws nothing, an empty profile on trouble.
analysis::Profile snapshot_profile();

// Rank 0 gets the merged profile of ranks 1…P−1 (without its own), adds what it can read from the files of those that
// are missing there (at most 10 s, or mpi.collate_timeout), and writes the logs from it: now, and again at exit with
// its own part brought up to date. On other ranks call it with an empty profile. complete: on rank 0 that no rank is
// missing, on others that the own profile is on its way to rank 0; where it is false or where collated() is never
// called in a job of several ranks, the process keeps its file. numbering: the STIDs that paths of this rank, on rank 0
// of all, have in the job's logs; empty where they are not known.
void collated(analysis::Profile others, bool complete, analysis::Numbering numbering);

// Whether this process writes a log of itself alone, as one rank of several.
bool writes_rank_log();

// Stops, resumes, flushes (MPI_Pcontrol levels 0, 1, 2).
void pause();
void resume();
void flush();

} // namespace vftr::session
