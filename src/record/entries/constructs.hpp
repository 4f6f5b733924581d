// SPDX-License-Identifier: BSD-3-Clause
//
// Parallel regions, worksharing, tasks and waits of a parallel programming model, for the rooms that intercept its
// runtime.
//
// Constructs are entries of the call tree beside functions (Construct in format.hpp). Each is identified by the code
// address from which the runtime was called, so no name is looked up or stored while it is recorded. Runtimes report
// constructs from deep within the stack, so an entry has no stack position of its own: it lives until it is left, at
// most as long as the function around it. A construct is a part of a function's code: frames of functions that were
// called within it are dropped when it is left.
//
// A thread that works for another attaches its work to the other's call path (work attribution). That is one entry in
// its own tree; no memory of the other thread is read or written. So it costs the same for any depth of the path, and
// needs no lock.
//
// Tasks that create tasks: a task that is created within a task of the same construct has the path of the outer one,
// whichever thread created it. Otherwise a recursion of tasks over n threads, which execute each other's tasks, would
// have n times as many paths with each level.
//
// All functions are for the calling thread, with its guard not held by a hook; they do nothing while it is off, paused
// or within a hook. They use no malloc and no lock, and keep errno.
#pragma once

#include "record/entries/call_instance.hpp"
#include "record/entries/named.hpp"
#include "vfd/format.hpp"

#include <cstdint>

namespace vftr::record {

// `code`: the address to which the construct's call of the runtime returns.
inline std::uint64_t construct_key(vfd::Construct construct, const void* code) {
    return (reinterpret_cast<std::uint64_t>(code) & vfd::AddressMask) | static_cast<std::uint64_t>(construct)
                                                                            << vfd::ConstructShift;
}

// Enters a construct. True if the enter was recorded; only then call leave_construct. `ticks`: the time of the enter
// where it was noted before (waits are often recognised only at their end); it must not be in the future, and is moved
// to the thread's latest event if it is before that. 0: now. `stack_pointer`: that of the function that contains the
// construct, where it is known; deeper frames are dropped. 0: it is not known, and that of this call is used.
bool enter_construct(std::uint64_t key, std::uint64_t ticks = 0, std::uint64_t stack_pointer = 0);
Left leave_construct(std::uint64_t key, std::uint64_t ticks = 0);

// The path of a construct below the innermost entry, without counting a call of it: for a task that is created now and
// executed elsewhere. If `thread` is NoThread, nothing is recorded. `enter` is not set.
CallInstance place_of_construct(std::uint64_t key, std::uint64_t stack_pointer = 0);

// Attributes what follows on this thread to the path `place` of another (or this) thread, until end_attributed_work.
// `place` must have been recorded by this process, and its recording must happen before this call (the runtime
// synchronises when it hands the work over). True: call end_attributed_work. `again`: the thread continues work that it
// was attached to before, so no call is counted.
bool begin_attributed_work(const CallInstance& place, bool again = false);
// What happens to entries that were made within the attributed work: they are dropped, or they continue as the thread's
// own work.
enum class Above { Gone, GoesOn };
void end_attributed_work(const CallInstance& place, std::uint64_t ticks = 0, Above above = Above::Gone);

// Ticks of the calling thread's life, up to now, that were cut out of the times of everything that was running
// (off_cpu.hpp, one_time_work.hpp). For a recorded thread.
std::uint64_t cut_out_here();

// Adds a team of `threads` threads that has ended; together they had `ticks` ticks. Called by the thread that forked
// the team.
void count_team(const CallInstance& region, std::uint32_t threads, std::uint64_t ticks);

// Marks the calling thread as a worker of an OpenMP runtime; the thread begins if it has not.
void mark_worker();

} // namespace vftr::record
