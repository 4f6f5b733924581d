// SPDX-License-Identifier: BSD-3-Clause
//
// All that the wrappers made from functions.table use. An action there, `send count type=datatype …`, is an object
// here, Send<L, Kind>, with L one of C, Fortran, Fortran2008 and FortranDescriptor: made after the call tree has been
// entered and before the MPI library is called, done() when that has returned.
#pragma once

#include "mpi/collectives.hpp"
#include "mpi/completion.hpp"
#include "mpi/handles.hpp"
#include "mpi/one_sided.hpp"
#include "mpi/point_to_point.hpp"
#include "mpi/sync.hpp"
