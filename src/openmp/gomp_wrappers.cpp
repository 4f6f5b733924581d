// SPDX-License-Identifier: BSD-3-Clause
//
// The wrappers of libgomp's entry points (gomp.table). Only the shared library has them: in libvftrace.a they would be
// second definitions of the functions of libgomp.a.
#include "openmp/gomp_region.hpp"
#include "openmp/gomp_task.hpp"

#include <cstddef>
#include <cstdint>

namespace vftr::openmp {

#include "openmp/gomp_wrappers.inc"

} // namespace vftr::openmp
