// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/recording/bounded_times.hpp"

#include "analysis/profile/each_node.hpp"
#include "analysis/recording/compensation.hpp"
#include "analysis/recording/sampled_times.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace vftr::analysis {
namespace {

// What a call takes at least, ns: its caller does something between two calls, and what is called has instructions of
// its own, if only some that were moved into the caller.
constexpr double InCaller = 1, InCallee = 0.25;

} // namespace

bool is_contradictory(const ThreadTimes& times, double cost_of_pair) {
    constexpr double Small = 0.005;
    constexpr double FewestCalls = 16; // of a path, on average
    return times.claimed > FewestCalls * static_cast<double>(times.of.size()) * cost_of_pair &&
           times.claimed - overhead_of(times) > Small * static_cast<double>(times.life);
}

void use_bounds(const vfd::ThreadView& thread, std::size_t functions, std::span<const std::uint32_t> function_of,
                double ns_per_tick, ThreadTimes& times) {
    FunctionTimes known = function_times(thread, functions, function_of, times);
    const double overhead = overhead_of(times), more = overhead > 0 ? times.claimed / overhead : 1;
    for (FunctionTime& function : known.of)
        function.own_hooks *= more;
    for_each_node(thread, [&](std::uint32_t id, const vfd::Node& node) {
        const double calls = static_cast<double>(vfd::calls_of(node)) / ns_per_tick;
        known.of[function_of[id]].sampled += calls * InCallee;
        if (id != 0)
            known.of[function_of[node.parent < id ? node.parent : 0]].sampled += calls * InCaller;
    });
    for (FunctionTime& function : known.of) {
        function.sampled = std::min(function.sampled, function.raw);
        function.variance = function.sampled * function.sampled;
    }
    const double error = UnknownPart * times.claimed;
    std::vector<JoinedTime> joined = join(known.of, {times.claimed, error * error, 0});
    for (std::size_t i = 0; i < functions; ++i) {
        const FunctionTime& function = known.of[i];
        joined[i] =
            hooks_do_not_matter(function)
                ? JoinedTime{known.by_model[i], function.unknown}
                : JoinedTime{joined[i].exclusive,
                             std::max(joined[i].error, std::min(function.unknown, function.raw - joined[i].exclusive))};
    }
    set_times(thread, function_of, known, joined, times);
}

} // namespace vftr::analysis
