// SPDX-License-Identifier: BSD-3-Clause
//
// (parent path, function) → path: one open-addressing table per thread.
//
// Why one table and not a list or a table per node, and no cache of the latest callee. A function with 500 callees must
// cost the same as one with 5, and callees that alternate the same as one that is repeated: a cache that is right half
// of the time costs more in mispredicted branches than it saves. A pair that is found away from its home slot changes
// places with the one that is there, so what is called often is found at the first look, which hooks do inline.
//
// A slot is 8 bytes: a 32-bit tag and the path. The tag is a one-to-one function of the parent for a given key, and the
// path's node has the key; equal tag and equal key therefore mean the same pair, with no doubt left. At most half the
// slots are used; memory is at most 32 bytes per path.
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
    void create(void* memory); // FirstBytes, zeroed, which are its own from here on
    void destroy();

    // `nodes` are the thread's, here and below.
    // Looks at the home slot only. false: it may still be elsewhere in the table.
    bool find_at_home(const vfd::Node* nodes, std::uint32_t parent, std::uint64_t key, std::uint32_t& node) const {
        std::uint32_t tag = tag_of(parent, key);
        const Slot& slot = slots_[tag >> shift_];
        node = slot.node;
        return slot.tag == tag && nodes[slot.node].key == key;
    }
    // The path of `key` called from `parent`; NotThere if it was never inserted.
    static constexpr std::uint32_t NotThere = 0xffffffff;
    std::uint32_t find(const vfd::Node* nodes, std::uint32_t parent, std::uint64_t key);
    // In place of a parent: the pair of a node that stands for all callers (vfd::NodeUnrecorded).
    static constexpr std::uint32_t AnyParent = 0xfffffffe;
    static std::uint32_t parent_of(const vfd::Node& node) {
        return node.flags & vfd::NodeUnrecorded ? AnyParent : node.parent;
    }
    // Room for one more pair. false: no memory, and the table is as it was.
    bool make_room();
    // The pair must not be in the table, and there must be room. `node` has the key, and is not the root.
    void insert(std::uint32_t parent, std::uint64_t key, std::uint32_t node);
    // Forgets all pairs whose path `is_gone(node)`; `taken` is called with each such path that was the callee of its
    // own node's parent, and not one that others were folded onto. Needs no memory.
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
    // Forgets the pairs that others have with paths for which `is_gone(node)`.
    template <class IsGone>
    void forget_callers(const vfd::Node* nodes, IsGone is_gone) {
        for (std::uint32_t i = 0; i <= mask_; ++i)
            while (slots_[i].node != 0 && is_gone(slots_[i].node) && !is_own_pair(slots_[i], nodes[slots_[i].node]))
                take_out(i);
    }

private:
    struct Slot {
        std::uint32_t tag;
        std::uint32_t node; // 0: free; the root is nobody's callee, and has no key
    };
    // Multiplicative hashing (Knuth, TAOCP 6.4): odd multipliers near the golden ratio of the word, upper bits used.
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
