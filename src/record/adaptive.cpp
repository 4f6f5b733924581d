// SPDX-License-Identifier: BSD-3-Clause
#include "record/adaptive.hpp"

#include "base/clock.hpp"
#include "record/recorder.hpp"

#include <algorithm>
#include <bit>
#include <cerrno>

namespace vftr::record {

namespace {

using vfd::Estimate;
using vfd::Node;

constexpr std::uint64_t FirstCalls = 64;     // that a path is watched before it is decided on
constexpr double FewestTimed = 128;          // in a window: fewer say nothing about their variance
constexpr double MostTimed = 1 << 30;
constexpr double LargestGap = 1 << 16; // how late a second look may come: some tenths of a millisecond
constexpr double ShortPairs = 8;             // a short call takes at most so many times the cost of timing it
constexpr double Confidence = 2;             // standard deviations
constexpr double Unusual = 16;               // times the mean: stands for itself only
constexpr double NoticeablePart = 0.05;      // of the time
constexpr std::uint64_t VeryManyCalls = 100'000;

// The timed calls since the last decision. In Estimate::writer_private.
struct __attribute__((may_alias)) Window {
    double sum, squares; // of own times, in ticks
    double durations;    // with all that they called
    double beyond;       // what unusual calls took beyond `usual`
    double usual;        // ticks that a call takes at most, as far as is known
    float needed;        // timed calls, by the last decision
    std::uint32_t count;
};
static_assert(sizeof(Window) <= sizeof(Estimate::writer_private));

Window& window_of(Estimate& estimate) { return *reinterpret_cast<Window*>(estimate.writer_private); }

double cost_of_timing() { return recorder.writer.header().costs.timed; }
double longest_short_call() { return ShortPairs * cost_of_timing(); }

std::uint64_t timed_or_passed(const Node& node) { return vfd::calls_of(node) - std::min(node.folded, vfd::calls_of(node)); }

// Marsaglia, Xorshift RNGs, 2003. From 0 to `most`.
std::uint32_t random_up_to(ThreadState& state, std::uint32_t most) {
    std::uint64_t x = state.random ? state.random : base::read_ticks() | 1;
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    state.random = x;
    return static_cast<std::uint32_t>((x >> 32) * (std::uint64_t{most} + 1) >> 32);
}

Estimate* estimate_of(ThreadState& state, std::uint32_t node) { return state.estimates.at({node}, state.record->index); }

void stop_watching(Node& node, Estimate& estimate) {
    node.flags &= static_cast<std::uint8_t>(~vfd::NodeWatched);
    estimate.gap = 1;
}

// How many calls one timed call may stand for; 1 while there are too few.
std::uint32_t possible_gap(const Node& node, const Window& window) {
    const double gap = static_cast<double>(timed_or_passed(node)) / window.needed;
    return static_cast<std::uint32_t>(std::clamp(gap, 1.0, LargestGap));
}

// The first decision: whether the path is worth an Estimate.
Estimate* begin_estimate(ThreadState& state, std::uint32_t id) {
    Node& node = state.nodes[id];
    const std::uint64_t calls = timed_or_passed(node);
    Estimate* estimate = static_cast<double>(node.inclusive) <= longest_short_call() * static_cast<double>(calls) ? estimate_of(state, id) : nullptr;
    if (!estimate) {
        node.flags &= static_cast<std::uint8_t>(~vfd::NodeWatched);
        return nullptr;
    }
    if (estimate->gap == 0) {
        estimate->gap = 1;
        window_of(*estimate).needed = FewestTimed;
    }
    node.flags |= vfd::NodeEstimated;
    return estimate;
}

void consider_excluding(const Node& node, double mean) {
    if (recorder.settings.too_hot && timed_or_passed(node) > VeryManyCalls && mean - recorder.writer.header().costs.inside < cost_of_timing())
        recorder.settings.too_hot(node.key);
}

// One window is over: what the next timed calls stand for.
void decide(Node& node, Estimate& estimate) {
    Window& window = window_of(estimate);
    const double count = window.count, mean = window.sum / count;
    const double variance = std::max(0.0, (window.squares - window.sum * mean) / (count - 1));
    const double gap = estimate.gap;
    estimate.variance += count * gap * (gap - 1) * variance;
    const bool noticeable = window.beyond > NoticeablePart * window.sum;
    if (window.durations > longest_short_call() * count * (gap > 1 ? 2 : 1))
        return stop_watching(node, estimate);
    const double error = recorder.settings.timing_error;
    const double needed = Confidence * Confidence * variance / (std::max(mean * mean, 1.0) * 3 * error * error);
    // One unusual call in a window is forgotten in the next ones; if there is one in each, it is not.
    const float before = window.needed;
    window = {};
    window.needed = static_cast<float>(std::clamp(std::max(needed, before / 4.0), FewestTimed, MostTimed));
    window.usual = Unusual * mean;
    estimate.gap = noticeable ? 1 : possible_gap(node, window);
    if (estimate.gap == 1) // until there are enough calls
        stop_watching(node, estimate);
    else
        consider_excluding(node, mean);
}

// While all calls are timed, a few of them tell the variance.
bool is_over(const Estimate& estimate, const Window& window) {
    return window.count >= (estimate.gap == 1 ? FewestTimed : static_cast<double>(window.needed));
}

void stand_for_others(Estimate& estimate, double own) {
    const std::uint64_t others = estimate.gap - 1;
    estimate.own += static_cast<double>(others) * own;
    estimate.stood_for += others;
    ++estimate.timed;
}

void let_others_pass(ThreadState& state, Node& node, Estimate& estimate) {
    if (estimate.gap <= 1 || node.skip != 0 || state.stream & (StreamAll | StreamFunctions))
        return;
    const std::uint32_t skip = random_up_to(state, 2 * (estimate.gap - 1));
    estimate.granted += skip;
    node.calls += skip;
    node.skip = static_cast<std::int32_t>(skip);
}

} // namespace

void watch_call(ThreadState& state, const vfd::Frame& left, std::uint64_t now) {
    Node& node = state.nodes[left.node];
    if (timed_or_passed(node) < FirstCalls || left.flags & (vfd::FrameNotTimed | vfd::FrameInherited) || node.skip < 0)
        return;
    Estimate* estimate = node.flags & vfd::NodeEstimated ? estimate_of(state, left.node) : begin_estimate(state, left.node);
    if (!estimate)
        return;
    Window& window = window_of(*estimate);
    const double duration = static_cast<double>(now - left.enter);
    double own = duration - static_cast<double>(left.child);
    if (estimate->gap > 1) {
        const double usual = std::min(own, window.usual);
        window.beyond += own - usual;
        own = usual;
        stand_for_others(*estimate, own);
    }
    ++window.count;
    window.sum += own;
    window.squares += own * own;
    window.durations += duration;
    if (is_over(*estimate, window))
        decide(node, *estimate);
    let_others_pass(state, node, *estimate);
}

void watch_again_if_short(ThreadState& state, const vfd::Frame& left, std::uint64_t now) {
    Node& node = state.nodes[left.node];
    if (!recorder.settings.adaptive || node.kind != vfd::NodeKind::Function || node.flags & (vfd::NodeWatched | vfd::NodePrecise) ||
        left.flags & vfd::FrameInherited || timed_or_passed(node) < FirstCalls || static_cast<double>(now - left.enter) > longest_short_call())
        return;
    Estimate* estimate = estimate_of(state, left.node);
    if (!estimate)
        return;
    Window& window = window_of(*estimate);
    if (node.flags & vfd::NodeEstimated && possible_gap(node, window) == 1)
        return;
    window = {};
    window.needed = FewestTimed;
    estimate->gap = 1;
    node.flags |= vfd::NodeWatched | vfd::NodeEstimated;
}

void stop_skipping(ThreadState& state, std::uint32_t id) {
    Node& node = state.nodes[id];
    if (node.skip <= 0)
        return;
    const auto skip = static_cast<std::uint64_t>(node.skip);
    node.skip = 0;
    node.calls -= skip;
    if (Estimate* estimate = estimate_of(state, id))
        estimate->granted -= skip;
}

void stop_skipping(ThreadState& state) {
    for (std::uint32_t id = 0; id < state.record->node_count; ++id)
        stop_skipping(state, id);
}

} // namespace vftr::record
