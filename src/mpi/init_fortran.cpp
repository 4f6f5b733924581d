// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/fortran.hpp"
#include "mpi/world.hpp"

namespace vftr::mpi {

#define VFTR_INIT(name)                                                                            \
    VFTR_FORTRAN_AROUND(MPI_Init, name, (void* ierror), (ierror), const JoinWorld join, )
VFTR_INIT(mpi_init_)
VFTR_INIT(mpi_init_f08_)
VFTR_FORTRAN_ALIASES(mpi_init, MPI_INIT, (void*))

#define VFTR_INIT_THREAD(name)                                                                     \
    VFTR_FORTRAN_AROUND(MPI_Init_thread, name, (void* required, void* provided, void* ierror),     \
                        (required, provided, ierror), const JoinWorld join, )
VFTR_INIT_THREAD(mpi_init_thread_)
VFTR_INIT_THREAD(mpi_init_thread_f08_)
VFTR_FORTRAN_ALIASES(mpi_init_thread, MPI_INIT_THREAD, (void*, void*, void*))

#define VFTR_FINALIZE(name)                                                                        \
    VFTR_FORTRAN_AROUND(MPI_Finalize, name, (void* ierror), (ierror), , leave_world())
VFTR_FINALIZE(mpi_finalize_)
VFTR_FINALIZE(mpi_finalize_f08_)
VFTR_FORTRAN_ALIASES(mpi_finalize, MPI_FINALIZE, (void*))

#define VFTR_PCONTROL(name)                                                                        \
    VFTR_FORTRAN_AROUND(MPI_Pcontrol, name, (int* level), (level), const Control control(*level), )
VFTR_PCONTROL(mpi_pcontrol_)
VFTR_PCONTROL(mpi_pcontrol_f08_)
VFTR_FORTRAN_ALIASES(mpi_pcontrol, MPI_PCONTROL, (int*))

} // namespace vftr::mpi
