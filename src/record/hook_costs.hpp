// SPDX-License-Identifier: BSD-3-Clause
//
// What the hooks cost in this process (vfd::HookCosts).
//
// A processor does not run at one speed: its clock follows load and heat, and others share its cores and caches. On a
// virtual machine the same loop takes a third longer from one second to the next, and the least that it ever takes is
// no measure of what a program lost. So samples are taken over the whole run, of a tenth of a millisecond, at slow
// paths of whatever thread comes along; what counts is their mean. They take at most a thousandth of the time.
#pragma once

#include "record/calibrate.hpp"
#include "record/recorder.hpp"
#include "vfd/format.hpp"

#include <atomic>
#include <cstdint>

namespace vftr::record {

// The model: what the samples, added up, say of each kind of call.
vfd::HookCosts costs_of(const AllPairTimes& sums);

// When the recording begins and no thread is recorded yet: forgets what was sampled before (by a parent), and puts the
// first samples into the file's header, for adaptive timing, and for whoever reads the file of a process that was
// killed.
void begin_hook_costs();
// On the slow path of any thread, `now`: takes a sample, if the latest is long ago and no other thread takes one. The
// ticks that it took, or 0: a signal handler that has waited for its end is not in them. errno is kept.
std::uint64_t sample_hook_costs(std::uint64_t now);
// Puts the mean over the run into the file's header. More than once, if the recording goes on; other threads may be in
// their hooks.
void put_hook_costs();
// One of those in the file's header. Any thread, also while another one puts them there.
inline double hook_cost(double vfd::HookCosts::*which) {
    return std::atomic_ref(recorder.writer.header().costs.*which).load(std::memory_order_relaxed);
}

} // namespace vftr::record
