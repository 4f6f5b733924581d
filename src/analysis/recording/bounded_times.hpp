// SPDX-License-Identifier: BSD-3-Clause
//
// What hooks took, where there are no samples and the model of their costs contradicts itself.
//
// The costs of a pair of hooks are measured with calls of an empty function (record/timing/hook_costs.hpp). In a
// program they are a third more or less, as the processor overlaps them with what is around, and how they divide into
// the part within the call and that in its caller is known even less. Where a loop does little but call tiny functions,
// the model claims more of its time than there was (compensation.hpp): the loop is left with nothing, and what could
// not be taken from it stays with the functions that it called, of which some have all the time that the program has.
//
// Two things are better known. A function takes at least what calls take without hooks, in the caller and in what is
// called; and the cost of all pairs together is known to a third (UnknownPart). So where the model claims more than the
// paths have, the same estimate is made as with samples (sampled_times.hpp): the hooks' parts that are nearest to the
// model, of which each leaves its function the least that its calls take, and which add up to what the model claims in
// sum. What a caller has no room for is so taken from the functions that it calls, in the proportion of the squares of
// their costs. Long functions keep their exact times.
//
// The intervals are wide then, as nothing else is known: at least what the model is uncertain about (compensation.hpp).
// Held against a sampling profiler on the same run (bench/figures/sampled.sh): of seven programs with plain hooks the
// application times are 0.8 to 1.9 times the profiler's, where they were 0.9 to 2.6 times, and all but four of 45
// functions of 2 % and more have their share within its interval. All loops had 0 before.
#pragma once

#include "analysis/recording/thread_times.hpp"

#include <cstdint>
#include <span>

namespace vftr::analysis {

// Whether the model contradicts itself in more than a small part of the thread's time. Paths that were called a few
// times do not tell: what single calls take varies by more.
bool is_contradictory(const ThreadTimes& times, double cost_of_pair);

// Corrects the times of a thread. `function_of` tells the function of each node; there are `functions` of them.
void use_bounds(const vfd::ThreadView& thread, std::size_t functions, std::span<const std::uint32_t> function_of,
                double ns_per_tick, ThreadTimes& times);

} // namespace vftr::analysis
