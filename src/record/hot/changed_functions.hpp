// SPDX-License-Identifier: BSD-3-Clause
//
// The functions on which the filter decision has changed lately. A thread that brings its tree up to date then asks
// again for the paths of these functions only: a program has a hundred thousand paths, and automatic exclusion may
// change a hundred decisions.
//
// The latest changes are kept in a ring, each as one word that includes the low bits of its number. A reader that does
// not find the number it looks for (the slot was overwritten, or is about to be written) assumes that any function may
// have changed. Any thread may use it; there is no lock.
#pragma once

#include <atomic>
#include <cstdint>

namespace vftr::record {

class ChangedFunctions {
public:
    static constexpr std::uint32_t Kept = 64;
    // Values in place of a function's address (no function has one of the lowest addresses): all functions, or all
    // functions of an object.
    static constexpr std::uint64_t Any = 0;
    static constexpr std::uint64_t all_of(std::uint16_t module) { return module; }

    std::uint32_t count() const { return count_.load(std::memory_order_acquire); }

    void add(std::uint64_t function) {
        const std::uint32_t number = count_.fetch_add(1, std::memory_order_acq_rel) + 1;
        latest_[number % Kept].store(change(number, function), std::memory_order_release);
    }

    // True if this function of this object (0: of none) may be among the changes from number `seen` + 1 to `count`.
    bool may_have(std::uint64_t function, std::uint16_t module, std::uint32_t seen, std::uint32_t count) const {
        if (count - seen > Kept)
            return true;
        for (std::uint32_t number = count; number != seen; --number) {
            const std::uint64_t found = latest_[number % Kept].load(std::memory_order_acquire);
            if (found == change(number, function) || found == change(number, all_of(module)) ||
                found == change(number, Any) || !is_of(number, found))
                return true;
        }
        return false;
    }

private:
    // No address of a program uses the upper eight bits. The low eight bits of the number tell four rounds of the ring
    // apart.
    static constexpr std::uint64_t change(std::uint32_t number, std::uint64_t function) {
        return function << 8 | (number & 0xff);
    }
    static constexpr bool is_of(std::uint32_t number, std::uint64_t change) {
        return (change & 0xff) == (number & 0xff);
    }

    std::atomic<std::uint32_t> count_{0};
    std::atomic<std::uint64_t> latest_[Kept] = {};
};

} // namespace vftr::record
