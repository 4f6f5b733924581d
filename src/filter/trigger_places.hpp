// SPDX-License-Identifier: BSD-3-Clause
//
// The triggers that a function belongs to. They are looked up at every call of the function, without a lock: a signal
// handler that interrupts a hook may leave it for good (siglongjmp), and the lock would never be released. (To block
// all signals meanwhile was considered: it takes two system calls at each call of a function that may be called a
// billion times.)
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace vftr::filter {

// Never destroyed. One thread at a time may write, and any thread may read.
class TriggerPlaces {
public:
    // Indices in the configuration's list of triggers. The memory is never freed.
    std::span<const std::uint32_t> of(std::uint64_t function) const {
        for (const Entry* entry = newest(function).load(std::memory_order_acquire); entry; entry = entry->older)
            if (entry->function == function)
                return entry->places;
        return {};
    }
    // Sets the triggers of the function from now on; they may change if another object is loaded at its address.
    // Allocates if they differ from those before.
    void set(std::uint64_t function, const std::vector<std::uint32_t>& places) {
        if (std::ranges::equal(of(function), places))
            return;
        std::atomic<Entry*>& list = newest_[slot(function)];
        list.store(new Entry{function, places, list.load(std::memory_order_relaxed)}, std::memory_order_release);
    }

private:
    struct Entry {
        const std::uint64_t function;
        const std::vector<std::uint32_t> places;
        Entry* const older;
    };
    static constexpr unsigned SlotBits = 8;
    static std::size_t slot(std::uint64_t function) { return function * 0x9e3779b97f4a7c15u >> (64 - SlotBits); }
    const std::atomic<Entry*>& newest(std::uint64_t function) const { return newest_[slot(function)]; }

    std::atomic<Entry*> newest_[std::size_t{1} << SlotBits] = {};
};

} // namespace vftr::filter
