// SPDX-License-Identifier: BSD-3-Clause
//
// Entries of the call tree that are no functions: MPI calls, regions, the pause. For event sources and wrappers.
#pragma once

#include "vfd/format.hpp"

#include <cstdint>

namespace vftr::record {

// A name that is known for the whole run, e.g. "MPI_Send". Same text and kind, same key. May take a lock
// (a spin of a few instructions): intern once, keep the key. 0 when nothing is recorded.
std::uint64_t intern(const char* name, vfd::NodeKind kind);

// Enter and leave for a named entry, for the calling thread, as a hook would. They do nothing while off,
// paused, before main, or inside a hook. `stack_pointer`: that of the caller (__builtin_dwarf_cfa()).
// enter_named returns true if the enter was recorded; only then call leave_named with the same key. leave_named
// returns false if no entry of that key was open.
bool enter_named(std::uint64_t key, vfd::NodeKind kind, std::uint64_t stack_pointer);
bool leave_named(std::uint64_t key);

} // namespace vftr::record
