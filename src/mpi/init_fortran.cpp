// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/fortran.hpp"
#include "mpi/sessions.hpp"
#include "mpi/world.hpp"

namespace vftr::mpi {

#define VFTR_MPI_Init(symbol, next)                                                                                    \
    VFTR_FORTRAN_AROUND(MPI_Init, symbol, next, (void* ierror), (ierror), const JoinWorld join, )

#define VFTR_MPI_Init_thread(symbol, next)                                                                             \
    VFTR_FORTRAN_AROUND(MPI_Init_thread, symbol, next, (void* required, void* provided, void* ierror),                 \
                        (required, provided, ierror), const JoinWorld join, )

#define VFTR_MPI_Finalize(symbol, next)                                                                                \
    VFTR_FORTRAN_AROUND(MPI_Finalize, symbol, next, (void* ierror), (ierror), , const LeaveWorld leave)

// The standard's MPI_Pcontrol has no ierror, but that of MPICH's mpi_f08 has. A function without it never reads that
// register.
#define VFTR_MPI_Pcontrol(symbol, next)                                                                                \
    VFTR_FORTRAN_AROUND(MPI_Pcontrol, symbol, next, (int* level, void* ierror), (level, ierror),                       \
                        const Control control(*level), )

#define VFTR_MPI_Session_init(symbol, next_symbol)                                                                     \
    extern "C" __attribute__((weak)) void next_symbol(void*, void*, void*, MPI_Fint*);                                 \
    extern "C" VFTR_PUBLIC void symbol(void* info, void* errhandler, void* session, MPI_Fint* ierror) {                \
        static constinit Function function("MPI_Session_init");                                                        \
        MPI_Fint error = MPI_SUCCESS;                                                                                  \
        ierror = ierror ? ierror : &error;                                                                             \
        {                                                                                                              \
            const Call call(function, __builtin_dwarf_cfa());                                                          \
            function.next(next_symbol, #next_symbol)(info, errhandler, session, ierror);                               \
        }                                                                                                              \
        if (*ierror == MPI_SUCCESS)                                                                                    \
            session_began();                                                                                           \
    }

#define VFTR_MPI_Session_finalize(symbol, next)                                                                        \
    VFTR_FORTRAN_AROUND(MPI_Session_finalize, symbol, next, (void* session, void* ierror), (session, ierror), ,        \
                        const SessionEnds ends)

// The included file has a line for each name that the Fortran libraries have for one of these functions.
#include "mpi/control_fortran.inc"

} // namespace vftr::mpi
