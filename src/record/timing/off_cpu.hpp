// SPDX-License-Identifier: BSD-3-Clause
//
// Preemptions: time in which a thread had no core although it could have run.
//
// Where cores are shared with other work, a thread loses its core some hundred times a second, for milliseconds each.
// That says nothing about the function in which it happens, and it would hide what the hooks cost, which is CPU time.
// So a preemption is cut out of the times of all functions that were running, as if the clock had stood still, and
// added up per thread (ThreadRecord::preempted).
//
// How preemptions are found. Every 20 µs a timed event takes the slow path (slow_path.cpp). As long as slow paths
// follow each other closely, nothing is queried. The first one that comes later than LateSlowPath after the one before
// asks the kernel for the thread's CPU time and context switches (which takes a microsecond). The time that passed
// without CPU time was a preemption if the kernel counts an involuntary switch, and a wait for something (a disk, a
// lock, a timer) if it counts a voluntary one; if it counts both, /proc/<tid>/schedstat tells how long the thread was
// in the run queue. Waits stay in the function that waits. A thread that yields its core by sched_yield has an
// involuntary switch as well: in that time others ran.
//
// From where a preemption is cut out. As time has passed, the first timed event after a preemption takes the slow path.
// So the preemption lies between that event and the one before, and belongs to the innermost timed function of that
// interval: for a leave, the function that leaves if it has been running for long enough, else the one around it. If
// the preemption was in count-only calls (adaptive.hpp), it belongs to the caller, whose time contains them. MPI calls
// and the waits of OpenMP keep their time: a rank that polls and yields waits for a message, and its recording shows
// that.
//
// What is not seen: preemptions shorter than LateSlowPath, preemptions while the thread's hooks are not called for
// other reasons, and those of threads on a kernel that does not count switches (all times are wall-clock times then).
#pragma once

#include "base/compiler.hpp"
#include "record/hot/thread_state.hpp"

namespace vftr::record {

inline constexpr std::uint64_t LateSlowPath = 1 << 18; // ticks: about 0.1 ms
inline constexpr std::uint64_t ShortestPreemption =
    LateSlowPath / 8; // ticks: anything shorter is not taken for a preemption

// Called when the calling thread begins, or continues in a forked child.
void begin_off_cpu(ThreadState& state, std::uint64_t now);

// For an event at `now`. `innermost` is the frame of the function that was entered, or of the one that has just left
// and whose frame lies above the top. Cuts a preemption out and returns its ticks; 0: there was none. Keeps errno.
VFTR_COLD std::uint64_t query_preemption(ThreadState& state, vfd::Frame& innermost, std::uint64_t now);
inline std::uint64_t look_for_preemption(ThreadState& state, vfd::Frame& innermost, std::uint64_t now) {
    if (VFTR_LIKELY(now - state.off_cpu.latest_slow_path < LateSlowPath)) {
        state.off_cpu.latest_slow_path = now;
        return 0;
    }
    return query_preemption(state, innermost, now);
}

// Brings the thread's CPU time up to date, and cuts out preemptions since the latest event. For the calling thread,
// with its guard held. Returns the ticks that were cut out of the time before `now`: a preemption while the kernel was
// queried is cut out as well, but is no part of that time.
std::uint64_t charge_off_cpu(ThreadState& state, std::uint64_t now);
// The same for the calling thread, if it is recorded, with its guard held by HeldGuard.
void charge_off_cpu_here();
// Called when the calling thread is about to begin the recording; once it is recorded, this time counts as part of its
// life.
void note_off_cpu_of_start();
// Continues after a pause, whose time belongs to no function.
void go_on_off_cpu(ThreadState& state, std::uint64_t now);

// How long the calling thread could have run but had no core, whether it is recorded or not.
class CoreWait {
public:
    void begin();
    std::uint64_t ns() const; // since begin(); 0: begin() was not called, or the kernel does not tell

private:
    OffCpuClock begin_{};
};

} // namespace vftr::record
