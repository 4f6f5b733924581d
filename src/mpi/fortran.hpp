// SPDX-License-Identifier: BSD-3-Clause
//
// The Fortran bindings. A wrapper calls the PMPI entry of the same binding with the same addresses. It converts no
// handle, logical, index or sentinel (MPI_BOTTOM, MPI_IN_PLACE, …), so none of these can be converted wrongly. mpif.h
// and `use mpi` are one binding under the different spellings that compilers give a name; `use mpi_f08` has its own, in
// MPICH's family with descriptors in place of choice buffers.
//
// The lengths of CHARACTER arguments are at the end of the list, as gfortran and similar compilers pass them.
#pragma once

#include "mpi/verbs.hpp"

#include <cstddef>

// For a wrapper that does more: `outer` is a statement before the entry into the call tree, `inner` one after it.
#define VFTR_FORTRAN_AROUND(label, symbol, next_symbol, parameters, values, outer, inner)                              \
    extern "C" __attribute__((weak)) void next_symbol parameters;                                                      \
    extern "C" VFTR_PUBLIC void symbol parameters {                                                                    \
        static constinit Function function(#label);                                                                    \
        outer;                                                                                                         \
        const Call call(function, __builtin_dwarf_cfa());                                                              \
        inner;                                                                                                         \
        function.next(next_symbol, #next_symbol) values;                                                               \
    }
