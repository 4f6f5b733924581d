// SPDX-License-Identifier: BSD-3-Clause
//
// What the hooks cost in this process (vfd::HookCosts).
//
// A processor does not run at one speed: its clock frequency follows load and heat, and its cores and caches are shared
// with other work. On a virtual machine the same loop can take a third longer from one second to the next, and the
// least time that it ever takes does not tell what a program lost. So samples of a tenth of a millisecond are taken
// over the whole run, on slow paths of any thread; the mean of the steady ones counts (steady_times.hpp). They take at
// most a thousandth of the time.
#pragma once

#include "record/recorder.hpp"
#include "record/timing/calibrate.hpp"
#include "vfd/format.hpp"

#include <atomic>
#include <cstdint>

namespace vftr::record {

// The model: computes from the sums of the samples what each kind of call costs.
vfd::HookCosts costs_of(const AllPairTimes& sums);

// Called when the recording begins and no thread is recorded yet. Puts the first samples into the file's header, for
// adaptive timing, and for a reader of the file of a process that was killed. A forked child has its parent's mean
// instead: it runs the same code on the same machine, and samples would take longer than many children live.
void begin_hook_costs(bool forked);
// On the slow path of any thread, at `now`: takes a sample if the latest one is long ago and no other thread is taking
// one. Returns the ticks that it took, or 0; the time of a signal handler that was held back until its end is not
// included. Keeps errno.
std::uint64_t sample_hook_costs(std::uint64_t now);
// Puts the mean over the run into the file's header. It is called more than once if the recording goes on; other
// threads may be in their hooks.
void put_hook_costs();
// One of the costs in the file's header. Any thread may call it, also while another one writes them.
inline double hook_cost(double vfd::HookCosts::*which) {
    return std::atomic_ref(recorder.writer.header().costs.*which).load(std::memory_order_relaxed);
}

} // namespace vftr::record
