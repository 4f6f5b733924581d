// SPDX-License-Identifier: BSD-3-Clause
//
// Access to the MPI library, which may be absent.
//
// Why weak references: one -lvftrace serves serial and MPI programs, and a serial program must not load libmpi.
// Therefore vftrace is not linked with MPI: each function and each predefined handle is a weak reference. The dynamic
// linker fills it if the program has brought an MPI library, and leaves it null otherwise. A serial program calls no
// wrapper, so it never uses a null reference.
//
// Some programs call a wrapper whose weak reference is null all the same, because their MPI library was not visible
// when vftrace was loaded: a program that loads MPI later (an interpreter's module); a program under `vftr run` that
// brings a serial replacement of MPI, which has no PMPI names; and a program whose linker left the MPI library out,
// because it used only functions that vftrace offers, too. find() searches for the function at the first call in all of
// these cases.
#pragma once

#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <type_traits>

#if MPI_VERSION < 3
#error "The MPI wrappers need MPI 3.0 or later."
#endif

// The functions that the recorder itself uses, besides the one that each wrapper calls.
#pragma weak PMPI_Cancel
#pragma weak PMPI_Comm_create
#pragma weak PMPI_Comm_create_keyval
#pragma weak PMPI_Comm_free
#pragma weak PMPI_Comm_free_keyval
#pragma weak PMPI_Comm_get_errhandler
#pragma weak PMPI_Comm_group
#pragma weak PMPI_Comm_rank
#pragma weak PMPI_Comm_set_attr
#pragma weak PMPI_Comm_set_errhandler
#pragma weak PMPI_Comm_size
#pragma weak PMPI_Errhandler_free
#pragma weak PMPI_Finalize
#pragma weak PMPI_Finalized
#pragma weak PMPI_Group_free
#pragma weak PMPI_Iallreduce
#pragma weak PMPI_Ibarrier
#pragma weak PMPI_Igather
#pragma weak PMPI_Igatherv
#pragma weak PMPI_Init
#pragma weak PMPI_Init_thread
#pragma weak PMPI_Initialized
#pragma weak PMPI_Iprobe
#pragma weak PMPI_Irecv
#pragma weak PMPI_Iscatter
#pragma weak PMPI_Iscatterv
#pragma weak PMPI_Isend
#pragma weak PMPI_Pcontrol
#pragma weak PMPI_Request_free
#pragma weak PMPI_Test
#if MPI_VERSION >= 4
#pragma weak PMPI_Group_from_session_pset
#pragma weak PMPI_Group_rank
#pragma weak PMPI_Group_size
#pragma weak PMPI_Session_finalize
#pragma weak PMPI_Session_init
#endif
#ifdef OPEN_MPI // Open MPI's handles are addresses of these objects; in MPICH's family they are numbers
#pragma weak ompi_mpi_byte
#pragma weak ompi_mpi_comm_self
#pragma weak ompi_mpi_comm_world
#pragma weak ompi_mpi_errors_return
#pragma weak ompi_mpi_info_null
#pragma weak ompi_mpi_int
#pragma weak ompi_mpi_op_min
#endif

namespace vftr::mpi {

// Returns the address of `symbol` ("PMPI_Send") or, for a library without PMPI names, of the next definition of the
// name without its P. If there is neither, it ends the process with one line. It preserves errno.
void* find(const char* symbol);
// As find(), but returns null if there is neither.
void* find_or_null(const char* symbol);
// Returns the address of `symbol`, which may be a variable, in the loaded libraries; null if there is none.
void* find_loaded(const char* symbol);

// Ends the process with one line if the program's MPI library is not one that this build can work with.
void refuse_other_mpi();

// Whether Fortran libraries that were loaded late use the program's MPI_IN_PLACE and similar variables (sentinels.cpp;
// absent in a build without Fortran).
__attribute__((weak)) bool fortran_sentinels_agree();

// Returns the weak reference, or what find() finds if that is null.
template <typename Function>
Function* linked_or_found(Function* linked, const char* symbol) {
    return linked ? linked : reinterpret_cast<Function*>(find(symbol));
}

// Returns a predefined handle.
template <typename Handle>
Handle handle(Handle linked, [[maybe_unused]] const char* symbol) {
    if constexpr (std::is_pointer_v<Handle>)
        return linked ? linked : static_cast<Handle>(find_or_null(symbol));
    else
        return linked;
}

} // namespace vftr::mpi

#define VFTR_PMPI(name) ::vftr::mpi::linked_or_found(&name, #name)
#define VFTR_COMM_SELF ::vftr::mpi::handle(MPI_COMM_SELF, "ompi_mpi_comm_self")
#define VFTR_COMM_WORLD ::vftr::mpi::handle(MPI_COMM_WORLD, "ompi_mpi_comm_world")
#define VFTR_BYTE ::vftr::mpi::handle(MPI_BYTE, "ompi_mpi_byte")
#define VFTR_ERRORS_RETURN ::vftr::mpi::handle(MPI_ERRORS_RETURN, "ompi_mpi_errors_return")
#define VFTR_INT ::vftr::mpi::handle(MPI_INT, "ompi_mpi_int")
#define VFTR_MIN ::vftr::mpi::handle(MPI_MIN, "ompi_mpi_op_min")
