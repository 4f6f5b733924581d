// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace vftr::filter {

// Implement vftrace_exclude and vftrace_include. Called in a recorded process with the guard held. Return false if
// nothing has changed.
bool exclude(std::uint64_t function);
bool include(std::uint64_t function);

} // namespace vftr::filter
