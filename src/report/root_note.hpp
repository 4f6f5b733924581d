// SPDX-License-Identifier: BSD-3-Clause
//
// What views say of the root of a call tree, which readers take for a function of the program.
#pragma once

#include <string_view>

namespace vftr::report {

// Where there is little room, up to the colon.
inline constexpr std::string_view RootNote = "init is the root, not a function: all calls of a thread stand below it";

} // namespace vftr::report
