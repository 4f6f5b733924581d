// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/status_bytes.hpp"

#include <initializer_list>

namespace vftr::mpi {

void try_status_members() {
    bool right = true;
    for (const MPI_Count bytes : {MPI_Count{0}, MPI_Count{1}, MPI_Count{0x7ffffffe}, MPI_Count{0x123456789a}}) {
        MPI_Status status{};
        MPI_Count told = -1;
        right = right && library.Status_set_elements_x(&status, library.byte, bytes) == MPI_SUCCESS &&
                library.Get_elements_x(&status, library.byte, &told) == MPI_SUCCESS && told == bytes &&
                bytes_in_members(status) == static_cast<std::uint64_t>(bytes);
    }
    members_tell_bytes = right;
}

} // namespace vftr::mpi
