// SPDX-License-Identifier: BSD-3-Clause
//
// Count-only calls: calls that are counted and not timed.
//
// Most of what hooks cost is reading the clock; the rest is the shadow stack and the tree. A call of a tiny function
// needs neither as long as it has no callee: the enter counts it and stores the function's address with CountOnlyBit in
// the guard. The leave finds this value there and sets the guard to Ready again. Besides looking up the path, that
// costs a few stores. Whatever comes in between (a callee, a signal handler, an entry of the library) finds that the
// guard is not Ready and materializes the frame of the count-only call. So nothing about the call is lost, and the only
// other code that has to know of count-only calls is that which asks for the state of the calling thread
// (materialized_thread).
//
// While the slow path is requested (for a pause, an unloaded module, a callback), no count-only call begins, so that
// the next call takes the slow path.
//
// adaptive.hpp decides how many calls are count-only. It adds that number to Node::countdown and Node::calls in
// advance, so that a call touches one counter only.
//
// Order of the stores: the frame's slot above the top is written while the guard is held, then `count_only_node` for
// readers of the file, then the guard. The code that ends a count-only call (its leave, or the code that materializes
// the frame) changes the guard in one instruction. A signal handler therefore finds the call either still count-only,
// and materializes its frame, which the leave then pops as any other, or already ended.
#pragma once

#include "base/compiler.hpp"
#include "record/hot/thread_state.hpp"

namespace vftr::record {

// Set in the guard during a count-only call; the other bits are the address of its function.
inline constexpr std::uint64_t CountOnlyBit = std::uint64_t{1} << 63;

inline bool in_count_only_call(const ThreadState& state) { return state.guard & CountOnlyBit; }

// Makes the next `countdown` calls count-only, in place of those that were planned before; `calls` includes them
// already. One instruction changes the number of calls and the countdown together, so that a process that is killed
// leaves both or neither changed.
inline void set_countdown(vfd::Node& node, std::int32_t countdown) {
    // With clang, `using` would lose the alignment; the copy of a structure would be stored member by member.
    typedef std::uint64_t Both __attribute__((vector_size(16), aligned(8), may_alias));
    const std::uint64_t calls =
        node.calls + static_cast<std::uint64_t>(countdown) - static_cast<std::uint64_t>(node.countdown);
    const std::uint64_t others = std::uint64_t{node.module} << 32 | static_cast<std::uint64_t>(node.kind) << 48 |
                                 std::uint64_t{node.flags} << 56;
    *reinterpret_cast<volatile Both*>(&node.calls) = Both{calls, others | static_cast<std::uint32_t>(countdown)};
}

// Begins a count-only call of path `id`, whose `countdown` is above 0. Ends the event. The shadow stack must have room
// for a frame.
VFTR_INLINE void begin_count_only_call(ThreadState& state, std::uint32_t id, std::uint64_t key,
                                       std::uint64_t stack_pointer, std::uint32_t call_site, std::uint32_t hook_site) {
    --state.nodes[id].countdown;
    vfd::Frame* frame = state.top + 1;
    frame->node = id;
    frame->stack_pointer = stack_pointer;
    frame->call_site = call_site;
    frame->hook_site = hook_site;
    state.record->count_only_node = id;
    asm volatile("" ::: "memory");
    state.guard = key | CountOnlyBit;
}

inline bool is_count_only_call_of(const ThreadState& state, std::uint64_t key) {
    return state.guard == (key | CountOnlyBit);
}

// Changes the guard to `to` if it is `from`. Atomic with respect to signal handlers of the thread.
VFTR_INLINE bool exchange_guard(ThreadState& state, std::uint64_t from, std::uint64_t to) {
#if defined(__x86_64__)
    // The lock prefix is left out, as it matters only to other processors.
    std::uint64_t found = from;
    asm volatile("cmpxchgq %2, %1" : "+a"(found), "+m"(state.guard) : "r"(to) : "cc", "memory");
    return found == from;
#else
    return __atomic_compare_exchange_n(&state.guard, &from, to, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
#endif
}

// Ends the count-only call if it is one of the function `key`, and with it the whole event of the leave.
VFTR_INLINE bool end_count_only_call(ThreadState& state, std::uint64_t key) {
    if (!exchange_guard(state, key | CountOnlyBit, GuardReady))
        return false;
    state.record->count_only_node = 0;
    return true;
}

// Makes a frame of the running count-only call and leaves the guard held for `hook`, the stack pointer of a hook's
// caller. False: nothing has changed, because a signal handler came first and there is no count-only call any more.
bool materialize_frame(ThreadState& state, std::uint64_t hook);
// As above; afterwards no count-only call is running.
void materialize_frame(ThreadState& state);

// Where the guard is not Ready: ends a count-only call, and returns a state without a thread to a process that shares
// the thread's.
VFTR_COLD ThreadState* materialized_thread(ThreadState* state);
// The calling thread's state, for code that is not a hook.
inline ThreadState* materialized_thread() {
    ThreadState* state = current;
    return VFTR_LIKELY(state->guard == GuardReady) ? state : materialized_thread(state);
}

} // namespace vftr::record
