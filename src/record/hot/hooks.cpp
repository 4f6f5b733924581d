// SPDX-License-Identifier: BSD-3-Clause
//
// The two functions that the compiler calls around every instrumented function.
#include "base/compiler.hpp"
#include "record/hot/decision_update.hpp"
#include "record/hot/enter_leave.hpp"
#include "record/hot/reentrancy_guard.hpp"
#include "record/pause.hpp"
#include "record/threads/forked_path.hpp"
#include "record/threads/shared_thread.hpp"

using namespace vftr::record;
using vftr::vfd::NodeKind;

namespace {

inline std::uint64_t as_number(const void* p) { return reinterpret_cast<std::uint64_t>(p); }

inline CallAddresses addresses_of(std::uint64_t stack_pointer, std::uint64_t call_site, std::uint64_t hook_site) {
    return {stack_pointer, static_cast<std::uint32_t>(call_site), static_cast<std::uint32_t>(hook_site)};
}

// True if recording is off or has ended; costs two loads and two branches.
inline bool off() { return recorder.phase.load(std::memory_order_relaxed) >= Phase::Off; }

// Any enter but a repeated call of the same callee. This is hot where one function calls many others in turn.
__attribute__((noinline)) void enter_other(std::uint64_t function, std::uint64_t call_site, std::uint64_t stack_pointer,
                                           std::uint64_t hook_site) {
    enter(*current, function, NodeKind::Function, addresses_of(stack_pointer, call_site, hook_site));
}

VFTR_COLD void enter_not_ready(std::uint64_t function, std::uint64_t call_site, std::uint64_t stack_pointer,
                               std::uint64_t hook_site) {
    if (current->guard == GuardPaused && is_own(*current))
        look_for_trigger(*current, function);
    if (ThreadState* state = prepare(Wanted::Enter, stack_pointer)) {
        hold_guard(*state, stack_pointer);
        enter_other(function, call_site, stack_pointer, hook_site);
    }
}

// The first callee within a count-only call.
__attribute__((noinline)) void enter_nested(std::uint64_t function, std::uint64_t call_site,
                                            std::uint64_t stack_pointer, std::uint64_t hook_site) {
    ThreadState& state = *current;
    if (VFTR_UNLIKELY(!materialize_frame(state, stack_pointer)))
        return enter_not_ready(function, call_site, stack_pointer, hook_site);
    if (!enter_again(state, function, addresses_of(stack_pointer, call_site, hook_site)))
        enter_other(function, call_site, stack_pointer, hook_site);
}

VFTR_COLD void leave_rarely(std::uint64_t function, std::uint64_t stack_pointer, bool jumped) {
    leave(*current, function, stack_pointer, jumped);
}

// A leave that does not match the innermost frame; in most cases that of a function that is not recorded.
__attribute__((noinline)) void leave_other(std::uint64_t function, std::uint64_t stack_pointer, bool jumped) {
    ThreadState& state = *current;
    std::uint32_t id;
    if (state.children.find_at_home(state.nodes, state.top->node, function, id) && state.nodes[id].countdown < 0)
        release_guard(state);
    else
        leave_rarely(function, stack_pointer, jumped);
}

VFTR_COLD void leave_not_ready(std::uint64_t function, std::uint64_t stack_pointer, bool jumped) {
    ThreadState* state = prepare(Wanted::Leave, stack_pointer);
    if (!state) {
        if (current->guard == GuardPaused && is_own(*current))
            leave_paused(*current, function, stack_pointer, jumped);
        else if (current->guard == GuardOff)
            leave_inherited(function, stack_pointer, jumped);
        return;
    }
    hold_guard(*state, stack_pointer);
    leave_other(function, stack_pointer, jumped);
}

} // namespace

extern "C" {

VFTR_PUBLIC void __cyg_profile_func_enter(void* function, void* call_site);
VFTR_PUBLIC void __cyg_profile_func_exit(void* function, void* call_site);

void __cyg_profile_func_enter(void* function, void* call_site) {
    std::uint64_t stack_pointer = as_number(__builtin_dwarf_cfa());
    std::uint64_t hook_site = as_number(__builtin_return_address(0));
    ThreadState* state = current;
    if (state->guard != GuardReady) {
        if (in_count_only_call(*state))
            enter_nested(as_number(function), as_number(call_site), stack_pointer, hook_site);
        else if (!off())
            enter_not_ready(as_number(function), as_number(call_site), stack_pointer, hook_site);
        return;
    }
    hold_guard(*state, stack_pointer);
    if (!enter_again(*state, as_number(function), addresses_of(stack_pointer, as_number(call_site), hook_site)))
        enter_other(as_number(function), as_number(call_site), stack_pointer, hook_site);
}

void __cyg_profile_func_exit(void* function, void* call_site) {
    std::uint64_t stack_pointer = as_number(__builtin_dwarf_cfa());
    bool jumped = __builtin_return_address(0) == call_site;
    ThreadState* state = current;
    if (is_count_only_call_of(*state, as_number(function)) && end_count_only_call(*state, as_number(function)))
        return;
    if (state->guard != GuardReady) {
        if (!off())
            leave_not_ready(as_number(function), stack_pointer, jumped);
        return;
    }
    hold_guard(*state, stack_pointer);
    if (VFTR_LIKELY(matches_top(*state, as_number(function), stack_pointer, jumped) &&
                    vftr::base::counter_is_trusted()))
        leave_top<Plain::Strict>(*state);
    else
        leave_other(as_number(function), stack_pointer, jumped);
}

} // extern "C"
