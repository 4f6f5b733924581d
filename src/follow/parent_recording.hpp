// SPDX-License-Identifier: BSD-3-Clause
//
// The recording that programs descend from which this process starts: its own, or that of the process that forked it.
// It is a copy in plain memory, since the parent's file is not mapped in a forked child.
#pragma once

#include "inherit/provenance.hpp"
#include "vfd/format.hpp"

namespace vftr::follow {

struct ParentRecording {
    inherit::Provenance recording; // its `generation` is that of the next program in the same process
    bool plain_names = false;      // the results have no pid in their names
    bool is_rank =
        false; // a launcher started the process as a rank; what it starts belongs to that rank's job, by its token
};
const ParentRecording& parent_recording();

// Called when a recording begins and its header is complete. job_token: the token of the job that this process is a
// rank of; nullptr if it is no rank.
void set_parent_recording(const vfd::FileHeader& header, bool plain_names, const char* job_token);

} // namespace vftr::follow
