// SPDX-License-Identifier: BSD-3-Clause
//
// All that the generated wrappers of functions.table use. For an action of the table, `send count type=datatype …`, a
// wrapper makes an object of a class from here, Send<L, Kind>, where L is C, Fortran, Fortran2008 or FortranDescriptor.
// The object is made after the call tree has been entered and before the MPI library is called; done() is called when
// the MPI library has returned.
#pragma once

#include "mpi/collectives.hpp"
#include "mpi/completion.hpp"
#include "mpi/handles.hpp"
#include "mpi/one_sided.hpp"
#include "mpi/point_to_point.hpp"
#include "mpi/sync.hpp"
