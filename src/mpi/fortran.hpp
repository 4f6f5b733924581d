// SPDX-License-Identifier: BSD-3-Clause
//
// The shape of a Fortran wrapper. It calls the PMPI entry of the same binding with the same
// addresses; no handle, logical, index or sentinel (MPI_BOTTOM, MPI_IN_PLACE, …) is converted, so
// none can go wrong. mpif.h and `use mpi` are one binding under the four names that compilers make
// of one; `use mpi_f08` is another.
#pragma once

#include "mpi/wrapper.hpp"

// `outer` is a statement before the entry into the call tree, `inner` one after it.
#define VFTR_FORTRAN_AROUND(label, name, parameters, values, outer, inner)                         \
    extern "C" __attribute__((weak)) void p##name parameters;                                      \
    extern "C" VFTR_PUBLIC void name parameters {                                                  \
        static constinit Function function(#label);                                                \
        outer;                                                                                     \
        const Call call(function, __builtin_dwarf_cfa());                                          \
        inner;                                                                                     \
        VFTR_NEXT(function, p##name) values;                                                       \
    }

#define VFTR_FORTRAN_ALIASES(lower, upper, parameters)                                             \
    extern "C" VFTR_PUBLIC __attribute__((alias(#lower "_"))) void lower parameters;               \
    extern "C" VFTR_PUBLIC __attribute__((alias(#lower "_"))) void lower##__ parameters;           \
    extern "C" VFTR_PUBLIC __attribute__((alias(#lower "_"))) void upper parameters;

// A function that needs no more: `label` is its name in the call tree.
#define VFTR_FORTRAN(label, lower, upper, parameters, values)                                      \
    VFTR_FORTRAN_AROUND(label, lower##_, parameters, values, , )                                   \
    VFTR_FORTRAN_ALIASES(lower, upper, parameters)

#define VFTR_FORTRAN_2008(label, lower, parameters, values)                                        \
    VFTR_FORTRAN_AROUND(label, lower##_f08_, parameters, values, , )
