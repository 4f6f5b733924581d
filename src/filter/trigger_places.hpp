// SPDX-License-Identifier: BSD-3-Clause
//
// Which triggers a function is of. Looked up by every call of it and without a lock: the handler of a signal that comes
// within a hook may leave it for good (siglongjmp), and nobody would ever give back what the hook held. (To block all
// signals meanwhile was considered: two system calls at each call of a function that may be called a billion times.)
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

namespace vftr::filter {

// Never destroyed. Written by one thread at a time, read by any.
class TriggerPlaces {
public:
    // Places in the list of the configuration; the object's until the end.
    std::span<const std::uint32_t> of(std::uint64_t function) const {
        for (const Entry* entry = newest(function).load(std::memory_order_acquire); entry; entry = entry->older)
            if (entry->function == function)
                return entry->places;
        return {};
    }
    // From now on, as another object may have come to the function's address. Allocates where that is news.
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
