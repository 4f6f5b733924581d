// SPDX-License-Identifier: BSD-3-Clause
#include "record/threads/share_thread.hpp"

#include "base/errno_preserved.hpp"
#include "record/hot/reentrancy_guard.hpp"

namespace vftr::record {

void share_thread() {
    base::preserving_errno([] {
        const auto here = reinterpret_cast<std::uint64_t>(__builtin_frame_address(0));
        ThreadState* state = materialized_thread();
        if (state->guard == GuardOff)
            state = prepare(Wanted::Enter, here);
        if (!state || state->is_shared || !state->record)
            return;
        state->is_shared = true;
        if (state->recording_state == GuardReady)
            state->recording_state = GuardShared;
        if (state->guard == GuardReady)
            state->guard = GuardShared;
        request_slow_path(*state);
    });
}

} // namespace vftr::record
