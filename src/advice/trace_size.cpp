// SPDX-License-Identifier: BSD-3-Clause
#include "advice/trace_size.hpp"

#include "vfd/format.hpp"

#include <algorithm>
#include <cmath>

namespace vftr::advice {
namespace {

// The mean size of the head of an event, as LEB128. `mean` is the mean length of the gaps in units of time.
double head_bytes(double mean, unsigned kind_bits) {
    double bytes = 1;
    double bound = std::ldexp(1.0, 7 - static_cast<int>(kind_bits)); // from so many units on, a further byte is needed
    for (double share = 1; share > 1e-3 && bytes < 10; bound *= 128)
        bytes += share = std::exp(-bound / std::max(mean, 1e-9));
    return bytes;
}

// The unit of time in a timeline: about the duration of one reading of the clock, and at most 16 ticks.
double unit_ns(const CallCosts& costs) {
    const double reading = costs.timed / costs.ns_per_tick / 2;
    return costs.ns_per_tick * std::exp2(std::clamp(std::floor(std::log2(std::max(reading, 1.0))), 0.0, 4.0));
}

struct RecordedPath {
    double own = 0, leaves = 0, enters = 0; // own: ns; leaves, enters: numbers of events at the ends of its gaps
    double callees = 0;                     // number of different callees
};

// The additional byte of enter events of all but the first callees. Enters that are predicted do not have it, but it is
// not known which callees are called more often, or repeatedly in the same order.
double far_callee_bytes(const RecordedPath& path) {
    constexpr double Near = vfd::NearCallees;
    return path.callees > Near ? path.enters * (path.callees - Near) / path.callees : 0;
}

} // namespace

TraceSize trace_size(const Observed& observed, const std::vector<bool>& excluded, const CallCosts& costs) {
    const std::vector<Path>& paths = observed.paths;
    std::vector<std::uint32_t> around(paths.size()); // by path: the path itself, or its innermost recorded caller
    std::vector<RecordedPath> recorded(paths.size());
    TraceSize size;
    for (std::uint32_t i = 0; i < paths.size(); ++i) {
        const Path& path = paths[i];
        const bool left_out = path.function != NoFunction && excluded[path.function];
        around[i] = left_out ? around[path.parent] : i;
        recorded[around[i]].own += path.own;
        if (left_out || i == 0)
            continue;
        const auto calls = static_cast<double>(path.calls);
        RecordedPath& caller = recorded[around[path.parent]];
        caller.enters += calls;
        ++caller.callees;
        recorded[i].leaves += calls;
        size.events += 2 * path.calls;
    }
    for (const RecordedPath& path : recorded) {
        const double gaps = path.enters + path.leaves;
        const double mean = gaps > 0 ? (path.own / gaps + costs.timed / 2) / unit_ns(costs) : 0;
        size.bytes += path.leaves * head_bytes(mean, vfd::LeaveBits) + path.enters * head_bytes(mean, vfd::KindBits) +
                      far_callee_bytes(path);
    }
    return size;
}

} // namespace vftr::advice
