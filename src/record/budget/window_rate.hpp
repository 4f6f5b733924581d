// SPDX-License-Identifier: BSD-3-Clause
//
// The number of calls outside of windows, estimated from the calls in windows.
//
// Window i has a duration of t(i), without what hooks cost in it, and c(i) calls of a path. With R = Σc/Σt, the path
// has R·T calls in a time T outside of windows. This is the ratio estimator of Cochran, Sampling Techniques, chapter 6;
// its variance is estimated by
//     T² · n/(Σt)² · Σ(c − R·t)²/(n − 1).
// For n windows the 95 % interval is that of Student's distribution with n − 1 degrees of freedom. Three things widen
// it, each by its relative error:
//   - If only h of the n windows have calls, these come in clusters, and h is a number of a Poisson distribution, whose
//     95 % interval reaches to about h + 2·√(h + 1) + 1.5.
//   - What is not known of the cost of hooks, u, is a part of all durations alike. It makes R wrong by at most the
//     factor Σt/(Σt − u).
//   - Until the first window, the path may have been called as often as before it was windowed, or not at all.
#pragma once

#include <cstdint>

namespace vftr::record {

// The largest part of a window that hooks can have taken; by what is known of their cost it may be more than all.
inline constexpr double MostHooks = 0.85;

// Sums over windows. Durations are ns.
struct WindowTimes {
    double windows = 0, time = 0, squares = 0; // number, Σt, Σt²
    double hooks = 0;                          // Σ of what hooks cost in them
    double whole = 0;                          // Σ of the durations with that

    void add(double whole_time, double hooks_cost);
    // The sums over the windows that came later than `earlier`.
    WindowTimes since(const WindowTimes& earlier) const;
    // The duration of the latest window without hooks; see `add`.
    double latest = 0;
};

struct WindowCalls {
    double calls = 0, squares = 0, products = 0; // Σc, Σc², Σct
    double hits = 0;                             // windows with calls
    void add(double calls_in_window, double time);
};

struct CallsOutside {
    double calls = 0, error = 0; // error: half the width of the 95 % interval
};

// `time`: T. before: calls per ns before the path was windowed. gap: how long it took from then to the first window.
CallsOutside calls_outside(const WindowTimes& times, const WindowCalls& calls, double time, double before, double gap);

// The 97.5 % quantile of Student's distribution.
double students_quantile(double degrees_of_freedom);

} // namespace vftr::record
