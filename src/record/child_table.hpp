// SPDX-License-Identifier: BSD-3-Clause
//
// (parent path, function) → path: one open-addressing table per thread.
//
// Why one table and not a list or a table per node. Most nodes have one or two children and the caller's cache of the
// latest callee finds those; a function with 500 callees must cost the same as one with 5. One table for all has no small
// allocations, one multiply as hash and, at ≤ 3/4 load, about two probes. The key is in the slot, not only in the node, because
// folded recursion maps a pair to an ancestor whose own key it is not. Grows by doubling; memory is at most 43 bytes per path.
//
// Owned and used by one thread.
#pragma once

#include <cstdint>

namespace vftr::record {

class ChildTable {
public:
    bool create(); // false: no memory
    void destroy();

    // The path of `key` called from `parent`; NotThere if it was never inserted.
    static constexpr std::uint32_t NotThere = 0xffffffff;
    std::uint32_t find(std::uint32_t parent, std::uint64_t key) const {
        for (std::uint64_t i = place(parent, key);; i = (i + 1) & mask_) {
            const Slot& slot = slots_[i];
            if (slot.key == key && slot.parent == parent)
                return slot.node;
            if (slot.key == 0)
                return NotThere;
        }
    }
    // Room for one more pair. false: no memory, and the table is as it was.
    bool make_room();
    // The pair must not be in the table, and there must be room.
    void insert(std::uint32_t parent, std::uint64_t key, std::uint32_t node);

private:
    struct Slot {
        std::uint64_t key; // 0: free; no function or name has that key
        std::uint32_t parent;
        std::uint32_t node;
    };
    std::uint64_t place(std::uint32_t parent, std::uint64_t key) const {
        // Fibonacci hashing: the golden ratio spreads neighbouring functions and paths over the upper bits.
        return ((key ^ (std::uint64_t{parent} << 40)) + parent) * 0x9e3779b97f4a7c15u >> shift_;
    }
    void put(std::uint32_t parent, std::uint64_t key, std::uint32_t node);
    bool grow();

    Slot* slots_;
    std::uint64_t mask_;
    unsigned shift_;
    std::uint32_t used_;
};

} // namespace vftr::record
