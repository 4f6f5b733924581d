// SPDX-License-Identifier: BSD-3-Clause
//
// The recording that programs started from this memory descend from: this process's own, or that of the process that
// forked it. A copy in plain memory: a forked child has no view of its parent's file.
#pragma once

#include "inherit/provenance.hpp"
#include "vfd/format.hpp"

namespace vftr::follow {

struct ParentRecording {
    inherit::Provenance recording; // generation: of the next program in the same process
    bool plain_names = false;      // its results have no pid in their names
    bool is_rank =
        false; // a launcher started it as a rank, and what it starts are ranks as well: the token is the job's
};
const ParentRecording& parent_recording();

// A recording begins; its header is complete.
// job_token: of the job that it is a rank of, nullptr where it is none.
void set_parent_recording(const vfd::FileHeader& header, bool plain_names, const char* job_token);

} // namespace vftr::follow
