// SPDX-License-Identifier: BSD-3-Clause
//
// The function behind ours may be another interposer's that calls one of ours again; that call goes straight through.
//
// In a child of vfork the mark is set in the thread state of the parent, and stays there when the exec succeeds; hence
// the pid. And a signal handler may jump out of the call; hence the stack pointer, below which a nested call must be.
#pragma once

#include "base/compiler.hpp"
#include "follow/process_role.hpp"

#include <cstdint>

namespace vftr::follow {

struct RealCallInForce {
    pid_t pid;
    std::uintptr_t frame;
};
extern __thread volatile RealCallInForce in_real_call __attribute__((tls_model("initial-exec")));

VFTR_INLINE std::uintptr_t this_frame() { return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)); }

VFTR_INLINE bool nested() {
    return in_real_call.pid != 0 && this_frame() < in_real_call.frame && in_real_call.pid == own_pid();
}

class RealCall {
public:
    VFTR_INLINE RealCall() {
        in_real_call.frame = this_frame();
        in_real_call.pid = own_pid();
    }
    ~RealCall() { in_real_call.pid = 0; }
    RealCall(const RealCall&) = delete;
    RealCall& operator=(const RealCall&) = delete;
};

} // namespace vftr::follow
