// SPDX-License-Identifier: BSD-3-Clause
//
// What the hooks cost is subtracted where it fell, and the time of calls that were only counted goes from their callers
// to them.
//
// A path has T timed calls, R of which stand for others, U count-only ones and F folded ones; a pair of hooks costs
// `timed`, `count-only` (and `nesting` more where the call calls somebody) or `folded`, of which `inside` is what a
// timed call sees of its own hooks (vfd::HookCosts). Then
//   - in the path's own time there are T·inside + F·folded;
//   - in its caller's own time there are T·(timed − inside) + U·(count-only + nesting of those that call somebody).
// The calls that stand for others are timed, so each of the U that an estimate moves from the caller to the path brings
// what a rare timed call sees of its hooks with it. That did not run: it is taken off what is moved, and stays with the
// caller. How many count-only calls call somebody is not recorded: at most as many as there are calls below, and not
// more than there are.
//
// Two readings of the clock take their time even where nothing lies between them; but a processor does other things
// meanwhile. Where more lies between them than that takes, in the function or between its calls, the hooks cost less
// (timed_long), and what lies within the function adds little to what is measured (inside_long). What lies between is
// known as measured: a path's own time by the number of readings in it. Between one and a half times and twice and a
// quarter of what two readings take, from where on nothing of them is seen any more, the costs go from the one to the
// other in proportion. What a pair costs in all gets only half way to timed_long: that is measured with work of which
// all is hidden that can be, and of eight programs the hooks cost as much as half way (bench/figures/totals.sh). Where
// only some calls are timed, the processor foresees that they are not, and what it has begun is thrown away in each
// that is: R of them cost timed_rare. Count-only calls cost `count-only` where one comes after the other, and
// count_only_apart where there is as much between the calls in their caller, they and all others, as above.
//
// What a pair costs depends on the program around it all the same, by a third either way. But the time in which all
// this happened is certain: a path's own time before anything is taken out of it. If its hooks' cost, its callees' cost
// in it and the times of their count-only calls are more than that, each of these gets the same part of what it wants,
// and nothing is left. Only the part of a path's cost inside that its own time has not got goes to its caller, as the
// cost of a pair is known better than where it falls. So no time is below zero, and the sum of all exclusive times and
// costs is the time that passed. The inclusive time of a path loses what all paths below it lose; where recursion is
// folded onto paths further out (which the tree does not show) in the proportion in which the paths below it lose time.
//
// What is unknown of a path's own time. A third of what was taken of it, and of what was taken off the times that were
// moved to it, as a reading of the clock in a call that is not timed would have cost that, too. And as calls that take
// about as long as two readings may hide what lies between these (a chain of operations that wait for each other does,
// others do not): all of that, up to the time of the calls themselves. That much may be in the caller's time instead.
// Of a function of 34 ns, 30 multiplications that wait for each other, 27 ns are found, and the others in its caller.
//
// What a thread spends in finding out what hooks cost (ThreadRecord::sampling) is in its root's own time, and taken off
// that.
//
// Calls of functions that are excluded are not counted, so what their hooks cost stays in the caller's time.
#pragma once

#include "analysis/thread_times.hpp"

namespace vftr::analysis {

constexpr double UnknownPart = 1.0 / 3; // of what the hooks cost

// The raw times are those measured; fills all others. Exclusive times may be below 0 modulo 2^64 where an estimate
// belongs to the path or a callee.
void compensate(const vfd::ThreadView& thread, const vfd::HookCosts& costs, ThreadTimes& times);

} // namespace vftr::analysis
