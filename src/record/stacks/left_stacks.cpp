// SPDX-License-Identifier: BSD-3-Clause
#include "record/stacks/left_stacks.hpp"

#include "base/memory.hpp"

#include <algorithm>
#include <cstring>

namespace vftr::record {

using vfd::Frame;

namespace {

constexpr std::uint32_t FirstRoom = 64, MostStacks = 1 << 16;
constexpr std::size_t ChunkBytes = 1 << 16;

bool overlap(const StackRange& a, const StackRange& b) { return a.low < b.high && b.low < a.high; }

} // namespace

LeftStacks* LeftStacks::create(const StackRange& own) {
    auto* stacks = static_cast<LeftStacks*>(base::map_anonymous(sizeof(LeftStacks)));
    if (!stacks || !stacks->grow())
        return nullptr;
    stacks->reset(own);
    return stacks;
}

std::uint64_t LeftStacks::reset(const StackRange& own) {
    std::uint64_t frames = 0;
    for (std::uint32_t i = 0; i < count_; ++i) {
        frames += stacks_[i].count;
        give_block(stacks_[i].frames, stacks_[i].room_bits);
    }
    stacks_[0] = {own, nullptr, 0, 0, true, true};
    count_ = 1;
    current_ = 0;
    return frames;
}

bool LeftStacks::grow() {
    const std::uint32_t room = std::max(2 * room_, FirstRoom);
    if (room > MostStacks)
        return false;
    auto* stacks = static_cast<LeftStack*>(base::map_anonymous(room * sizeof(LeftStack)));
    if (!stacks)
        return false;
    if (stacks_) {
        std::memcpy(static_cast<void*>(stacks), stacks_, count_ * sizeof(LeftStack));
        base::unmap(stacks_, room_ * sizeof(LeftStack));
    }
    stacks_ = stacks;
    room_ = room;
    return true;
}

// The first stack that ends above the address.
std::uint32_t LeftStacks::first_above(std::uint64_t address) const {
    return static_cast<std::uint32_t>(
        std::upper_bound(stacks_, stacks_ + count_, address,
                         [](std::uint64_t a, const LeftStack& s) { return a < s.range.high; }) -
        stacks_);
}

std::uint32_t LeftStacks::find(std::uint64_t stack_pointer) const {
    std::uint32_t i = first_above(stack_pointer);
    return i < count_ && stacks_[i].range.holds(stack_pointer) ? i : None;
}

std::uint64_t LeftStacks::end_below(std::uint64_t low) const {
    std::uint32_t i = first_above(low);
    while (i > 0 && stacks_[i - 1].range.high > low)
        --i;
    return i > 0 ? stacks_[i - 1].range.high : 0;
}

void LeftStacks::change_own_low(std::uint64_t low) {
    for (std::uint32_t i = 0; i < count_; ++i)
        if (stacks_[i].own)
            stacks_[i].range.low = low;
}

std::uint32_t LeftStacks::add(StackRange range, bool exact, std::uint64_t stack_pointer, std::uint64_t& vanished) {
    if (count_ == room_ && !grow())
        return None;
    for (std::uint32_t i = first_above(range.low); i < count_ && overlap(stacks_[i].range, range);) {
        const LeftStack& other = stacks_[i];
        if (exact && !other.own && i != current_) {
            vanished += other.count;
            remove(i);
            continue;
        }
        if (other.range.low > stack_pointer)
            range.high = std::min(range.high, other.range.low);
        else
            range.low = std::max(range.low, other.range.high);
        ++i;
    }
    if (!range.holds(stack_pointer))
        return None;
    std::uint32_t at = first_above(range.low);
    insert(at, {range, nullptr, 0, 0, exact, false});
    return at;
}

void LeftStacks::insert(std::uint32_t at, const LeftStack& stack) {
    std::copy_backward(stacks_ + at, stacks_ + count_, stacks_ + count_ + 1);
    stacks_[at] = stack;
    ++count_;
    current_ += at <= current_;
}

void LeftStacks::remove(std::uint32_t at) {
    give_block(stacks_[at].frames, stacks_[at].room_bits);
    std::copy(stacks_ + at + 1, stacks_ + count_, stacks_ + at);
    --count_;
    current_ -= at < current_;
}

bool LeftStacks::make_room(LeftStack& stack, std::uint32_t count) {
    if (count == 0 || (stack.frames && count <= 1u << stack.room_bits))
        return true;
    std::uint32_t bits = FirstBits;
    while (bits < MostBits && 1u << bits < count)
        ++bits;
    Frame* block = take_block(bits);
    if (!block)
        return false;
    give_block(stack.frames, stack.room_bits);
    stack.frames = block;
    stack.room_bits = bits;
    return true;
}

Frame* LeftStacks::take_block(std::uint32_t bits) {
    if (Frame* block = free_[bits]) {
        std::memcpy(&free_[bits], static_cast<const void*>(block), sizeof(Frame*));
        return block;
    }
    const std::size_t bytes = sizeof(Frame) << bits;
    if (bytes > ChunkBytes / 4)
        return static_cast<Frame*>(base::map_anonymous(bytes));
    if (static_cast<std::size_t>(chunk_end_ - chunk_) < bytes) {
        auto* chunk = static_cast<std::byte*>(base::map_anonymous(ChunkBytes));
        if (!chunk)
            return nullptr;
        chunk_ = chunk;
        chunk_end_ = chunk + ChunkBytes;
    }
    auto* block = reinterpret_cast<Frame*>(chunk_);
    chunk_ += bytes;
    return block;
}

void LeftStacks::give_block(Frame* block, std::uint32_t bits) {
    if (!block)
        return;
    std::memcpy(static_cast<void*>(block), &free_[bits], sizeof(Frame*));
    free_[bits] = block;
}

} // namespace vftr::record
