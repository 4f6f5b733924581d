// SPDX-License-Identifier: BSD-3-Clause
//
// Parallel regions, worksharing, tasks and waits of a parallel programming model, for the rooms that listen to its
// runtime.
//
// Constructs are entries of the call tree beside functions (format.hpp, Construct), named by the code address that the
// runtime was called from: no name is looked up or kept when they are recorded. Runtimes tell of them from somewhere
// deep on the stack, so an entry says nothing of where its frame is: it lives until it is left, at most as long as the
// function around it. Constructs are parts of a function's text: what a function called within one is gone when it is
// left.
//
// A thread that works for another attaches itself to the other's call path. That is one entry of its own tree; nothing
// of the other thread's memory is read or written, so it costs the same for any depth of the path, and no lock.
//
// Tasks that make tasks. The path of a task that is made within one of the same construct is that of the outer one,
// whichever thread made it: else a recursion of tasks over n threads, which execute each other's, would have n times as
// many paths with each level.
//
// All functions: for the calling thread, with its guard not held by a hook; they do nothing while it is off, paused or
// within a hook. No malloc, no lock; errno is kept.
#pragma once

#include "record/call_place.hpp"
#include "record/named.hpp"
#include "vfd/format.hpp"

#include <cstdint>

namespace vftr::record {

// `code`: what the construct's call of the runtime returns to.
inline std::uint64_t construct_key(vfd::Construct construct, const void* code) {
    return (reinterpret_cast<std::uint64_t>(code) & vfd::AddressMask) | static_cast<std::uint64_t>(construct)
                                                                            << vfd::ConstructShift;
}

// True if the enter was recorded; only then leave. The time may be given where it was noted before: not before the
// thread's latest event (it is moved there), not in the future; 0: now. (Waits are often known to be waits only at
// their end.) `stack_pointer`: of the function that the construct stands in, where it is known: what lies deeper is
// gone. 0: of somewhere below it.
bool enter_construct(std::uint64_t key, std::uint64_t ticks = 0, std::uint64_t stack_pointer = 0);
Left leave_construct(std::uint64_t key, std::uint64_t ticks = 0);

// The path of a construct called from the innermost entry, without a call of it: a task that is made now and executed
// elsewhere. thread NoThread: nothing is recorded. `enter` is not set.
CallPlace place_of_construct(std::uint64_t key, std::uint64_t stack_pointer = 0);

// What follows on this thread belongs to the path `place` of another (or this) thread, until it is left.
// `place` must have been recorded by this process; the other thread's part in making it, and this, must be in order for
// the threads (the runtime hands work over by something that is). True: leave it. `again`: it goes on with what it was
// attached to before, which is no call more.
bool begin_attributed_work(const CallPlace& place, bool again = false);
// What was entered since is gone, or goes on as work of the thread's own.
enum class Above { Gone, GoesOn };
void end_attributed_work(const CallPlace& place, std::uint64_t ticks = 0, Above above = Above::Gone);

// Ticks of the calling thread's life, up to now, that were cut out of the times of all that it was in (off_cpu.hpp,
// one_time_work.hpp). For a recorded thread.
std::uint64_t cut_out_here();

// A team of so many threads has ended: it had so many ticks for them. By the thread that forked it.
void count_team(const CallPlace& region, std::uint32_t threads, std::uint64_t ticks);

// The calling thread, which begins if it has not, is a worker of an OpenMP runtime.
void mark_worker();

} // namespace vftr::record
