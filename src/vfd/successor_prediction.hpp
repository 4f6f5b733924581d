// SPDX-License-Identifier: BSD-3-Clause
//
// Which call is likely to be the next one of an event stream: that which came next the last time.
//
// Programs repeat themselves. After a function has left, its caller calls the one that it called then, and a function
// begins with the callee that it began with. So a table says what was entered after each moment of the stream the last
// time, and where that is what is entered now the record of it needs no name: loops over 500 callees take as little as
// those over one, and so do cycles of calls. Writer and reader keep the table by the same rule, from the records of one
// segment; in each it begins empty, so that a segment can be read without those before it.
//
// A moment is known by the latest enter and the number of leaves since. Moments that have the same slot spoil each
// other's guess, no more.
#pragma once

#include <cstddef>
#include <cstdint>

namespace vftr::vfd {

class SuccessorPrediction {
public:
    static constexpr std::uint32_t Slots = 1024, AfterLeave = 601;

    // The node that is likely to be entered next; 0, which never is: none.
    std::uint32_t expected() const { return nodes_[moment_ % Slots]; }
    void enter(std::uint32_t node) {
        nodes_[moment_ % Slots] = node;
        moment_ = node;
    }
    void leave() { moment_ += AfterLeave; }
    void clear() { *this = {}; }

    // What an enter changes, to take it back.
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
