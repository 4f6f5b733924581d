// SPDX-License-Identifier: BSD-3-Clause
//
// The sentinels of Fortran (MPI_IN_PLACE, MPI_BOTTOM, MPI_STATUS_IGNORE and others) are variables in common blocks,
// which the program and the MPI library recognise by their addresses. Since vftrace offers every function of the
// Fortran libraries, a linker that leaves out unneeded libraries leaves these out of most programs, and pmpi.cpp loads
// them at the first call. The dynamic linker then binds the library's common blocks to the program's, provided that the
// program exports its own. It does so because of the references in this file: a linker exports the variables that a
// shared library refers to. If it could not (libvftrace.a is no shared library), the addresses differ, and the program
// would send its sentinels as data.
#include "mpi/pmpi.hpp"

#include <algorithm>
#include <dlfcn.h>
#include <iterator>

#pragma weak dlsym

#define VFTR_SENTINEL(symbol) extern "C" __attribute__((weak)) char symbol;
#include "mpi/sentinels_fortran.inc"
#undef VFTR_SENTINEL

namespace vftr::mpi {
namespace {

struct Sentinel {
    const char* name;
    const char* address; // null: the program has no such variable
};

const Sentinel sentinels[] = {
#define VFTR_SENTINEL(symbol) {#symbol, &symbol},
#include "mpi/sentinels_fortran.inc"
    {"", nullptr}};

} // namespace

bool fortran_sentinels_agree() {
    return std::all_of(std::begin(sentinels), std::end(sentinels), [](const Sentinel& sentinel) {
        return !sentinel.address || dlsym(RTLD_DEFAULT, sentinel.name) == sentinel.address;
    });
}

} // namespace vftr::mpi
