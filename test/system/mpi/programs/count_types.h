// SPDX-License-Identifier: BSD-3-Clause
//
// With -DLARGE_COUNT every function that has a form with large counts is called by that form; large_count.h, which says
// "#define MPI_Send MPI_Send_c" of each, is made from mpi.h (lib_mpi.sh).
#ifdef LARGE_COUNT
#include "large_count.h"
typedef MPI_Count Count;
typedef MPI_Aint Displacement;
#else
typedef int Count, Displacement;
#endif
