// SPDX-License-Identifier: BSD-3-Clause
//
// The two functions that the compiler calls around every instrumented function.
#include "base/compiler.hpp"
#include "record/enter_leave.hpp"
#include "record/gate.hpp"
#include "record/pause.hpp"

#include <cerrno>

using namespace vftr::record;
using vftr::vfd::NodeKind;

namespace {

inline std::uint64_t as_number(const void* p) { return reinterpret_cast<std::uint64_t>(p); }

VFTR_COLD void enter_slowly(std::uint64_t function, Place place) {
    if (ThreadState* state = prepare(Wanted::Enter, place.stack_pointer)) {
        close_gate(*state, place.stack_pointer);
        enter(*state, function, NodeKind::Function, place);
        open_gate(*state);
    }
}

// A leave that is not the innermost frame's.
VFTR_COLD void leave_inner(ThreadState& state, std::uint64_t function, std::uint64_t stack_pointer, bool jumped) {
    int saved = errno;
    leave_inner_frame(state, function, stack_pointer, jumped, vftr::base::read_ticks());
    open_gate(state);
    errno = saved;
}

VFTR_COLD void leave_slowly(std::uint64_t function, std::uint64_t stack_pointer, bool jumped) {
    ThreadState* state = prepare(Wanted::Leave, stack_pointer);
    if (!state) {
        if (current->gate == GatePaused)
            leave_paused(*current, function, stack_pointer, jumped);
        return;
    }
    close_gate(*state, stack_pointer);
    leave_inner(*state, function, stack_pointer, jumped);
}

} // namespace

extern "C" {

VFTR_PUBLIC void __cyg_profile_func_enter(void* function, void* call_site);
VFTR_PUBLIC void __cyg_profile_func_exit(void* function, void* call_site);

void __cyg_profile_func_enter(void* function, void* call_site) {
    std::uint64_t stack_pointer = as_number(__builtin_dwarf_cfa());
    Place place{stack_pointer, static_cast<std::uint32_t>(as_number(call_site)),
                static_cast<std::uint32_t>(as_number(__builtin_return_address(0)))};
    ThreadState* state = current;
    if (VFTR_UNLIKELY(state->gate != GateReady)) {
        enter_slowly(as_number(function), place);
        return;
    }
    close_gate(*state, stack_pointer);
    enter(*state, as_number(function), NodeKind::Function, place);
    open_gate(*state);
}

void __cyg_profile_func_exit(void* function, void* call_site) {
    std::uint64_t stack_pointer = as_number(__builtin_dwarf_cfa());
    bool jumped = __builtin_return_address(0) == call_site;
    ThreadState* state = current;
    if (VFTR_UNLIKELY(state->gate != GateReady)) {
        leave_slowly(as_number(function), stack_pointer, jumped);
        return;
    }
    close_gate(*state, stack_pointer);
    if (VFTR_UNLIKELY(!answers(*state, as_number(function), stack_pointer, jumped))) {
        leave_inner(*state, as_number(function), stack_pointer, jumped);
        return;
    }
    leave_top(*state);
    open_gate(*state);
}

} // extern "C"
