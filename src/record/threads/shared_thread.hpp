// SPDX-License-Identifier: BSD-3-Clause
//
// Threads whose thread-local data another process uses, too.
//
// clone with CLONE_VM and without CLONE_SETTLS makes a process (or a thread) that runs in the memory of its creator and
// has the creator's thread-local data, hence its ThreadState: two kernel tasks would write one shadow stack at the same
// time. Only the kernel tells them apart, by their thread ids; their stacks do not, as one may lie within the other.
// (With CLONE_VFORK the creator waits, so the child's calls are recorded as its own.)
//
// When a recorded thread makes such a process, its guard becomes Shared instead of Ready for good. Each of its events
// then asks the kernel whose it is. Those of the thread are recorded as ever; calls of the other process are counted
// (ThreadRecord::shared_calls), as a tree of its own would need a state of its own. There is no count-only call any
// more, since its leave looks at the guard alone. That makes an event some ten times as expensive, in programs that are
// rare.
#pragma once

#include "base/compiler.hpp"
#include "base/system_call.hpp"
#include "record/hot/thread_state.hpp"

namespace vftr::record {

// Whether the calling task is the one that the state belongs to.
inline bool is_own(const ThreadState& state) {
    return VFTR_LIKELY(!state.is_shared) || base::system_call(SYS_gettid) == static_cast<long>(state.record->tid);
}

} // namespace vftr::record
