// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/recording/durations_of.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

namespace vftr::analysis {
namespace {

void add(DurationHistogram& histogram, const vfd::CallDurations& durations, double ns_per_tick) {
    using vfd::CallDurations;
    const auto ns = [&](std::uint64_t ticks) {
        return static_cast<std::uint64_t>(static_cast<double>(ticks) * ns_per_tick + 0.5);
    };
    // The least ticks of a class; in the lowest octaves several classes have one.
    const auto begin = [&](std::uint64_t step) {
        const std::uint64_t ticks = CallDurations::Steps + step;
        return durations.octave < CallDurations::StepBits ? ticks >> (CallDurations::StepBits - durations.octave)
                                                          : ticks << (durations.octave - CallDurations::StepBits);
    };
    bool any = false;
    for (std::size_t step = 0; step < CallDurations::Steps; ++step) {
        if (durations.calls[step] == 0)
            continue;
        const std::uint64_t shortest = std::clamp(begin(step), durations.shortest, durations.longest),
                            longest = std::clamp(begin(step + 1) - 1, shortest, durations.longest);
        histogram.add(ns(shortest + (longest - shortest) / 2), durations.calls[step]);
        any = true;
    }
    if (any)
        histogram.widen(ns(durations.shortest), ns(durations.longest));
}

} // namespace

void fill_durations(Profile& profile, const vfd::Image& image,
                    const std::function<std::uint32_t(std::uint32_t, std::uint32_t)>& place) {
    std::map<std::uint32_t, DurationHistogram> by_path;
    for (const vfd::ThreadView& thread : image.threads())
        for (const vfd::CallDurations& durations : thread.durations) {
            const std::uint32_t path = place(thread.record->index, durations.node);
            // A function that is outlined from a construct is no call of the construct, whose path it has.
            if (path != vfd::NoNode && profile.nodes[path].kind == thread.node(durations.node).kind)
                add(by_path[path], durations, image.clock().ns_per_tick());
        }
    for (auto& [path, histogram] : by_path)
        if (histogram.count() != 0)
            profile.durations.push_back({path, std::move(histogram)});
}

} // namespace vftr::analysis
