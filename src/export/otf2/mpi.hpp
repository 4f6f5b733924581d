// SPDX-License-Identifier: BSD-3-Clause
//
// What the MPI functions are in the terms of OTF2, by their names. The table of the wrappers (mpi/functions.table) says
// which arguments they have; a recording says their names only.
#pragma once

#include <otf2/otf2.h>

#include <optional>
#include <string_view>

namespace vftr::exports {

struct Otf2MpiFunction {
    OTF2_RegionRole role = OTF2_REGION_ROLE_FUNCTION;
    std::optional<OTF2_CollectiveOp> collective; // the operation, if it moves data or synchronises
    bool rooted = false;                         // one member of the communicator has another part than the others
    bool starts = false;                         // what it begins ends in another call
    int windows = 0;                             // 1: it makes a window for one-sided transfers, -1: it frees one
};

// `name` is that of the C function.
Otf2MpiFunction otf2_mpi_function(std::string_view name);

} // namespace vftr::exports
