// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace vftr::filter {

// What vftrace_exclude and vftrace_include do, for a process that is recorded, with the guard held. false: nothing has
// changed.
bool exclude(std::uint64_t function);
bool include(std::uint64_t function);

} // namespace vftr::filter
