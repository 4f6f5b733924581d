// SPDX-License-Identifier: BSD-3-Clause
#include "record/timing/adaptive.hpp"

#include "base/clock.hpp"
#include "record/budget/windowed.hpp"
#include "record/hot/call_tree.hpp"
#include "record/hot/count_only_call.hpp"
#include "record/hot/thread_state.hpp"
#include "record/recorder.hpp"
#include "record/timing/hook_costs.hpp"
#include "record/timing/off_cpu.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>

namespace vftr::record {

namespace {

using vfd::Estimate;
using vfd::Node;

// The mean of fewer calls says little.
constexpr double FirstCalls = 64;
constexpr unsigned FirstTimed = 128; // timed calls that give the variance for the first decision
// Largest number of first samples, if the earlier ones do not permit count-only calls.
constexpr unsigned FirstSamples = 8;
constexpr unsigned MostNested = FirstTimed - 1;
// Timed calls in a doubling, at least, so that rare and long calls are found.
constexpr float FewestTimed = 1024;
// With fewer calls, the first decision would permit no count-only calls.
constexpr std::uint64_t CallsToSample = 2 * FewestTimed - FirstTimed;
constexpr float MostTimed = 1 << 21;
// Timing one call in so many costs some hundredths of a nanosecond per call; with a larger stride, it would be noticed
// too late that a path has become long.
constexpr double LargestStride = 1 << 10;
// While outliers recur, but not in a row, one call in so many is timed at most.
constexpr float RecurringStride = 32;
// A short call takes at most so many times the cost of timing it.
constexpr double ShortPairs = 12;
constexpr double Confidence = 2; // standard deviations
constexpr double Outlier = 16;   // times the mean
// Times the cost of timing: some tens of microseconds. Whatever takes a processor away keeps it for longer.
constexpr double ShortestAbsence = 4096;
constexpr float Largest = 3; // so many times the largest outlier is left out of their sum
constexpr std::uint64_t VeryManyCalls = 100'000;

// Statistics of a path's calls: sums over the timed calls, each multiplied by its weight. Stored in
// Estimate::writer_private.
struct __attribute__((may_alias)) TimingStatistics {
    double calls, own, squares; // number; exclusive times in ticks, and their squares
    double durations;           // times that include callees
    float needed;               // timed calls needed in a doubling, by the latest decision
    // Timed calls since that decision; while all calls are timed, those of all samples.
    std::uint32_t count : 22;
    std::uint32_t nested : 7;        // how many of FirstTimed calls had callees
    std::uint32_t recurring : 1;     // outliers are a property of the path, and part of the sums
    std::uint32_t after_outlier : 1; // the latest timed call was an outlier
    std::uint32_t in_a_row : 1;      // since the latest decision, an outlier has followed another one
    float outlier;                   // sum of the exclusive times of outliers, until they are recurring
    float largest_outlier;           // the largest of these times
    double mean() const { return own / calls; }
};
static_assert(sizeof(TimingStatistics) <= sizeof(Estimate::writer_private));

// Usual: a call that is part of the sums. Exception: an outlier, or a call with a preemption. New: an outlier that
// shows that the path has recurring ones.
enum class Kind { Usual, Exception, New };

TimingStatistics& statistics_of(Estimate& estimate) {
    return *reinterpret_cast<TimingStatistics*>(estimate.writer_private);
}

bool is_adaptive() { return recorder.timing.adaptive.load(std::memory_order_relaxed); }

double cost_of_timing() { return hook_cost(&vfd::HookCosts::timed); }
double longest_short_call() { return ShortPairs * cost_of_timing(); }

std::uint64_t timed_or_counted(const Node& node) {
    return vfd::calls_of(node) - std::min(node.folded, vfd::calls_of(node));
}

// Marsaglia, Xorshift RNGs, 2003. The result is from 0 to `most`.
std::uint32_t random_up_to(ThreadState& state, std::uint32_t most) {
    std::uint64_t x = state.random ? state.random : base::read_ticks() | 1;
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    state.random = x;
    return static_cast<std::uint32_t>((x >> 32) * (std::uint64_t{most} + 1) >> 32);
}

Estimate* estimate_of(ThreadState& state, std::uint32_t node) {
    return state.estimates.at({node}, state.record->index);
}

void stop_sampling_timing(Node& node, Estimate& estimate) {
    statistics_of(estimate).count = 0;
    set_flags(node, node.flags & ~vfd::NodeTimingSampled);
    estimate.stride = 1;
}

// Whether the hooks cost less if only one call in `stride` is timed.
bool pays(double stride, const TimingStatistics& known) {
    using Costs = vfd::HookCosts;
    const double count_only =
        hook_cost(&Costs::count_only_apart) + hook_cost(&Costs::nesting) * known.nested / FirstTimed;
    return hook_cost(&Costs::timed_rare) + (stride - 1) * count_only < stride * cost_of_timing();
}

// The largest possible weight of a timed call; 1 while there are too few calls.
std::uint32_t possible_stride(const Node& node, const TimingStatistics& known) {
    const double stride =
        std::floor(std::clamp(static_cast<double>(timed_or_counted(node)) / known.needed, 1.0, LargestStride));
    return pays(stride, known) ? static_cast<std::uint32_t>(stride) : 1;
}

// Whether the call that leaves had callees, while all calls of its path are timed: then a callee was the last to use
// the slot above its frame. Clears the mark, so that the next call starts afresh.
bool has_called(ThreadState& state, const vfd::Frame& left) {
    vfd::Frame* above = state.frames + (&left - state.frames) + 1;
    return above != state.frames_end && state.nodes[std::exchange(above->node, 0)].parent == left.node;
}

// `own`: an exclusive time as it was measured.
bool is_tiny(double own) { return own - hook_cost(&vfd::HookCosts::inside) < cost_of_timing(); }

void exclude_if_hot(const Node& tiny) {
    if (recorder.settings.too_hot && timed_or_counted(tiny) > VeryManyCalls)
        recorder.settings.too_hot(tiny.key);
}

// Clears the sums before a new first sample: a single call that is a hundred times as long as the others would
// otherwise keep all calls of the path timed for millions of calls.
void sample_again(TimingStatistics& known) {
    const TimingStatistics last = known;
    known = {};
    known.needed = last.needed;
    known.count = last.count;
}

// Decides the weight of the next timed calls. Of the samples in which all calls are timed, the one that permits the
// most count-only calls counts: rare durations will be found among the calls that are timed later.
void decide(Node& node, Estimate& estimate) {
    TimingStatistics& known = statistics_of(estimate);
    const double mean = known.mean(), variance = std::max(0.0, known.squares / known.calls - mean * mean),
                 stride = estimate.stride;
    estimate.variance += known.count * stride * (stride - 1) * variance;
    if (known.durations > longest_short_call() * known.calls * (stride > 1 ? 2 : 1))
        return stop_sampling_timing(node, estimate);
    const double error = recorder.settings.timing_error;
    const double needed = Confidence * Confidence * variance / (std::max(mean * mean, 1.0) * 3 * error * error);
    const float most =
        known.recurring && !known.in_a_row ? static_cast<float>(timed_or_counted(node)) / RecurringStride : MostTimed;
    known.in_a_row = false;
    known.needed = std::clamp(static_cast<float>(needed), FewestTimed,
                              stride == 1 ? known.needed : std::clamp(most, FewestTimed, MostTimed));
    estimate.stride = possible_stride(node, known);
    if (estimate.stride > 1) {
        known.count = 0;
        if (is_tiny(mean))
            exclude_if_hot(node);
    } else if (stride == 1 && known.needed > FewestTimed && known.count < FirstSamples * FirstTimed) {
        sample_again(known);
    } else {
        stop_sampling_timing(node, estimate); // ends sampled timing until there are enough calls
    }
}

// While all calls are timed, a few of them give the variance.
bool is_time_to_decide(const Estimate& estimate, const TimingStatistics& known, Kind latest) {
    if (estimate.stride == 1)
        return known.count % FirstTimed == 0;
    return known.count >= known.needed || latest == Kind::New;
}

Kind kind_of(ThreadState& state, vfd::Frame& left, const Estimate& estimate, TimingStatistics& known, double own,
             std::uint64_t now) {
    const double longest = Outlier * (known.calls < FirstCalls ? longest_short_call() : std::max(known.mean(), 1.0));
    const bool after_outlier = known.after_outlier; // std::exchange takes no bit-field
    known.after_outlier = own > longest;
    if (own <= longest)
        return Kind::Usual;
    known.in_a_row |= after_outlier;
    if (own > ShortestAbsence * cost_of_timing() && look_for_preemption(state, left, now) != 0)
        return Kind::Exception;
    if (known.recurring)
        return Kind::Usual;
    known.outlier += static_cast<float>(own);
    known.largest_outlier = std::max(known.largest_outlier, static_cast<float>(own));
    const double timed = std::max(1.0, known.calls - static_cast<double>(estimate.weight)); // number of the usual ones
    if (known.outlier - Largest * known.largest_outlier <= recorder.settings.timing_error * timed * known.mean())
        return Kind::Exception;
    known.recurring = true;
    known.squares += known.outlier * own * known.calls / timed; // as if all outliers were as long as this one
    return Kind::New;
}

// Returns how many calls it stands for.
std::uint32_t stand_for_others(Estimate& estimate, double own) {
    const std::uint64_t others = estimate.stride - 1;
    estimate.own += static_cast<double>(others) * own;
    estimate.weight += others;
    ++estimate.timed;
    return estimate.stride;
}

void begin_countdown(ThreadState& state, Node& node, Estimate& estimate) {
    if (estimate.stride <= 1 || node.countdown != 0 || state.stream & (StreamAll | StreamFunctions))
        return;
    const std::uint32_t countdown = random_up_to(state, 2 * (estimate.stride - 1));
    estimate.count_only_calls += countdown;
    set_countdown(node, static_cast<std::int32_t>(countdown));
}

std::uint32_t add_sample_in_window(ThreadState& state, Node& node, Estimate& estimate, double own) {
    TimingStatistics& known = statistics_of(estimate);
    const double mean = known.own / std::max(known.calls, 1.0);
    std::uint32_t calls = 1;
    if (known.calls < FirstCalls || own <= Outlier * std::max(mean, 1.0)) {
        const double stride = estimate.stride;
        known.calls += stride;
        known.own += stride * own;
        known.squares += stride * own * own;
        estimate.variance += stride * (stride - 1) * (own - mean) * (own - mean);
        calls = stand_for_others(estimate, own);
    }
    estimate.stride = WindowStride;
    begin_countdown(state, node, estimate);
    return calls;
}

} // namespace

std::uint32_t add_timing_sample(ThreadState& state, vfd::Frame& left, std::uint64_t now) {
    Node& node = state.nodes[left.node];
    Estimate* estimate = left.flags & (vfd::FrameNotTimed | vfd::FrameInherited) || node.countdown < 0
                             ? nullptr
                             : estimate_of(state, left.node);
    std::uint32_t calls = 1;
    if (!estimate)
        return calls;
    TimingStatistics& known = statistics_of(*estimate);
    const double duration = static_cast<double>(now - left.enter), own = duration - static_cast<double>(left.child),
                 stride = estimate->stride;
    if (is_windowed(node.key))
        return add_sample_in_window(state, node, *estimate, own);
    ++known.count;
    if (estimate->stride == 1)
        known.nested += known.nested < MostNested && has_called(state, left);
    const Kind kind = kind_of(state, left, *estimate, known, own, now);
    if (kind != Kind::Exception) {
        known.calls += stride;
        known.own += stride * own;
        known.squares += stride * own * own;
        known.durations += stride * duration;
        if (estimate->stride > 1)
            calls = stand_for_others(*estimate, own);
    }
    if (!is_adaptive()) {
        decide(node, *estimate); // the variance of the calls so far
        stop_sampling_timing(node, *estimate);
        return calls;
    }
    if (is_time_to_decide(*estimate, known, kind))
        decide(node, *estimate);
    if (kind != Kind::Exception)
        begin_countdown(state, node, *estimate);
    return calls;
}

void sample_timing_if_short(ThreadState& state, const vfd::Frame& left, std::uint64_t now) {
    Node& node = state.nodes[left.node];
    if (!is_adaptive() || node.kind != vfd::NodeKind::Function ||
        node.flags & (vfd::NodeTimingSampled | vfd::NodePrecise | vfd::NodeTrigger) ||
        left.flags & (vfd::FrameNotTimed | vfd::FrameInherited) || timed_or_counted(node) < CallsToSample ||
        static_cast<double>(now - left.enter) > longest_short_call())
        return;
    Estimate* estimate = estimate_of(state, left.node);
    if (!estimate)
        return;
    TimingStatistics& known = statistics_of(*estimate);
    if (!(node.flags & vfd::NodeEstimated) || known.durations > longest_short_call() * known.calls) {
        known = {};
        known.needed = MostTimed;
    } else if (possible_stride(node, known) == 1 && !is_windowed(node.key)) {
        return;
    }
    known.nested = 0;
    estimate->stride = 1;
    set_flags(node, node.flags | vfd::NodeTimingSampled | vfd::NodeEstimated);
}

namespace {

constexpr std::uint64_t TinyCallsInARow = 32; // tiny calls that prove a function tiny

// How many calls of the function in a row were tiny when the slow path met them, counted by all threads. If two threads
// count at the same time, one count may be lost.
std::atomic<std::uint64_t> tiny_calls_in_a_row[64]; // function << 8 | count

bool proves_tiny(std::uint64_t function, bool tiny) {
    std::atomic<std::uint64_t>& slot = tiny_calls_in_a_row[function * 0x9e3779b97f4a7c15u >> 58];
    const std::uint64_t seen = slot.load(std::memory_order_relaxed), before = seen >> 8 == function ? seen & 0xff : 0;
    const std::uint64_t count = tiny ? std::min(before + 1, TinyCallsInARow) : 0;
    slot.store(function << 8 | count, std::memory_order_relaxed);
    return count == TinyCallsInARow;
}

} // namespace

void exclude_if_tiny_and_hot(ThreadState& state, const vfd::Frame& left, std::uint64_t now) {
    const Node& node = state.nodes[left.node];
    if (is_adaptive() || node.kind != vfd::NodeKind::Function || node.flags & (vfd::NodePrecise | vfd::NodeTrigger) ||
        left.flags & (vfd::FrameNotTimed | vfd::FrameInherited) || node.countdown == vfd::CountdownUnrecorded)
        return;
    const auto duration = static_cast<double>(now - left.enter), own = duration - static_cast<double>(left.child);
    if (proves_tiny(node.key, is_tiny(own) && duration <= longest_short_call()))
        exclude_if_hot(node);
}

void time_all_calls(ThreadState& state, std::uint32_t id) {
    Node& node = state.nodes[id];
    if (node.countdown <= 0)
        return;
    const auto countdown = static_cast<std::uint64_t>(node.countdown);
    set_countdown(node, 0);
    if (Estimate* estimate = estimate_of(state, id))
        estimate->count_only_calls -= countdown;
}

void time_all_calls(ThreadState& state) {
    for (std::uint32_t id = 0; id < state.record->node_count; ++id)
        time_all_calls(state, id);
}

} // namespace vftr::record
