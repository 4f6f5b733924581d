// SPDX-License-Identifier: BSD-3-Clause
//
// Entries of the call tree that are not functions: MPI calls, regions, the pause. For event sources and wrappers.
#pragma once

#include "vfd/format.hpp"

#include <cstdint>

namespace vftr::record {

// The key of a name, e.g. "MPI_Send". Equal strings and kinds have equal keys for the life of the process. A new name
// takes a lock (a spin of a few instructions), a known one costs the hash of its string. 0 when nothing is recorded.
std::uint64_t intern(const char* name, vfd::NodeKind kind);

// Enter and leave of a named entry for the calling thread, as by a hook. They do nothing while recording is off or
// paused, before main, or inside a hook. `stack_pointer`: that of the caller (__builtin_dwarf_cfa()). enter_named
// returns true if the enter was recorded; only then call leave_named with the same key.
enum class Left {
    Matched,
    Crossed, // the entry ended, but regions that began later are still open
    NotOpen, // there was no open entry with this key
    Ignored, // nothing is recorded now
};
bool enter_named(std::uint64_t key, vfd::NodeKind kind, std::uint64_t stack_pointer);
Left leave_named(std::uint64_t key);

// The same for MPI calls, in as few instructions as a hook takes. `ended`: ticks at which the call has ended, if the
// clock was read then and all that came later is what the recorder does for each such call; 0 otherwise. They are not
// used where more than the call tree is recorded, as events of the stream may have come later.
bool enter_mpi(std::uint64_t key, std::uint64_t stack_pointer);
void leave_mpi(std::uint64_t key, std::uint64_t ended);

// Whether the MPI call that was entered with this stack pointer is still open, and whether something was entered since.
enum class OpenCall { Gone, Innermost, Covered };
OpenCall mpi_call_state(std::uint64_t stack_pointer);

} // namespace vftr::record
