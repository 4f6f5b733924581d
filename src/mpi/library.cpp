// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/library.hpp"

#include <cstddef>
#include <initializer_list>

#ifdef OPEN_MPI
#pragma weak ompi_mpi_comm_null
#pragma weak ompi_request_null
#pragma weak ompi_mpi_group_null
#pragma weak ompi_mpi_op_no_op
#pragma weak ompi_mpi_win_null
#define VFTR_HANDLE(handle_name, symbol) handle(handle_name, #symbol)
#else
#define VFTR_HANDLE(handle_name, symbol) handle_name
#endif

namespace vftr::mpi {

Library library;

namespace {

template <class Pointer>
bool fill(Pointer& pointer, Pointer linked, const char* symbol) {
    pointer = linked ? linked : reinterpret_cast<Pointer>(find_or_null(symbol));
    return pointer;
}

void* const* variable(const char* symbol) { return static_cast<void* const*>(find_loaded(symbol)); }

} // namespace

void find_in_place() {
    library.in_place = variable("MPIR_F_MPI_IN_PLACE");
    std::size_t n = 0;
    for (const char* symbol : {"mpi_fortran_in_place", "mpi_fortran_in_place_", "mpi_fortran_in_place__",
                               "MPI_FORTRAN_IN_PLACE", "MPIR_F08_MPI_IN_PLACE"})
        library.in_place_itself[n++] = find_loaded(symbol);
}

bool load_library() {
    bool whole = true;
#define VFTR_FILL(name) whole = fill(library.name, &::PMPI_##name, "PMPI_" #name) && whole;
    VFTR_LIBRARY_FUNCTIONS(VFTR_FILL)
    VFTR_LIBRARY_ENVELOPE(VFTR_FILL)
    VFTR_LIBRARY_CONVERSIONS(VFTR_FILL)
    library.world = VFTR_COMM_WORLD;
    library.byte = VFTR_BYTE;
    library.no_comm = VFTR_HANDLE(MPI_COMM_NULL, ompi_mpi_comm_null);
    library.no_request = VFTR_HANDLE(MPI_REQUEST_NULL, ompi_request_null);
    library.no_group = VFTR_HANDLE(MPI_GROUP_NULL, ompi_mpi_group_null);
    library.no_op = VFTR_HANDLE(MPI_NO_OP, ompi_mpi_op_no_op);
    library.no_window = VFTR_HANDLE(MPI_WIN_NULL, ompi_mpi_win_null);
    library.status_ignore[0] = variable("MPI_F_STATUS_IGNORE");
    library.status_ignore[1] = variable("MPI_F08_STATUS_IGNORE");
    library.statuses_ignore[0] = variable("MPI_F_STATUSES_IGNORE");
    library.statuses_ignore[1] = variable("MPI_F08_STATUSES_IGNORE");
    return whole;
}

} // namespace vftr::mpi
