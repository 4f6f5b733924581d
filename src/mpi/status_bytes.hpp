// SPDX-License-Identifier: BSD-3-Clause
//
// How many bytes a status tells of. The MPI library's function for that takes as long as all else that is done for the
// end of a receive, and reads one number. Both families of MPI libraries have that number in the status, in members
// that mpi.h shows and that their authors may change. So they are read only after a trial: at the begin, the MPI
// library sets statuses, and what is read there has to be what was set. Otherwise the function is called.
#pragma once

#include "base/compiler.hpp"
#include "mpi/library.hpp"

#include <cstdint>

namespace vftr::mpi {

// What the members say, ~0 if there are none that are known here.
template <class Status>
std::uint64_t bytes_in_members(const Status& status) {
    if constexpr (requires { status._ucount; }) // Open MPI
        return status._ucount;
    else if constexpr (requires { status.count_hi_and_cancelled + status.count_lo; }) // MPICH
        return static_cast<std::uint32_t>(status.count_lo) |
               std::uint64_t{static_cast<std::uint32_t>(status.count_hi_and_cancelled) >> 1} << 32;
    else
        return ~std::uint64_t{0};
}

// Set once, when MPI has been initialised.
inline constinit bool members_tell_bytes = false;
void try_status_members();

// Returns false if the MPI library gives no answer.
inline bool bytes_in(const MPI_Status& status, std::uint64_t& bytes) {
    if (VFTR_LIKELY(members_tell_bytes)) {
        bytes = bytes_in_members(status);
        return true;
    }
    MPI_Count count = 0;
    if (library.Get_elements_x(&status, library.byte, &count) != MPI_SUCCESS || count < 0)
        return false;
    bytes = static_cast<std::uint64_t>(count);
    return true;
}

} // namespace vftr::mpi
