// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/recording/thread_times.hpp"

#include "analysis/profile/each_node.hpp"
#include "analysis/recording/compensation.hpp"
#include "analysis/recording/unseen_calls.hpp"
#include "base/large_array.hpp"

#include <algorithm>

namespace vftr::analysis {
namespace {

// The frames of a thread that runs while its recording is read may name a node that is newer than the view.
bool in_view(const vfd::Frame& frame, std::uint32_t node_count) {
    return frame.node < node_count && !(frame.flags & vfd::FrameNotTimed);
}

std::uint64_t positive_difference(std::uint64_t a, std::uint64_t b) { return a > b ? a - b : 0; }

// The activations of each node on the thread's own stack: inclusive time grows only when the outermost one ends.
std::vector<std::uint32_t> count_activations(const vfd::ThreadView& thread) {
    std::vector<std::uint32_t> activations(thread.node_count);
    for (const vfd::Frame& frame : thread.stack)
        if (in_view(frame, thread.node_count))
            ++activations[frame.node];
    return activations;
}

// Takes the times as the recorder has counted them, and adds those of the open frames.
void measured_times(const vfd::ThreadView& thread, std::uint64_t end_ticks, ThreadTimes& times) {
    base::expect_writes(times.of, thread.node_count);
    for_each_node(thread, [&](std::uint32_t, const vfd::Node& node) {
        NodeTimes& of = times.of.emplace_back();
        of.raw_exclusive = node.exclusive;
        of.raw_inclusive = node.inclusive;
        times.life += node.exclusive;
    });
    times.of.resize(thread.node_count);
    if (thread.stack.empty())
        return;
    std::vector<std::uint32_t> activations = count_activations(thread);
    std::uint64_t of_callees = 0; // ticks spent in the callees of the frame
    for (std::size_t i = thread.stack.size(); i-- > 0;) {
        const vfd::Frame& frame = thread.stack[i];
        of_callees += frame.child;
        if (!in_view(frame, thread.node_count))
            continue;
        std::uint64_t duration = positive_difference(end_ticks, frame.enter);
        const std::uint64_t own = positive_difference(duration, of_callees);
        times.of[frame.node].raw_exclusive += own;
        times.life += own;
        if (--activations[frame.node] == 0)
            times.of[frame.node].raw_inclusive += duration;
        of_callees = duration;
    }
}

} // namespace

ThreadTimes thread_times(const vfd::ThreadView& thread, const vfd::HookCosts& costs, std::uint64_t end_ticks) {
    ThreadTimes times;
    measured_times(thread, end_ticks, times);
    if (!times.of.empty()) {
        NodeTimes& root = times.of[0];
        times.one_time_work = std::min(thread.record->one_time_work, root.raw_exclusive);
        root.raw_exclusive -= times.one_time_work;
        root.raw_inclusive -= std::min(times.one_time_work, root.raw_inclusive);
    }
    compensate(thread, costs, times);
    add_unseen_calls(thread, times);
    return times;
}

} // namespace vftr::analysis
