// SPDX-License-Identifier: BSD-3-Clause
//
// vftrace_exclude and vftrace_include, by which the program excludes functions and includes them again at run time
// (include/vftrace.h).
#include "vftrace.h"

#include "base/compiler.hpp"
#include "base/errno_preserved.hpp"
#include "filter/run_time.hpp"
#include "record/hot/decision_update.hpp"
#include "record/hot/filter_decisions.hpp"
#include "record/hot/reentrancy_guard.hpp"

namespace {

using Change = bool (*)(std::uint64_t function);

int change_here(void (*function)(void), Change change) {
    using namespace vftr::record;
    const auto here = reinterpret_cast<std::uint64_t>(__builtin_frame_address(0));
    if (!function || (current->guard == GuardOff && !prepare(Wanted::Enter, here)))
        return -1;
    HeldGuard held;
    const auto address = reinterpret_cast<std::uint64_t>(function);
    if (!change(address))
        return -1;
    decision_has_changed(address);
    follow_decisions_here();
    return 0;
}

int change(void (*function)(void), Change change) {
    return vftr::base::preserving_errno([&] { return change_here(function, change); });
}

} // namespace

extern "C" {

VFTR_PUBLIC int vftrace_exclude(void (*function)(void)) { return change(function, vftr::filter::exclude); }

VFTR_PUBLIC int vftrace_include(void (*function)(void)) { return change(function, vftr::filter::include); }

} // extern "C"
