// SPDX-License-Identifier: BSD-3-Clause
//
// The libvftrace.so that belongs to this vftr: beside it in a build tree, else where both are installed.
#pragma once

#include <string>

namespace vftr::cli {

// Its real path; throws std::runtime_error where there is none.
std::string own_library();
// The real path of `file`, which the user named.
std::string given_library(const char* file);

} // namespace vftr::cli
