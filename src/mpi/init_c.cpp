// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/sessions.hpp"
#include "mpi/world.hpp"
#include "mpi/wrapper.hpp"

namespace vftr::mpi {

extern "C" VFTR_PUBLIC int MPI_Init(int* argc, char*** argv) {
    static constinit Function function("MPI_Init");
    const JoinWorld join;
    const Call call(function, __builtin_dwarf_cfa());
    return VFTR_NEXT(function, PMPI_Init)(argc, argv);
}

extern "C" VFTR_PUBLIC int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
    static constinit Function function("MPI_Init_thread");
    const JoinWorld join;
    const Call call(function, __builtin_dwarf_cfa());
    return VFTR_NEXT(function, PMPI_Init_thread)(argc, argv, required, provided);
}

extern "C" VFTR_PUBLIC int MPI_Finalize() {
    static constinit Function function("MPI_Finalize");
    const Call call(function, __builtin_dwarf_cfa());
    const LeaveWorld leave;
    return VFTR_NEXT(function, PMPI_Finalize)();
}

// Only tools know the number and types of the arguments that may follow the level, and no MPI library can pass them on.
extern "C" VFTR_PUBLIC int MPI_Pcontrol(const int level, ...) {
    static constinit Function function("MPI_Pcontrol");
    const Control control(level);
    const Call call(function, __builtin_dwarf_cfa());
    return VFTR_NEXT(function, PMPI_Pcontrol)(level);
}

#if MPI_VERSION >= 4
extern "C" VFTR_PUBLIC int MPI_Session_init(MPI_Info info, MPI_Errhandler errhandler, MPI_Session* session) {
    static constinit Function function("MPI_Session_init");
    int error;
    {
        const Call call(function, __builtin_dwarf_cfa());
        error = VFTR_NEXT(function, PMPI_Session_init)(info, errhandler, session);
    }
    if (error == MPI_SUCCESS)
        session_began();
    return error;
}

extern "C" VFTR_PUBLIC int MPI_Session_finalize(MPI_Session* session) {
    static constinit Function function("MPI_Session_finalize");
    const Call call(function, __builtin_dwarf_cfa());
    const SessionEnds ends;
    return VFTR_NEXT(function, PMPI_Session_finalize)(session);
}
#endif

} // namespace vftr::mpi
