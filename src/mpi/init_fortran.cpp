// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/fortran.hpp"
#include "mpi/world.hpp"

namespace vftr::mpi {

#define VFTR_MPI_Init(symbol, next)                                                                \
    VFTR_FORTRAN_AROUND(MPI_Init, symbol, next, (void* ierror), (ierror), const JoinWorld join, )

#define VFTR_MPI_Init_thread(symbol, next)                                                         \
    VFTR_FORTRAN_AROUND(MPI_Init_thread, symbol, next,                                             \
                        (void* required, void* provided, void* ierror),                            \
                        (required, provided, ierror), const JoinWorld join, )

#define VFTR_MPI_Finalize(symbol, next)                                                            \
    VFTR_FORTRAN_AROUND(MPI_Finalize, symbol, next, (void* ierror), (ierror), , leave_world())

// The standard's has no ierror, but MPICH's in mpi_f08 has. Where it has none, nobody looks at that register.
#define VFTR_MPI_Pcontrol(symbol, next)                                                            \
    VFTR_FORTRAN_AROUND(MPI_Pcontrol, symbol, next, (int* level, void* ierror), (level, ierror),   \
                        const Control control(*level), )

// A line for each name that the Fortran libraries have for one of these.
#include "mpi/control_fortran.inc"

} // namespace vftr::mpi
