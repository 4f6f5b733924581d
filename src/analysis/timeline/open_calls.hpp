// SPDX-License-Identifier: BSD-3-Clause
//
// Brings the enter and leave events of one thread into line with its call tree, so that calls nest.
//
// Where all events are recorded, nearly each one fits: the call that is entered is a callee of the innermost open one,
// or the innermost open one itself where direct recursion is folded onto one path. Where it does not fit, events are
// missing (a ring buffer, a longjmp, a leave that a signal handler dropped). With a sampling interval most are missing.
// Then the path of the event tells what must have been open: calls that are not on it end now, and those of it that
// were not open begin now.
#pragma once

#include "vfd/image.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace vftr::analysis {

class OpenCalls {
public:
    // `parents` are the callers by node, the root's own is itself, and each is smaller than its node; it must outlive
    // this. `exact`: all events are recorded.
    OpenCalls(std::span<const std::uint32_t> parents, bool exact) : parents_(parents), exact_(exact) {}

    // Both call changes.enter(node) and changes.leave(node) for what begins and ends, in this order of time.
    template <class Changes>
    void enter(std::uint32_t node, Changes& changes) {
        const bool fits =
            exact_ && !open_.empty() && node != 0 && (open_.back() == parents_[node] || open_.back() == node);
        if (!fits && node != 0)
            open_path_of(parents_[node], changes);
        push(node, changes);
    }
    // A leave of a call that is not known to be open shows only that its caller is.
    template <class Changes>
    void leave(std::uint32_t node, Changes& changes) {
        std::size_t depth = open_.size();
        while (depth > 0 && open_[depth - 1] != node)
            --depth;
        if (depth == 0 && node != 0)
            return open_path_of(parents_[node], changes);
        while (open_.size() >= depth && !open_.empty())
            pop(changes);
    }
    template <class Changes>
    void leave_all(Changes& changes) {
        while (!open_.empty())
            pop(changes);
    }
    std::span<const std::uint32_t> open() const { return open_; } // nodes, outermost first

private:
    template <class Changes>
    void push(std::uint32_t node, Changes& changes) {
        open_.push_back(node);
        changes.enter(node);
    }
    template <class Changes>
    void pop(Changes& changes) {
        changes.leave(open_.back());
        open_.pop_back();
    }
    bool is_on_path_of(std::uint32_t node, std::uint32_t candidate) const {
        while (node > candidate)
            node = parents_[node];
        return node == candidate;
    }
    template <class Changes>
    void open_path_of(std::uint32_t node, Changes& changes) {
        while (!open_.empty() && !is_on_path_of(node, open_.back()))
            pop(changes);
        missing_.clear();
        while (open_.empty() || node != open_.back()) {
            missing_.push_back(node);
            if (node == 0)
                break;
            node = parents_[node];
        }
        for (std::size_t i = missing_.size(); i-- > 0;)
            push(missing_[i], changes);
    }

    std::span<const std::uint32_t> parents_;
    bool exact_;
    std::vector<std::uint32_t> open_, missing_;
};

} // namespace vftr::analysis
