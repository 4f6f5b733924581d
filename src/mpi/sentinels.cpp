// SPDX-License-Identifier: BSD-3-Clause
//
// The sentinels of Fortran: MPI_IN_PLACE, MPI_BOTTOM, MPI_STATUS_IGNORE and their like are variables in common blocks,
// which program and MPI library know by their addresses. Since vftrace offers every function of the Fortran libraries,
// a linker that leaves out what seems not to be needed leaves them out of most programs, and pmpi.cpp loads them at the
// first call. Then the dynamic linker binds the library's common blocks to the program's, if the program shows its own,
// which it does because of the references here: a linker exports what a shared library refers to. Where it could not
// (libvftrace.a is no shared library), the addresses differ, and the program would send its sentinels as data.
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
