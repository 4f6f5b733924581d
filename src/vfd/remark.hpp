// SPDX-License-Identifier: BSD-3-Clause
//
// What a process says of itself in words: names of the kind Root in its Names segments, which belong to no node. Of two that begin alike the
// later one counts.
#pragma once

#include <string_view>

namespace vftr::vfd {

// + a number: hook calls of excluded functions that are not in the running text (src/patch).
inline constexpr std::string_view HookCallsOut = "hook calls taken out: ";
// + why.
inline constexpr std::string_view HookCallsStay = "hook calls stay: ";

} // namespace vftr::vfd
