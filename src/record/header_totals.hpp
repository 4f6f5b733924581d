// SPDX-License-Identifier: BSD-3-Clause
//
// What the header of a recording tells when the recording ends, or where it may be the last that is heard of it (before
// an exec, in a copy). The header may be a copy of the recorder's.
#pragma once

#include "vfd/format.hpp"

namespace vftr::record {

// The recording ends now.
void put_end(vfd::FileHeader& header);
// What is counted outside of the file: the memory that is there because of the recorder, calls of MPI, and samples that
// the kernel has taken, which go to the file.
void put_totals(vfd::FileHeader& header);

} // namespace vftr::record
