// SPDX-License-Identifier: BSD-3-Clause
//
// Maps (parent path, function) to a path: one open-addressing table per thread.
//
// Why there is one table, not a list or a table per node, and no cache of the latest callee: a function with 500
// callees must cost the same as one with 5, and alternating callees the same as a repeated one. A cache that is right
// half of the time costs more in mispredicted branches than it saves. A pair that is found away from its home slot
// changes slots with the pair that occupies it, so frequent callees are found at the first probe, which hooks do
// inline.
//
// A slot has 8 bytes: a 32-bit tag and the path. The tag is a one-to-one function of the parent for a given key, and
// the node of the path holds the key; so equal tags and equal keys prove that the pair is the same. At most half of the
// slots are used; the table takes at most 32 bytes per path.
//
// Owned and used by one thread.
#pragma once

#include "vfd/format.hpp"

#include <cstddef>
#include <cstdint>

namespace vftr::record {

class ChildTable {
public:
    static constexpr unsigned FirstBits = 9;
    static constexpr std::size_t FirstBytes = std::size_t{8} << FirstBits; // one page
    bool create();                                                         // false: no memory
    void create(void* memory); // FirstBytes of zeroed memory, which the table owns from then on
    void destroy();

    // `nodes` are those of the thread, here and below.
    // Probes the home slot only. False: the pair may still be elsewhere in the table.
    bool find_at_home(const vfd::Node* nodes, std::uint32_t parent, std::uint64_t key, std::uint32_t& node) const {
        std::uint32_t tag = tag_of(parent, key);
        const Slot& slot = slots_[tag >> shift_];
        node = slot.node;
        return slot.tag == tag && nodes[slot.node].key == key;
    }
    // The path of `key` called from `parent`; NotThere if it was never inserted.
    static constexpr std::uint32_t NotThere = 0xffffffff;
    std::uint32_t find(const vfd::Node* nodes, std::uint32_t parent, std::uint64_t key);
    // Stands for the parent in the pair of a node that represents the calls of all callers (vfd::NodeUnrecorded).
    static constexpr std::uint32_t AnyParent = 0xfffffffe;
    static std::uint32_t parent_of(const vfd::Node& node) {
        return node.flags & vfd::NodeUnrecorded ? AnyParent : node.parent;
    }
    // Makes room for one more pair. False: there is no memory, and the table is unchanged.
    bool make_room();
    // Inserts a pair that is not in the table; there must be room. `node` has this key and is not the root.
    void insert(std::uint32_t parent, std::uint64_t key, std::uint32_t node);
    // Removes all pairs whose path fulfils `is_gone(node)`. Calls `taken` for each such path that was found under its
    // own parent, and not for one onto which others were folded. Needs no memory.
    template <class IsGone, class Taken>
    void forget(const vfd::Node* nodes, IsGone is_gone, Taken taken) {
        for (std::uint32_t i = 0; i <= mask_; ++i)
            while (slots_[i].node != 0 && is_gone(slots_[i].node)) {
                const vfd::Node& node = nodes[slots_[i].node];
                if (is_own_pair(slots_[i], node))
                    taken(slots_[i].node);
                take_out(i);
            }
    }
    // Removes the pairs by which other callers lead to paths that fulfil `is_gone(node)`.
    template <class IsGone>
    void forget_callers(const vfd::Node* nodes, IsGone is_gone) {
        for (std::uint32_t i = 0; i <= mask_; ++i)
            while (slots_[i].node != 0 && is_gone(slots_[i].node) && !is_own_pair(slots_[i], nodes[slots_[i].node]))
                take_out(i);
    }

private:
    struct Slot {
        std::uint32_t tag;
        std::uint32_t node; // 0: the slot is free (the root is nobody's callee and has no key)
    };
    // Multiplicative hashing (Knuth, TAOCP 6.4): odd multipliers near the golden ratio of the word; the upper bits are
    // used.
    static std::uint32_t tag_of(std::uint32_t parent, std::uint64_t key) {
        return parent * 0x9e3779b1u ^ static_cast<std::uint32_t>(key * 0x9e3779b97f4a7c15u >> 32);
    }
    static bool is_own_pair(const Slot& slot, const vfd::Node& node) {
        return slot.tag == tag_of(parent_of(node), node.key);
    }
    void put(Slot slot);
    void take_out(std::uint32_t at);
    bool grow();

    Slot* slots_;
    std::uint32_t mask_;
    std::uint32_t shift_; // tag >> shift_ is the home slot
    std::uint32_t used_;
};

} // namespace vftr::record
