// SPDX-License-Identifier: BSD-3-Clause
//
// The stacks of one thread, sorted by address, and the frames of those that it has left. The memory comes from the
// kernel, is reused, and is returned only when the process ends. No two stacks overlap: a new one replaces older ones
// at its addresses.
#pragma once

#include "record/hot/thread_state.hpp"

#include <cstddef>
#include <cstdint>

namespace vftr::record {

struct LeftStack {
    StackRange range;
    vfd::Frame* frames;      // outermost first; nullptr until needed
    std::uint32_t count;     // number of frames; 0 for the stack on which the thread runs
    std::uint32_t room_bits; // log2 of the number of frames for which there is room
    bool exact;              // the range is known, not estimated
    bool own;                // this is the thread's own stack
};

class LeftStacks {
public:
    static constexpr std::uint32_t None = ~std::uint32_t{0};

    // Creates the stacks of a thread that is on its own stack `own`. nullptr without memory.
    static LeftStacks* create(const StackRange& own);
    // Forgets all stacks but the own one; returns how many frames they had.
    std::uint64_t reset(const StackRange& own);

    LeftStack& current() { return stacks_[current_]; }
    void set_current(std::uint32_t index) { current_ = index; }

    std::uint32_t find(std::uint64_t stack_pointer) const;
    // Adds a new stack for a thread whose stack pointer is `stack_pointer`. If the range is exact, overlapping stacks
    // are forgotten and their frames added to `vanished`, except for the own stack and the current one; where these
    // overlap it, the new range is made smaller. Returns None without memory.
    std::uint32_t add(StackRange range, bool exact, std::uint64_t stack_pointer, std::uint64_t& vanished);
    // The end of the next stack below this address; 0: there is none.
    std::uint64_t end_below(std::uint64_t low) const;
    void change_own_low(std::uint64_t low);

    // Makes room for `count` frames; the present contents are lost.
    bool make_room(LeftStack& stack, std::uint32_t count);

private:
    static constexpr std::uint32_t FirstBits = 3, MostBits = 30; // log2 of the number of frames of a block

    bool grow();
    std::uint32_t first_above(std::uint64_t address) const;
    void insert(std::uint32_t at, const LeftStack& stack);
    void remove(std::uint32_t at);
    vfd::Frame* take_block(std::uint32_t bits);
    void give_block(vfd::Frame* block, std::uint32_t bits);

    LeftStack* stacks_; // sorted by address
    std::uint32_t count_, room_, current_;
    vfd::Frame* free_[MostBits + 1]; // the first word of a free block points to the next
    std::byte *chunk_, *chunk_end_;
};

} // namespace vftr::record
