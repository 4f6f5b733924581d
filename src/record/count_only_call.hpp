// SPDX-License-Identifier: BSD-3-Clause
//
// Count-only calls: calls that are counted and not timed.
//
// Most of what hooks cost is the clock; what is left is the shadow stack and the tree. A call of a tiny function needs
// neither as long as it calls nobody: it is counted, and the guard says that this function passes. Its leave finds its
// own name there and opens the guard. That is some stores more than looking the path up. Whatever else comes first (a
// callee, a signal handler, an entry of the library) finds the guard not open and makes a frame of the count-only call;
// so nothing of it can be lost, and no other code needs to know of count-only calls than that which asks for the
// calling thread (materialized_thread).
//
// While the slow path is asked for (a pause, a module that is gone, a callback) none passes, so that it comes with the
// next call.
//
// How many calls pass is up to adaptive.hpp: it puts them into Node::countdown and Node::calls in advance, so that one
// counter is touched per call.
//
// Order of the stores: the frame's slot above the top is written while the guard is held, then `passing` for readers of
// the file, then the guard. Who ends the passing, the leave or who makes the frame, takes the guard in one instruction:
// a signal handler either finds the call passing and makes its frame, which the leave then takes off as any other, or
// finds it over.
#pragma once

#include "base/compiler.hpp"
#include "record/thread_state.hpp"

namespace vftr::record {

// Set in the guard while a call passes; the other bits are its function's address.
inline constexpr std::uint64_t CountOnlyBit = std::uint64_t{1} << 63;

inline bool in_count_only_call(const ThreadState& state) { return state.guard & CountOnlyBit; }

// From here on `countdown` calls pass, which are counted already, in place of those that were to. The number of calls
// and how many of them were not made yet change by one instruction: a process that is killed leaves both or neither.
inline void set_countdown(vfd::Node& node, std::int32_t countdown) {
    // `using` would lose the alignment with clang; a structure that is copied would be stored member by member.
    typedef std::uint64_t Both __attribute__((vector_size(16), aligned(8), may_alias));
    const std::uint64_t calls =
        node.calls + static_cast<std::uint64_t>(countdown) - static_cast<std::uint64_t>(node.countdown);
    const std::uint64_t others = std::uint64_t{node.module} << 32 | static_cast<std::uint64_t>(node.kind) << 48 |
                                 std::uint64_t{node.flags} << 56;
    *reinterpret_cast<volatile Both*>(&node.calls) = Both{calls, others | static_cast<std::uint32_t>(countdown)};
}

// Counts a call of path `id`, whose `countdown` is above 0. Ends the event. There must be room for a frame.
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

// Changes the guard, if it is `from`. Atomic for signal handlers of the thread.
VFTR_INLINE bool exchange_guard(ThreadState& state, std::uint64_t from, std::uint64_t to) {
#if defined(__x86_64__)
    // Without the lock prefix, which only other processors would need.
    std::uint64_t found = from;
    asm volatile("cmpxchgq %2, %1" : "+a"(found), "+m"(state.guard) : "r"(to) : "cc", "memory");
    return found == from;
#else
    return __atomic_compare_exchange_n(&state.guard, &from, to, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
#endif
}

// The leave of the function that passes, if that is what `key` is: the whole event.
VFTR_INLINE bool end_count_only_call(ThreadState& state, std::uint64_t key) {
    if (!exchange_guard(state, key | CountOnlyBit, GuardReady))
        return false;
    state.record->count_only_node = 0;
    return true;
}

// Makes a frame of the count-only call and leaves the guard held for `hook`, the stack pointer of a hook's caller.
// false, and nothing has changed: none passes any more, as a signal handler came first.
bool materialize_frame(ThreadState& state, std::uint64_t hook);
// Likewise, and the guard is not passing then.
void materialize_frame(ThreadState& state);

// The calling thread's state for whoever is no hook.
inline ThreadState* materialized_thread() {
    ThreadState* state = current;
    if (VFTR_UNLIKELY(in_count_only_call(*state)))
        materialize_frame(*state);
    return state;
}

} // namespace vftr::record
