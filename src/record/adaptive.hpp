// SPDX-License-Identifier: BSD-3-Clause
//
// Adaptive timing: which calls of a path are timed.
//
// Two readings of the clock cost five times what the rest of a pair of hooks does, and of a function that takes less
// than that they tell little. So paths are watched for some calls; if they prove short, only some of the calls are
// timed from then on and stand for the others (vfd::Estimate), which pass (count_only_call.hpp). All calls are counted.
// Every 20 µs the slow path at whatever call there is finds the paths that are called often; to watch all from their
// first call on made programs with many paths dearer than it saves them.
//
// How many. The error that this makes in a path's time shall stay below timing_error of it. Of n timed calls with a
// coefficient of variation c the relative error is c/√n. What one of them stands for grows with the number of calls, so
// that the number of timed calls is about the same in each doubling of the calls; the last doubling has three quarters
// of the error's square. For a confidence of z standard deviations that is
//     n = z²·c² / (3·error²)
// timed calls in each doubling: up to 5000 for most functions and an error of 1 %, and never less than 1024, so that
// what is rare is met. (The variance of a stratified total: Cochran, Sampling Techniques, 5.) c is measured on some
// calls that are all timed (a few times, if they would let none pass: a page is touched in one of them), then on the
// timed ones of the doubling before, and the decision is made again after each. As long as a path has fewer calls than
// that, all are timed, and not looked at, until the slow path finds that there are enough. One call in a thousand is
// timed in any case: that costs the others next to nothing, and a function may become long, of which nothing is seen
// before the next timed call.
//
// And only where it pays. A timed call among others that are not is dear, as the processor does not foresee it; and a
// call that passes and calls somebody gets its frame after all. So calls pass where that costs less, by what hooks cost
// here and now (vfd::HookCosts) and how many of the calls that are all timed call somebody: of a path without callees
// at least two in three.
//
// Outliers, far longer than the mean: a page is touched, a library is loaded, the processor is interrupted. They stand
// for themselves only, as long as they are less than timing_error of the time of the timed calls. (The three largest do
// not count: one interrupt in a call that would stand for a thousand others says nothing. Nor does a call in which the
// thread was preempted, off_cpu.hpp.) If they are more, they are a property of the path and part of the variance from
// then on, which then is so large that nearly all calls are timed. The call after an outlier is timed in any case, so
// that a path whose calls have become long is exact from its first timed one on, whatever it is that they wait for. A
// path whose calls have become long is not watched any more, until the slow path finds a short one again.
//
// Exclusive times. A count-only call's time is in that of the call around it, whether that is timed or stands for
// others itself. A timed call's own time is therefore what a count-only one adds to its caller's; to move that, and
// nothing else, is right for each path by itself, whatever is timed above and below it (the formula is at
// vfd::Estimate).
#pragma once

#include "record/thread_state.hpp"

namespace vftr::record {

// A timed call of a sampled path has left; its frame is still in its place above the top. Part of an event; errno is
// kept.
void add_timing_sample(ThreadState& state, vfd::Frame& left, std::uint64_t now);

// On the slow path at a call that has left: watches its path if it is a short one that is not watched.
void sample_timing_if_short(ThreadState& state, const vfd::Frame& left, std::uint64_t now);

// On the slow path with exact timing at a call that has left: excludes its function if it is too hot
// (Settings::too_hot), which with adaptive timing the decisions on sampled paths find. Not by the mean of its calls,
// which a single preemption spoils: a look is as likely to come in a call as that is long, so where 32 in a row find
// tiny ones, hardly any of the function's time is in others.
void exclude_if_tiny_and_hot(ThreadState& state, const vfd::Frame& left, std::uint64_t now);

// From the next call on all are timed until the path is decided on again: of this path, or of all. Guard held.
void time_all_calls(ThreadState& state, std::uint32_t node);
void time_all_calls(ThreadState& state);

} // namespace vftr::record
