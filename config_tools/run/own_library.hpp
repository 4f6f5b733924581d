// SPDX-License-Identifier: BSD-3-Clause
//
// What belongs to this vftr, beside it in a build tree, else where both are installed: libvftrace.so and the plugins of
// compilers.
#pragma once

#include "advice/compiler.hpp"

#include <string>

namespace vftr::cli {

// The real path of the library; throws std::runtime_error if there is none.
std::string own_library();
// The real path of the plugin for compilers of this family; "": there is none.
std::string own_plugin(advice::CompilerFamily family);
// The real path of `file`, which the user named.
std::string given_library(const char* file);

} // namespace vftr::cli
