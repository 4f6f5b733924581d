// SPDX-License-Identifier: BSD-3-Clause
//
// What the recorder does now and then within a thread, besides what each hook does: it begins, makes a call path where
// a function is called for the first time, asks a filter about it, takes hook calls out of the text, ends. That takes
// microseconds each, milliseconds at the begin and the end, and is no time of the program: it is measured, cut out of
// the times of all functions that are running, and added up per thread (ThreadRecord::one_time_work), in the own time
// of the root, where readers find it and take it off.
#pragma once

#include "base/clock.hpp"
#include "record/thread_state.hpp"

namespace vftr::record {

// By the thread itself, whose hook has been at it since `begin`, ticks; its guard is held.
void charge_one_time_work(ThreadState& state, std::uint64_t begin);
// From `begin` to `end`, of which nothing was spent without a core.
void cut_out_one_time_work(ThreadState& state, std::uint64_t begin, std::uint64_t end);
// The calling thread's state, with its guard held by HeldGuard; nullptr: it is not recorded now.
ThreadState* recorded_thread();

// What the calling thread does while this lives is ours, for places that are no hook. The guard stays free: the dynamic
// linker, say, may run the program's constructors meanwhile. Where anything was recorded in between, nothing is
// charged.
class OneTimeWork {
public:
    OneTimeWork();
    ~OneTimeWork();
    OneTimeWork(const OneTimeWork&) = delete;
    OneTimeWork& operator=(const OneTimeWork&) = delete;

private:
    ThreadState* state_; // nullptr: it is not recorded now
    const vfd::Frame* top_;
    std::uint64_t begin_, last_, charged_; // ticks
};

} // namespace vftr::record
