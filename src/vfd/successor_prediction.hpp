// SPDX-License-Identifier: BSD-3-Clause
//
// Predicts which call comes next in an event stream: the one that came next at the same point the last time.
//
// Programs repeat themselves. After a callee has returned, a caller calls the same function that it called next the
// last time, and a function begins with the same callee as before. Therefore a table holds which node was entered after
// each point of the stream the last time. If the prediction is right, the record of an enter needs no node: loops over
// 500 callees, and cycles of calls, take as little as loops over one. Writer and reader maintain the table by the same
// rule from the records of one segment. It is empty at the beginning of each segment, so that a segment can be read
// without the preceding ones.
//
// A point of the stream is identified by the latest enter and the number of leaves since. Points that share a slot
// overwrite each other's prediction; such collisions cost accuracy only.
#pragma once

#include <cstddef>
#include <cstdint>

namespace vftr::vfd {

class SuccessorPrediction {
public:
    static constexpr std::uint32_t Slots = 1024, AfterLeave = 601;

    // The node that is predicted to be entered next. 0, which is never entered, means that there is no prediction.
    std::uint32_t expected() const { return nodes_[moment_ % Slots]; }
    void enter(std::uint32_t node) {
        nodes_[moment_ % Slots] = node;
        moment_ = node;
    }
    void leave() { moment_ += AfterLeave; }
    void clear() { *this = {}; }

    // The state that an enter changes, so that rewind can restore it.
    struct Before {
        std::uint32_t moment, expected;
    };
    Before before_enter() const { return {moment_, expected()}; }
    void rewind(Before before) {
        moment_ = before.moment;
        nodes_[moment_ % Slots] = before.expected;
    }

private:
    std::uint32_t moment_ = 0;
    std::uint32_t nodes_[Slots] = {};
};

} // namespace vftr::vfd
