// SPDX-License-Identifier: BSD-3-Clause
//
// CPU samples of recorded threads: hooks know what was called, by whom and how often; samples know where
// the time went, also that of the hooks themselves and of code without hooks.
//
// The kernel takes them (sample_ring.hpp) each 1.0 ms of a thread's CPU time, or less often where that costs more than
// 0.2 % of it (sample_cost.hpp). The slow path of an event, which a thread that calls hooks takes each 20 µs, looks
// whether there is a new one; it then belongs to the path that has been running since the last timed event. Samples are
// added up by address and path (vfd::CpuSample) in the file, so that a killed process loses only what is still in the
// ring. What nobody has taken when a thread or the recording ends is taken then.
//
// What it costs beside that. To begin takes 60 µs of a thread's life with its end, so no more threads begin than their
// share of the process's life pays for: one for each 50 ms and thread. The first one also takes half a millisecond to
// measure what samples cost; and the first event of a machine some 12 ms of waiting, as the kernel changes its own text
// for it. So none begins in the first 0.2 s. A thread that is refused asks again when it reads the clocks. Hooks
// execute nothing more.
//
// Where it is not possible everything else goes on: without permission (EACCES, EPERM, ENOSYS) no thread asks again;
// without memory for a ring (ENOMEM) that thread is not sampled, which the log says. Under a seccomp filter nothing is
// asked for, since the filter may answer a call that the program does not make by killing it.
//
// The ring of a thread is drained by itself and by the thread that ends the recording, so both need its lock. Nobody
// waits for it: who does not get it leaves the samples to the other.
#pragma once

#include "base/compiler.hpp"
#include "record/hot/thread_state.hpp"

#include <cstdint>
#include <functional>

namespace vftr::record {

// All three for the calling thread, with its guard held. begin_samples() says whether it has taken time.
bool begin_samples(ThreadState& state);
void take_samples(ThreadState& state, std::uint32_t node);
void end_samples(ThreadState& state);

// For an event: `node` is the path that was running before it.
inline void look_for_samples(ThreadState& state, std::uint32_t node) {
    if (VFTR_UNLIKELY(state.samples.ring.has_samples()))
        take_samples(state, node);
}

// Calls visit for each record of samples in memory, of all threads, which may change its address and module: two
// records of a thread may have the same. Records of a thread that is adding to them at the moment are left out.
void for_each_sample_record(const std::function<void(vfd::CpuSample&)>& visit);

// Takes what is left in the rings of all threads, for the paths in which they are now. With the guard held.
void take_samples_of_all_threads();

} // namespace vftr::record
