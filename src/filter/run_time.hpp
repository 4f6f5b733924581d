// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>

namespace vftr::filter {

// Implement vftrace_exclude and vftrace_include. Called in a recorded process with the guard held. Return false if
// nothing has changed.
bool exclude(std::uint64_t function);
bool include(std::uint64_t function);

// A rule of somebody outside (vftr ctl), which is stronger than those before and than the configuration: functions
// whose names match are excluded, or included. Overrides by the program stay. Called with the guard held, on a stack of
// the library. Returns what is wrong with the expression; "": nothing.
std::string add_expression(const char* expression, bool exclude);

} // namespace vftr::filter
