// SPDX-License-Identifier: BSD-3-Clause
//
// The entry points of libgomp (gomp.table). Only the shared library has them: beside libvftrace.a they would be second
// definitions of what libgomp.a has.
#include "openmp/gomp_region.hpp"
#include "openmp/gomp_task.hpp"

#include <cstddef>
#include <cstdint>

namespace vftr::openmp {

#include "openmp/gomp_wrappers.inc"

} // namespace vftr::openmp
