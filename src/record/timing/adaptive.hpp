// SPDX-License-Identifier: BSD-3-Clause
//
// Adaptive timing: which calls of a path are timed.
//
// The two clock readings of a pair of hooks cost five times as much as the rest of it, and they say little about a
// function that takes less time than they do. So the calls of a path are timed for a while (sampled timing); if they
// prove short, only some calls are timed from then on. Each timed call then has a weight and stands for others
// (vfd::Estimate), which are count-only (count_only_call.hpp). All calls are counted. Paths that are called often are
// found by the slow path, which looks every 20 µs at whatever call is then running; sampled timing of every path from
// its first call on made programs with many paths slower than it saved.
//
// How many calls are timed. The error that sampling adds to a path's time shall stay below timing_error of that time.
// For n timed calls with a coefficient of variation c, the relative error is c/√n. The weight of a timed call grows
// with the number of calls, so that the number of timed calls is about the same in each doubling of the calls; the last
// doubling contributes three quarters of the squared error. For a confidence of z standard deviations this gives
//     n = z²·c² / (3·error²)
// timed calls in each doubling: up to 5000 for most functions and an error of 1 %, and never less than 1024, so that
// rare durations are seen. (For the variance of a stratified total see Cochran, Sampling Techniques, chapter 5.) c is
// measured on some calls that are all timed. If these would allow no count-only calls, the measurement is repeated a
// few times, since one of the calls may have touched a new page. Later c is measured on the timed calls of the doubling
// before, and the decision is made again after each doubling. While a path has fewer calls than n, all are timed
// without sampling statistics, until the slow path finds that there are enough. At least one call in a thousand is
// always timed: that costs the others next to nothing, and if a function becomes long, this is not seen before the next
// timed call.
//
// Calls are sampled only where that pays. A timed call among count-only ones is expensive, because the processor does
// not predict it, and a count-only call that calls another function gets a frame after all. So calls become count-only
// where that costs less, judged by what hooks cost in this process (vfd::HookCosts) and by how many of the fully timed
// calls have callees. On a path without callees, at least two in three calls have to become count-only.
//
// Outliers are calls far longer than the mean: a page is touched, a library is loaded, or the processor is interrupted.
// They have the weight 1 as long as their sum is less than timing_error of the time of the timed calls. (Three times
// the largest one is left out of that sum, as one interrupt in a call that would stand for a thousand others says
// nothing. A call in which the thread was preempted is left out as well, off_cpu.hpp.) If the sum is larger, outliers
// are a property of the path and are part of the variance from then on, which then asks for many timed calls: as many
// as one in RecurringStride, and no more unless two outliers come in a row, though the error is larger than
// timing_error then (readers are told, as of any). For interrupts look the same, and are too many on some machines:
// where each takes 40 µs and there are a thousand in a second, as on a virtual machine, all calls of a function of 1 ns
// were timed in one of three runs, and hooks took 3.5 times as long. The call after an outlier is always timed, so that
// a path whose calls have become long is exact from its first timed one on, whatever the calls wait for. Such a path is
// no longer sampled until the slow path finds a short call of it again.
//
// Where `vftr ctl` switches to exact timing, a path is sampled until its next timed call, which comes after at most
// 2046 count-only calls.
//
// Windowed functions (budget/budget.hpp). The first calls in a window are slow, as the processor has to fetch the
// changed text, and would pass for outliers that recur. What hooks cost in a window must be known, too. So the paths of
// windowed functions are not decided on: one call in WindowStride is timed, and outliers stand for themselves only.
//
// Exclusive times. The time of a count-only call is contained in that of the call around it, whether that is timed or
// has a weight itself. The exclusive time of a timed call is therefore what a count-only call adds to the time of its
// caller. Moving that, and nothing else, is right for each path by itself, whatever is timed above and below it (the
// formula is at vfd::Estimate).
#pragma once

#include "record/hot/thread_state.hpp"

namespace vftr::record {

// The stride of a sampled path of a windowed function.
inline constexpr std::uint32_t WindowStride = 256;

// Adds a timed call of a sampled path that has just left; its frame is still in memory above the top. Returns how many
// calls it stands for. Part of an event. Keeps errno.
std::uint32_t add_timing_sample(ThreadState& state, vfd::Frame& left, std::uint64_t now);

// On the slow path, for a call that has left: begins sampled timing of its path if the call was short and the path is
// not sampled yet.
void sample_timing_if_short(ThreadState& state, const vfd::Frame& left, std::uint64_t now);

// On the slow path with exact timing, for a call that has left: excludes its function if it is too hot
// (Settings::too_hot). With adaptive timing, the decisions on sampled paths find such functions. The mean duration is
// not used, as a single preemption spoils it. Instead, since the slow path is as likely to meet a call as the call is
// long, 32 tiny calls in a row show that hardly any of the function's time is in longer calls.
void exclude_if_tiny_and_hot(ThreadState& state, const vfd::Frame& left, std::uint64_t now);

// Makes all calls timed from the next one on, of this path or of all paths, until the path is decided on again. The
// guard is held.
void time_all_calls(ThreadState& state, std::uint32_t node);
void time_all_calls(ThreadState& state);

} // namespace vftr::record
