// SPDX-License-Identifier: BSD-3-Clause
//
// Names and places of what a run leaves behind.
//
// A later run replaces the results of an earlier one, as users expect; the log it moves aside when it begins
// (previous_log.hpp). A run never replaces the results of one that was still going on when it began itself: then the
// process id becomes part of its names. It sees that by the end time in the merged profile that is there, and by the
// claim of a process that is writing its results just now.
//
// Ranks of an MPI job must agree: the first one decides when it comes to MPI_Init, for all of them (job_claim.hpp).
//
// The children of a recorded process (recording_origin.hpp) have the process id in their names too, the ranks of an MPI
// job below one what they have in common instead; ".1" and so on behind it where such results are there already. They
// never replace any.
#pragma once

#include "inherit/provenance.hpp"
#include "symbols/claimed_file.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace vftr::output {

struct Destination {
    std::string directory; // absolute
    std::string basename;

    std::string path(const std::string& name) const { return directory + "/" + name; }
};

// Where the executable is, or was before it was deleted.
std::string executable_path();
// Its file name, cut where the names made from it would be too long for a file.
std::string executable_name();

// A name that no other process takes as long as this lives. A process id does not tell processes apart: those of
// several containers that share a folder may have the same. Where files cannot be locked, nothing is claimed.
using NameClaim = std::optional<symbols::ClaimedFile>;

// The basename that this process may use for results: `basename`, or with "_<pid>", ".1" and so on behind that where it
// is another's. start_realtime_ns: when this process began. The claim is to be kept until the merged profile is there.
std::string claim_basename(const Destination& output, std::uint64_t start_realtime_ns, NameClaim& claim);
// The same for the log that `vftr run` writes, which counts as written when its file was changed last. The claim is to
// be kept until it is there.
std::string claim_log_basename(const Destination& output, std::uint64_t start_realtime_ns, NameClaim& claim);
// Whether the results that lie there under the basename are, if there are any, of a run that was over when this process
// began, which are its to replace; as far as it can be told without a claim.
bool would_be_replaced(const Destination& output, std::uint64_t start_realtime_ns);
// For a process whose job has this name (job_claim.hpp).
void claim_results(const Destination& output, const std::string& name, NameClaim& claim);
// Of a child of a recorded process: that of its working file, which no other process's has as long as it is there,
// "<basename>_<pid>" as a rule; more where there are results of that name. The claim is to be kept until the results
// are there.
std::string claim_child_basename(const Destination& output, const std::string& working_file, NameClaim& claim);

// The basename for the recording of a rank of which nobody knows which job it belongs to (job_claim.hpp): `basename`,
// or with "_<pid>" where another process is writing a file of that name.
std::string rank_basename(const Destination& output, std::int32_t rank, std::int32_t size);
// The same in an MPI job below a recorded process (or `vftr run`): all of its ranks find the same name. Results of the
// same tree of processes are not replaced.
std::string job_basename(const Destination& output, const inherit::Provenance& provenance, std::int32_t rank,
                         std::int32_t size);

} // namespace vftr::output
