// SPDX-License-Identifier: BSD-3-Clause
#include "follow/process_role.hpp"

#include "base/compiler.hpp"
#include "base/memory.hpp"
#include "base/system_call.hpp"
#include "record/recorder.hpp"
#include "record/threads/forked_child.hpp"

namespace vftr::follow {

using record::Phase;
using record::recorder;

namespace {

// The process whose memory this is. The kernel wipes it in forked children, whose memory is their own again.
volatile pid_t* owner = nullptr;
pid_t loaded_in = 0;

} // namespace

pid_t own_pid() { return static_cast<pid_t>(base::system_call(SYS_getpid)); }

void prepare_process_role() {
    loaded_in = own_pid();
    owner = static_cast<volatile pid_t*>(base::map_wiped_on_fork(sizeof(pid_t)));
    if (owner)
        *owner = own_pid();
}

bool is_the_one_loaded() { return loaded_in == own_pid(); }

bool memory_is_own() {
    if (!owner)
        return false;
    if (*owner == 0)
        *owner = own_pid();
    return *owner == own_pid();
}

VFTR_COLD ProcessRole process_role() {
    Phase phase = recorder.phase.load(std::memory_order_acquire);
    if ((phase != Phase::Running && phase != Phase::Ended) || record::embedded())
        return ProcessRole::Unrecorded;
    if (record::in_forked_child())
        return ProcessRole::ForkedChild;
    bool own = recorder.writer.header().pid == static_cast<std::uint32_t>(own_pid());
    return own ? ProcessRole::Recorded : ProcessRole::Borrowed;
}

} // namespace vftr::follow
