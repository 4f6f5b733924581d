// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/thread_times.hpp"

namespace vftr::analysis {
namespace {

// Frames of a thread that runs on while we read may name a node that is newer than our view.
bool in_view(const vfd::Frame& frame, std::uint32_t node_count) {
    return frame.node < node_count && !(frame.flags & vfd::FrameNotTimed);
}

std::uint64_t positive_difference(std::uint64_t a, std::uint64_t b) {
    return a > b ? a - b : 0;
}

// Own activations on the stack, by node: inclusive time grows only when the outermost one ends.
std::vector<std::uint32_t> count_activations(const vfd::ThreadView& thread) {
    std::vector<std::uint32_t> activations(thread.node_count);
    for (const vfd::Frame& frame : thread.stack)
        if (in_view(frame, thread.node_count))
            ++activations[frame.node];
    return activations;
}

} // namespace

ThreadTimes thread_times(const vfd::ThreadView& thread, std::uint64_t end_ticks) {
    ThreadTimes times;
    times.exclusive.reserve(thread.node_count);
    times.inclusive.reserve(thread.node_count);
    for (std::span<const vfd::Node> chunk : thread.node_chunks)
        for (const vfd::Node& node : chunk) {
            if (times.exclusive.size() == thread.node_count)
                break;
            times.exclusive.push_back(node.exclusive);
            times.inclusive.push_back(node.inclusive);
        }
    times.exclusive.resize(thread.node_count);
    times.inclusive.resize(thread.node_count);

    std::vector<std::uint32_t> activations = count_activations(thread);
    std::uint64_t of_callees = 0; // ticks that the frames above spent
    for (std::size_t i = thread.stack.size(); i-- > 0;) {
        const vfd::Frame& frame = thread.stack[i];
        of_callees += frame.child;
        if (!in_view(frame, thread.node_count))
            continue;
        std::uint64_t duration = positive_difference(end_ticks, frame.enter);
        times.exclusive[frame.node] += positive_difference(duration, of_callees);
        if (--activations[frame.node] == 0)
            times.inclusive[frame.node] += duration;
        of_callees = duration;
    }
    return times;
}

} // namespace vftr::analysis
