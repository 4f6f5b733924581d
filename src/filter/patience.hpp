// SPDX-License-Identifier: BSD-3-Clause
//
// Decides when it is worth its cost to remove the hook calls of an excluded function from the machine code.
//
// To find a hook site and to change it takes as long as a thousand calls of its hook. Programs have thousands of
// functions that are called once or twice, and to filter these must not cost more than to record them. So the first
// hook sites are changed at their first call, as a small program has no more; each later one is changed after several
// calls. A hook site ("place" in the names below) is where a hook was called for a function.
#pragma once

#include "base/zeroed_array.hpp"

#include <atomic>
#include <cstdint>

namespace vftr::filter {

// May be called by any thread; there is no lock. Counts may miss calls that threads make at the same time.
class Patience {
public:
    static constexpr std::uint32_t AtOnce = 32, Calls = 16, Leaves = 255;
    enum class Answer {
        Wait,   // ask again at the next call
        Change, // the caller changes the hook site now
        Done,   // an earlier caller was asked to change it
    };

    // Counts a call of the enter hook. hook_site: the low bits of its address.
    Answer on_enter(std::uint64_t function, std::uint32_t hook_site) {
        std::atomic<std::uint64_t>* const place = place_of(name_of(function, hook_site));
        if (!place) // there are too many hook sites
            return without_place_.fetch_add(1, std::memory_order_relaxed) % Calls == 0 ? Answer::Change : Answer::Wait;
        const std::uint64_t calls = place->load(std::memory_order_relaxed) % Room;
        if (calls >= Calls)
            return Answer::Done;
        const bool change =
            calls + 1 == Calls || (calls == 0 && changed_.fetch_add(1, std::memory_order_relaxed) < AtOnce);
        place->fetch_add(change ? Calls - calls : 1, std::memory_order_relaxed);
        return change ? Answer::Change : Answer::Wait;
    }
    // Counts a call of the exit hook, for a function called by `caller`. Its hook site is not known, and is changed
    // together with that of the enter hook, which is called first. So this never answers Change.
    Answer on_leave(std::uint64_t caller, std::uint64_t function) {
        std::atomic<std::uint8_t>& leaves = leaves_[name_of(function, ~caller << 32) >> (64 - SlotBits)];
        const std::uint8_t so_far = leaves.load(std::memory_order_relaxed);
        if (so_far >= Leaves)
            return Answer::Done;
        leaves.store(static_cast<std::uint8_t>(so_far + 1), std::memory_order_relaxed);
        return Answer::Wait;
    }
    // Forgets all hook sites, since another object may have been loaded at some of their addresses.
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
    static constexpr std::uint64_t Room = 1 << 16; // the low bits are the count, the rest is the name
    static std::uint64_t name_of(std::uint64_t function, std::uint64_t more) {
        return ((function * 0x9e3779b97f4a7c15u ^ more) * 0xd6e8feb86659fd93u | Room) & ~(Room - 1);
    }
    // Finds the entry or makes it; nullptr if there is no room for it.
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
        leaves_; // functions may share a count: few have many calls, as most hook sites are changed before
};

} // namespace vftr::filter
