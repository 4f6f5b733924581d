// SPDX-License-Identifier: BSD-3-Clause
//
// The libvftrace.so that belongs to this vftr: beside it in a build tree, else where both are installed.
#pragma once

#include <string>

namespace vftr::cli {

// The real path of the library; throws std::runtime_error if there is none.
std::string own_library();
// The real path of `file`, which the user named.
std::string given_library(const char* file);

} // namespace vftr::cli
