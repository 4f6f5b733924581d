// SPDX-License-Identifier: BSD-3-Clause
#include "record/budget/window_rate.hpp"

#include <algorithm>
#include <cmath>

namespace vftr::record {

void WindowTimes::add(double whole_time, double hooks_cost) {
    latest = whole_time - std::min(hooks_cost, MostHooks * whole_time);
    ++windows;
    time += latest;
    squares += latest * latest;
    hooks += hooks_cost;
    whole += whole_time;
}

WindowTimes WindowTimes::since(const WindowTimes& earlier) const {
    WindowTimes later = *this;
    later.windows -= earlier.windows;
    later.time -= earlier.time;
    later.squares -= earlier.squares;
    later.hooks -= earlier.hooks;
    later.whole -= earlier.whole;
    return later;
}

void WindowCalls::add(double calls_in_window, double time) {
    calls += calls_in_window;
    squares += calls_in_window * calls_in_window;
    products += calls_in_window * time;
    hits += calls_in_window > 0;
}

// The expansion by Cornish and Fisher, and exact values where that is not good enough (Abramowitz and Stegun, Handbook
// of Mathematical Functions, 26.7.5).
double students_quantile(double n) {
    if (n < 1.5)
        return 12.706;
    if (n < 2.5)
        return 4.303;
    constexpr double x = 1.959964, x3 = x * x * x, x5 = x3 * x * x, x7 = x5 * x * x;
    return x + (x3 + x) / (4 * n) + (5 * x5 + 16 * x3 + 3 * x) / (96 * n * n) +
           (3 * x7 + 19 * x5 + 17 * x3 - 15 * x) / (384 * n * n * n);
}

// In a window the cost of hooks is less certain than in a whole run (analysis/recording/compensation.hpp), as the
// processor has to fetch the changed text and learns its branches anew. In the programs of bench/figures/budget.sh
// these parts cover what that made of the numbers of calls.
constexpr double UnknownOfHooks = 0.7, UnknownOfWindow = 0.05;
// The unknown part is taken as at most so large that a twentieth of the duration is certain.
constexpr double LeastCertain = 0.05;

CallsOutside calls_outside(const WindowTimes& times, const WindowCalls& calls, double time, double before, double gap) {
    if (time <= 0)
        return {};
    if (times.windows < 2) { // nothing is known of how windows differ
        const double supposed = before * time;
        return {supposed, supposed};
    }
    const double rate = calls.calls / times.time, scale = time / times.time;
    CallsOutside result{rate * time, 0};
    const double residuals =
        std::max(0.0, calls.squares - 2 * rate * calls.products + rate * rate * times.squares) / (times.windows - 1);
    const double by_chance = students_quantile(times.windows - 1) * scale * std::sqrt(times.windows * residuals);
    // In the windows that have none, there may by chance have been none of a cluster as large as is known.
    const double clusters = calls.hits > 0 ? calls.hits : 1, misses = times.windows - calls.hits,
                 cluster = calls.hits > 0 ? calls.calls / clusters : std::max(1.0, before * times.time / times.windows);
    const double by_clusters =
        scale * cluster * 2 * (2 * std::sqrt(clusters + 1) + 1.5) * std::sqrt(misses / times.windows);
    const double unknown = UnknownOfHooks * times.hooks + UnknownOfWindow * times.whole;
    const double by_hooks = result.calls * unknown / std::max(times.time - unknown, LeastCertain * times.time);
    result.error = std::hypot(std::max(by_chance, by_clusters), by_hooks) + before * gap;
    return result;
}

} // namespace vftr::record
