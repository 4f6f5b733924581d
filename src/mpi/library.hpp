// SPDX-License-Identifier: BSD-3-Clause
//
// The functions and handles of the MPI library that messages need; they are looked up once. A call through this table
// costs what a call into a shared library costs. Searching for a library that was loaded late (pmpi.hpp) would cost a
// thousand times that for each message.
#pragma once

#include "mpi/pmpi.hpp"

#include <cstdint>
#include <type_traits>

// clang-format off: it would indent the lines of this list of macro calls as nested expressions.
#define VFTR_LIBRARY_FUNCTIONS(X)                                                                                      \
    X(Barrier)                                                                                                         \
    X(Cart_shift)                                                                                                      \
    X(Cartdim_get)                                                                                                     \
    X(Comm_group)                                                                                                      \
    X(Comm_rank)                                                                                                       \
    X(Comm_remote_group)                                                                                               \
    X(Comm_size)                                                                                                       \
    X(Comm_test_inter)                                                                                                 \
    X(Dist_graph_neighbors)                                                                                            \
    X(Dist_graph_neighbors_count)                                                                                      \
    X(Get_elements_x)                                                                                                  \
    X(Graph_neighbors)                                                                                                 \
    X(Graph_neighbors_count)                                                                                           \
    X(Group_free)                                                                                                      \
    X(Group_size)                                                                                                      \
    X(Group_translate_ranks)                                                                                           \
    X(Query_thread)                                                                                                    \
    X(Status_f2c)                                                                                                      \
    X(Status_set_elements_x)                                                                                           \
    X(Test_cancelled)                                                                                                  \
    X(Topo_test)                                                                                                       \
    X(Type_get_name)                                                                                                   \
    X(Type_size_x)                                                                                                     \
    X(Win_get_group)
// clang-format on
// MPICH ends the program for a question about a type of large counts, unless it is asked by the function for these.
#if MPI_VERSION >= 4
#define VFTR_LIBRARY_ENVELOPE(X) X(Type_get_envelope_c)
#else
#define VFTR_LIBRARY_ENVELOPE(X) X(Type_get_envelope)
#endif
#ifdef MPI_Comm_f2c // handles are numbers, the same in C and Fortran
#define VFTR_LIBRARY_CONVERSIONS(X)
#else
#define VFTR_LIBRARY_CONVERSIONS(X) X(Comm_f2c) X(Message_f2c) X(Op_f2c) X(Request_f2c) X(Type_f2c) X(Win_f2c)
#endif

#define VFTR_WEAK_FUNCTION(name) extern "C" __attribute__((weak)) decltype(::PMPI_##name) PMPI_##name;
VFTR_LIBRARY_FUNCTIONS(VFTR_WEAK_FUNCTION)
VFTR_LIBRARY_ENVELOPE(VFTR_WEAK_FUNCTION)
VFTR_LIBRARY_CONVERSIONS(VFTR_WEAK_FUNCTION)

namespace vftr::mpi {

struct Library {
#define VFTR_POINTER(name) decltype(&::PMPI_##name) name;
    VFTR_LIBRARY_FUNCTIONS(VFTR_POINTER)
    VFTR_LIBRARY_ENVELOPE(VFTR_POINTER)
    VFTR_LIBRARY_CONVERSIONS(VFTR_POINTER)
#undef VFTR_POINTER
    MPI_Comm world, no_comm;
    MPI_Request no_request;
    MPI_Group no_group;
    MPI_Win no_window;
    MPI_Datatype byte;
    MPI_Op no_op;
    // Variables that hold the addresses which Fortran programs name MPI_STATUS_IGNORE and so on; null if the library
    // has none.
    void* const* status_ignore[2]; // of mpif.h and of mpi_f08
    void* const* statuses_ignore[2];
    void* const* in_place;          // a variable that holds the address
    const void* in_place_itself[5]; // or the address itself, under the spellings of different compilers
};
extern Library library;

// Looks up the variables of the Fortran libraries, which may be loaded as late as the first Fortran call.
void find_in_place();

// Fills `library`, once MPI has been initialised. Returns false if a symbol is missing.
bool load_library();

template <class Handle>
std::uint64_t key_of(Handle handle) {
    if constexpr (std::is_pointer_v<Handle>)
        return reinterpret_cast<std::uintptr_t>(handle);
    else
        return static_cast<std::uint32_t>(handle);
}

#ifdef MPI_Comm_f2c
template <class Handle>
Handle handle_of(MPI_Fint number) {
    return number;
}
#else
template <class Handle>
Handle handle_of(MPI_Fint number) {
    if constexpr (std::is_same_v<Handle, MPI_Comm>)
        return library.Comm_f2c(number);
    else if constexpr (std::is_same_v<Handle, MPI_Datatype>)
        return library.Type_f2c(number);
    else if constexpr (std::is_same_v<Handle, MPI_Request>)
        return library.Request_f2c(number);
    else if constexpr (std::is_same_v<Handle, MPI_Message>)
        return library.Message_f2c(number);
    else if constexpr (std::is_same_v<Handle, MPI_Op>)
        return library.Op_f2c(number);
    else
        return library.Win_f2c(number);
}
#endif

} // namespace vftr::mpi
