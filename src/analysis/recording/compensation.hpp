// SPDX-License-Identifier: BSD-3-Clause
//
// Compensation subtracts the cost of the hooks from the times that contain it, and moves the time of calls that were
// only counted from their callers to them.
//
// A path has T timed calls (R of which are samples that represent others), U count-only calls and F folded calls. A
// pair of hooks costs `timed`, `count-only` (plus `nesting` where the call has callees) or `folded`; `inside` is the
// part of `timed` that a timed call measures of its own hooks (vfd::HookCosts). Then
//   - in the path's own time there are T·inside + F·folded;
//   - in its caller's own time there are T·(timed − inside) + U·(count-only, plus nesting for calls that have callees).
// An estimate is made from the timed samples, so for each of the U calls whose time it moves from the caller to the
// path it also contains what a rare timed call measures of its hooks. Those hooks did not run in the U calls, so that
// cost is subtracted from the moved time and stays with the caller. The recording does not tell how many count-only
// calls have callees; their number is bounded by U and by the number of calls of all callees.
//
// Two readings of the clock take time even where nothing lies between them, but the processor can do other work
// meanwhile. Where the work between two readings, in the function or between its calls, takes longer than the readings,
// the hooks cost less (timed_long), and the hooks add little to what is measured within the function (inside_long). The
// amount of work between two readings is known from the measurement: it is the path's own time divided by the number of
// readings in it. The costs are interpolated linearly between 1.5 times and 2.25 times the duration of two readings;
// above that the readings are completely hidden. The total cost of a pair moves only half way to timed_long: timed_long
// is measured with work that hides as much as can be hidden, and in eight programs the hooks cost as much as half way
// (bench/figures/totals.sh). Where only some calls are timed, the processor predicts that a call is not, and throws
// away what it has begun in each call that is: these R calls cost timed_rare. Count-only calls cost `count-only` where
// one follows the other directly, and count_only_apart where their caller does as much work between its calls, of
// whatever callee, as is said above.
//
// Even so, the cost of a pair depends on the surrounding program, by a third either way. But the time in which all this
// happened is certain: it is the path's own time before anything is subtracted. If the cost of its own hooks, the cost
// of its callees' hooks in it and the times of their count-only calls add up to more than that, each of them is scaled
// by the same factor, and no own time is left. Only that part of a path's inside cost for which its own time does not
// suffice goes to its caller, as the cost of a pair is known better than where it falls. So no time is negative, and
// the sum of all exclusive times and costs is the time that passed. The inclusive time of a path loses what all paths
// below it lose; where recursion is folded onto outer paths (which the tree does not show), it is reduced in the
// proportion in which the paths below it lose time.
//
// The uncertainty of a path's own time is the larger of two numbers. The first is a third (UnknownPart) of the hooks'
// cost between the readings of the clock in its calls, including that which was subtracted from the times that were
// moved to it. The second accounts for calls that take about as long as two readings of the clock: the processor may
// overlap their work with the readings (it does so for a chain of dependent operations, not for other code). It is all
// of that cost, but not more than the own time that is left, and that much may be in the caller's time instead. For
// example, of a function of 34 ns (30 dependent multiplications) 27 ns are found, and the other 7 ns appear in its
// caller. A caller's uncertainty also includes that of its callees, and a third of the cost of their hooks in its time.
//
// The time that a thread spends in measuring the cost of hooks (ThreadRecord::sampling) is in its root's own time, and
// is subtracted there.
//
// Calls of excluded functions are not counted, so the cost of their hooks stays in the caller's time.
#pragma once

#include "analysis/recording/thread_times.hpp"

namespace vftr::analysis {

constexpr double UnknownPart = 1.0 / 3; // of the hooks' cost is taken as uncertain

// Takes the raw times, which are those measured, and fills all others. On entry, exclusive times may be negative
// (modulo 2^64) where an estimate belongs to the path or to a callee.
void compensate(const vfd::ThreadView& thread, const vfd::HookCosts& costs, ThreadTimes& times);

} // namespace vftr::analysis
