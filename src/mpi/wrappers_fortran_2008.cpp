// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/fortran.hpp"

namespace vftr::mpi {

#include "mpi/wrappers_fortran_2008.inc"

} // namespace vftr::mpi
