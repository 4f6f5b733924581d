// SPDX-License-Identifier: BSD-3-Clause
//
// Time in which a thread had no core although it could have run: it was preempted.
//
// Where cores are shared with other work, a thread is taken off its core some hundred times a second, for milliseconds
// each. That says nothing of the function in which it happens, and what the hooks cost, which is CPU time, could not be
// told from it. So a preemption is cut out of the times of all functions that were running, as if the clock had stood
// still, and added up per thread (ThreadRecord::preempted).
//
// How it is found. Every 20 µs some timed event gets the slow path (slow_path.cpp). Nothing is asked then as long as
// the looks follow each other: the first look after more than LateSlowPath asks the kernel for the thread's CPU time
// and its context switches (a microsecond). What passed without CPU time was a preemption if the kernel counts an
// involuntary switch, and a wait for something (a disk, a lock, a timer) if it counts a voluntary one; if both,
// /proc/<tid>/schedstat tells how long the thread stood in the run queue. Waits stay in the function that waits. A
// thread that gives its core away by sched_yield has an involuntary switch as well: time in which others ran.
//
// Where it is cut out. The first timed event after a preemption gets the look, as time has passed. So the preemption
// lies between that event and the event before, and belongs to the innermost timed function of then: of a leave that
// which leaves, if it has been running for long enough, else the one around it. In calls that are not timed
// (adaptive.hpp) that is the caller, in whose time they are as well. MPI and the waits of OpenMP keep their time: a
// rank that polls and yields waits for a message, and that is what it shows.
//
// What is not seen: preemptions below LateSlowPath, those at times in which the hooks of the thread are not called for
// other reasons, and threads on a kernel that does not count (then all times are wall-clock times).
#pragma once

#include "base/compiler.hpp"
#include "record/thread_state.hpp"

namespace vftr::record {

inline constexpr std::uint64_t LateSlowPath = 1 << 18;                // ticks: about 0.1 ms
inline constexpr std::uint64_t ShortestPreemption = LateSlowPath / 8; // ticks: less than that is none

// The calling thread begins, or goes on in a forked child.
void begin_off_cpu(ThreadState& state, std::uint64_t now);

// Of an event at `now`, whose innermost frame is that of the function that was entered, or that has just left and lies
// above the top. Cuts a preemption out and returns its ticks, 0: there was none. errno is kept.
VFTR_COLD std::uint64_t ask_for_preemption(ThreadState& state, vfd::Frame& innermost, std::uint64_t now);
inline std::uint64_t look_for_preemption(ThreadState& state, vfd::Frame& innermost, std::uint64_t now) {
    if (VFTR_LIKELY(now - state.off_cpu.latest_slow_path < LateSlowPath)) {
        state.off_cpu.latest_slow_path = now;
        return 0;
    }
    return ask_for_preemption(state, innermost, now);
}

// Brings the thread's CPU time up to date, and cuts out what came since the latest event. For the calling thread, with
// its guard held.
void charge_off_cpu(ThreadState& state, std::uint64_t now);
// For the calling thread, if it is recorded, with its guard held by HeldGuard.
void charge_off_cpu_here();
// The calling thread is about to begin the recording, which is part of its life once it begins in it.
void note_off_cpu_of_start();
// After a pause, whose time is no function's.
void go_on_off_cpu(ThreadState& state, std::uint64_t now);

// How long the calling thread could have run and had no core, whether it is recorded or not.
class CoreWait {
public:
    void begin();
    std::uint64_t ns() const; // since then; 0: it has not begun, or the kernel does not tell

private:
    OffCpuClock begin_{};
};

} // namespace vftr::record
