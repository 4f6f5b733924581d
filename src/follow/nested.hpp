// SPDX-License-Identifier: BSD-3-Clause
//
// Recognises nested calls. The function that a wrapper calls may belong to another interposer, and may call a wrapper
// of this library again; that nested call goes straight through.
//
// in_real_call says that a call is in progress. A child of vfork sets it in the thread-local memory of its parent,
// where it stays set if the exec succeeds: so it contains the pid. A signal handler may jump out of the call without
// clearing it: so it contains the frame's address, too, and only a call that is deeper on the stack counts as nested.
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
