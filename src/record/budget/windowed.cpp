// SPDX-License-Identifier: BSD-3-Clause
#include "record/budget/windowed.hpp"

#include "base/clock.hpp"

#include <algorithm>

namespace vftr::record {

constinit Windows windows{};

namespace {

constexpr std::uint64_t NoFunction = 0;                   // the key of the lowest frame, and what a free slot has
constexpr std::uint64_t Removed = std::uint64_t{1} << 63; // no function has such an address

std::uint32_t first_slot(std::uint64_t function) {
    return static_cast<std::uint32_t>(function * 0x9e3779b97f4a7c15u >> 32) % Windows::Slots;
}

// The slot that has the function, or the free one in which it belongs. At least half of the slots are free.
std::atomic<std::uint64_t>& slot_of(std::uint64_t function) {
    for (std::uint32_t slot = first_slot(function);; slot = (slot + 1) % Windows::Slots) {
        const std::uint64_t there = windows.slots[slot].load(std::memory_order_relaxed);
        if ((there & ~Removed) == function || there == NoFunction)
            return windows.slots[slot];
    }
}

} // namespace

bool is_windowed(std::uint64_t function) {
    return function != NoFunction && windows.functions.load(std::memory_order_relaxed) != 0 &&
           slot_of(function).load(std::memory_order_relaxed) == function;
}

bool was_windowed(std::uint64_t function) {
    return function != NoFunction && windows.functions.load(std::memory_order_relaxed) != 0 &&
           slot_of(function).load(std::memory_order_relaxed) != NoFunction;
}

bool add_windowed(std::uint64_t function) {
    if (was_windowed(function)) {
        slot_of(function).store(function, std::memory_order_relaxed);
        return true;
    }
    if (windows.functions.load(std::memory_order_relaxed) == MostWindowed)
        return false;
    slot_of(function).store(function, std::memory_order_relaxed);
    windows.functions.fetch_add(1, std::memory_order_relaxed);
    return true;
}

void remove_windowed(std::uint64_t function) {
    if (is_windowed(function))
        slot_of(function).store(function | Removed, std::memory_order_relaxed);
}

void forget_windows() {
    if (windows.functions.exchange(0) != 0)
        for (std::atomic<std::uint64_t>& slot : windows.slots)
            slot.store(0, std::memory_order_relaxed);
    windows.closing_at = windows.closed_at = 0;
    windows.open = false;
    windows.new_paths_from = 0;
}

bool path_may_be_wrong(std::uint64_t function) {
    return is_windowed(function) && base::read_ticks() < windows.new_paths_from.load(std::memory_order_relaxed);
}

bool is_stale(const ThreadState& state, const vfd::Frame& frame) {
    if (!may_be_stale(frame) || !is_windowed(state.nodes[frame.node].key))
        return false;
    return !(frame.flags & vfd::FrameNotTimed) || !windows.open.load(std::memory_order_relaxed);
}

std::uint64_t end_of_call(const ThreadState& state, const vfd::Frame& frame, std::uint64_t now) {
    if (!is_stale(state, frame))
        return now;
    const std::uint64_t closing = windows.closing_at.load(std::memory_order_relaxed);
    return std::min(now, std::max(closing, frame.enter + frame.child));
}

bool correct_stale_leave(ThreadState& state, vfd::Frame& left, std::uint64_t now) {
    if (!is_stale(state, left) || left.flags & vfd::FrameNotTimed)
        return false;
    const std::uint64_t too_long = now - end_of_call(state, left, now);
    vfd::Node& node = state.nodes[left.node];
    node.exclusive -= too_long;
    if (node.open == 0)
        node.inclusive -= too_long;
    state.top->child -= too_long;
    left.enter += too_long; // a preemption that is found now was not within the call
    return true;
}

} // namespace vftr::record
