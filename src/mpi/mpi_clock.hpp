// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "mpi/deadline.hpp"
#include "mpi/pmpi.hpp"
#include "vfd/format.hpp"

namespace vftr::mpi {

// Measures the clocks (clock_offsets.hpp) over `comm`, whose ranks are those of MPI_COMM_WORLD, which returns its
// errors and on which nothing else communicates. All of its ranks call this. Only non-blocking calls and tests are
// used. `quiet` says that no message is under way on `comm` afterwards.
vfd::ClockOffset measure_clock(MPI_Comm comm, Clock::time_point deadline, bool& quiet);

} // namespace vftr::mpi
