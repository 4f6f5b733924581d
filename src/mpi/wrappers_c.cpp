// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/prototype.hpp"
#include "mpi/verbs.hpp"

// Deprecated functions are compared with mpi.h, too.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace vftr::mpi {

__attribute__((tls_model("initial-exec"))) thread_local constinit std::uint64_t current_call = 0;

#include "mpi/wrappers_c.inc"

} // namespace vftr::mpi
