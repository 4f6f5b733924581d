// SPDX-License-Identifier: BSD-3-Clause
#include "follow/process_role.hpp"

#include "base/compiler.hpp"
#include "base/system_call.hpp"
#include "base/wiped_on_fork.hpp"
#include "record/recorder.hpp"
#include "record/threads/forked_child.hpp"

#include <atomic>

namespace vftr::follow {

using record::Phase;
using record::recorder;

namespace {

// The pid of the process that this memory belongs to. The kernel wipes it in a forked child, whose memory is its own;
// memory_is_own() then stores the child's pid.
base::WipedOnFork<std::atomic<pid_t>> owner;
pid_t loaded_in = 0;

} // namespace

pid_t own_pid() { return static_cast<pid_t>(base::system_call(SYS_getpid)); }

void prepare_process_role() {
    loaded_in = own_pid();
    if (owner.make())
        owner->store(own_pid(), std::memory_order_relaxed);
}

bool is_the_one_loaded() { return loaded_in == own_pid(); }

bool memory_is_own() {
    std::atomic<pid_t>* const known = owner.get();
    if (!known)
        return false;
    if (known->load(std::memory_order_relaxed) == 0)
        known->store(own_pid(), std::memory_order_relaxed);
    return known->load(std::memory_order_relaxed) == own_pid();
}

VFTR_COLD ProcessRole process_role() {
    Phase phase = recorder.phase.load(std::memory_order_acquire);
    if ((phase != Phase::Running && phase != Phase::Ended) || record::embedded())
        return ProcessRole::Unrecorded;
    if (record::in_forked_child())
        return ProcessRole::ForkedChild;
    const pid_t pid = own_pid();
    // A sandbox may forbid to ask; it is hardly one in which there are children of vfork.
    const bool own = pid <= 0 || recorder.writer.header().pid == static_cast<std::uint32_t>(pid);
    return own ? ProcessRole::Recorded : ProcessRole::Borrowed;
}

} // namespace vftr::follow
