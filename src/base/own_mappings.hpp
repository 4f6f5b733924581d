// SPDX-License-Identifier: BSD-3-Clause
//
// Keeps a list of vftrace's anonymous mappings, and of other memory that only vftrace looks at, so that their resident
// memory can be reported.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace vftr::base {

// Any thread may use it, also in a signal handler, without a lock. It is zero-initialised.
class OwnMappings {
public:
    void add(const void* address, std::size_t bytes) {
        for (Slot& slot : slots_) {
            std::uintptr_t free = 0;
            if (slot.address.load(std::memory_order_relaxed) != 0 ||
                !slot.address.compare_exchange_strong(free, Claimed))
                continue;
            slot.bytes.store(bytes, std::memory_order_relaxed);
            slot.address.store(reinterpret_cast<std::uintptr_t>(address), std::memory_order_release);
            return;
        }
    }
    void remove(const void* address) {
        for (Slot& slot : slots_) {
            auto here = reinterpret_cast<std::uintptr_t>(address);
            if (slot.address.load(std::memory_order_relaxed) == here && slot.address.compare_exchange_strong(here, 0))
                return;
        }
    }
    // Visits the mappings that are in the list, which holds at most `Most` at a time.
    template <class Visit>
    void for_each(Visit visit) const {
        for (const Slot& slot : slots_)
            if (const std::uintptr_t address = slot.address.load(std::memory_order_acquire); address > Claimed)
                visit(address, slot.bytes.load(std::memory_order_relaxed));
    }

    static constexpr std::size_t Most = 512;

private:
    static constexpr std::uintptr_t Claimed = 1;
    struct Slot {
        std::atomic<std::uintptr_t> address;
        std::atomic<std::size_t> bytes;
    };
    Slot slots_[Most];
};

extern OwnMappings own_mappings;

} // namespace vftr::base
