// SPDX-License-Identifier: BSD-3-Clause
//
// When the hook calls of an excluded function are worth being taken out of the text.
//
// To find a place and to change it takes as long as a thousand calls of the hooks that are there. Programs have
// thousands of functions that are called once or twice, and a filter that names them must not cost more than to record
// them. So the first places are changed when they are met, as a small program has no more; of those that follow, a
// place is changed when it has come several times. A place is where a hook was called for a function.
#pragma once

#include "base/zeroed_array.hpp"

#include <atomic>
#include <cstdint>

namespace vftr::filter {

// Any thread, without a lock. Counts may be off by what threads do at the same time.
class Patience {
public:
    static constexpr std::uint32_t AtOnce = 32, Calls = 16, Leaves = 255;
    enum class Answer {
        Wait,   // for its next call, which is to ask again
        Change, // it now
        Done,   // somebody was told to
    };

    // A call of the enter hook at `hook_site`, low bits.
    Answer on_enter(std::uint64_t function, std::uint32_t hook_site) {
        std::atomic<std::uint64_t>* const place = place_of(name_of(function, hook_site));
        if (!place) // there are too many
            return without_place_.fetch_add(1, std::memory_order_relaxed) % Calls == 0 ? Answer::Change : Answer::Wait;
        const std::uint64_t calls = place->load(std::memory_order_relaxed) % Room;
        if (calls >= Calls)
            return Answer::Done;
        const bool change =
            calls + 1 == Calls || (calls == 0 && changed_.fetch_add(1, std::memory_order_relaxed) < AtOnce);
        place->fetch_add(change ? Calls - calls : 1, std::memory_order_relaxed);
        return change ? Answer::Change : Answer::Wait;
    }
    // A call of the exit hook, below this caller. Its place is not known, and changes with that of the enter hook,
    // which comes first: so nothing is done, unless that is gone.
    Answer on_leave(std::uint64_t caller, std::uint64_t function) {
        std::atomic<std::uint8_t>& leaves = leaves_[name_of(function, ~caller << 32) >> (64 - SlotBits)];
        const std::uint8_t so_far = leaves.load(std::memory_order_relaxed);
        if (so_far >= Leaves)
            return Answer::Done;
        leaves.store(static_cast<std::uint8_t>(so_far + 1), std::memory_order_relaxed);
        return Answer::Wait;
    }
    // All places: another object may have come to some.
    void forget() {
        for (std::atomic<std::uint64_t>& place : places_)
            if (place.load(std::memory_order_relaxed) != 0)
                place.store(0, std::memory_order_relaxed);
        for (std::atomic<std::uint8_t>& leaves : leaves_)
            if (leaves.load(std::memory_order_relaxed) != 0)
                leaves.store(0, std::memory_order_relaxed);
    }

private:
    static constexpr unsigned SlotBits = 15, Probes = 8;
    static constexpr std::uint64_t Room = 1 << 16; // for counts; the rest of a place is its name
    static std::uint64_t name_of(std::uint64_t function, std::uint64_t more) {
        return ((function * 0x9e3779b97f4a7c15u ^ more) * 0xd6e8feb86659fd93u | Room) & ~(Room - 1);
    }
    // Found or made; nullptr: there is no room for it.
    std::atomic<std::uint64_t>* place_of(std::uint64_t name) {
        for (unsigned probe = 0; probe < Probes; ++probe) {
            std::atomic<std::uint64_t>& place = places_[((name >> (64 - SlotBits)) + probe) % (1u << SlotBits)];
            std::uint64_t there = place.load(std::memory_order_relaxed);
            if (there == 0 && place.compare_exchange_strong(there, name, std::memory_order_relaxed))
                return &place;
            if ((there & ~(Room - 1)) == name)
                return &place;
        }
        return nullptr;
    }

    std::atomic<std::uint32_t> changed_{0}, without_place_{1};
    base::ZeroedArray<std::atomic<std::uint64_t>, 1u << SlotBits> places_;
    base::ZeroedArray<std::atomic<std::uint8_t>, 1u << SlotBits>
        leaves_; // some functions share one: few have many, as most are changed before
};

} // namespace vftr::filter
