// SPDX-License-Identifier: BSD-3-Clause
#include "record/hot/child_table.hpp"

#include "base/memory.hpp"

#include <utility>

namespace vftr::record {

namespace {
constexpr unsigned MostBits = 31;
}

bool ChildTable::create() {
    static_assert(FirstBytes == sizeof(Slot) << FirstBits);
    create(base::map_anonymous(FirstBytes));
    return slots_ != nullptr;
}

void ChildTable::create(void* memory) {
    slots_ = static_cast<Slot*>(memory);
    mask_ = (1u << FirstBits) - 1;
    shift_ = 32 - FirstBits;
    used_ = 0;
}

void ChildTable::destroy() { base::unmap(slots_, (std::size_t{mask_} + 1) * sizeof(Slot)); }

std::uint32_t ChildTable::find(const vfd::Node* nodes, std::uint32_t parent, std::uint64_t key) {
    std::uint32_t tag = tag_of(parent, key), home = tag >> shift_;
    for (std::uint32_t i = home; slots_[i].node != 0; i = (i + 1) & mask_)
        if (slots_[i].tag == tag && nodes[slots_[i].node].key == key) {
            std::swap(slots_[i], slots_[home]);
            return slots_[home].node;
        }
    return NotThere;
}

void ChildTable::put(Slot slot) {
    std::uint32_t i = slot.tag >> shift_;
    while (slots_[i].node != 0)
        i = (i + 1) & mask_;
    slots_[i] = slot;
}

bool ChildTable::grow() {
    std::size_t old_size = std::size_t{mask_} + 1;
    if (shift_ == 32 - MostBits)
        return false;
    auto* bigger = static_cast<Slot*>(base::map_anonymous(2 * old_size * sizeof(Slot)));
    if (!bigger)
        return false;
    Slot* old = slots_;
    slots_ = bigger;
    mask_ = static_cast<std::uint32_t>(2 * old_size - 1);
    --shift_;
    for (std::size_t i = 0; i < old_size; ++i)
        if (old[i].node != 0)
            put(old[i]);
    base::unmap(old, old_size * sizeof(Slot));
    return true;
}

// Without memory to grow, the table may get fuller than intended: lookups then take longer, but still end.
bool ChildTable::make_room() {
    std::uint64_t slots = std::uint64_t{mask_} + 1, wanted = std::uint64_t{used_} + 1;
    return 2 * wanted <= slots || grow() || 16 * wanted <= 15 * slots;
}

void ChildTable::insert(std::uint32_t parent, std::uint64_t key, std::uint32_t node) {
    put({tag_of(parent, key), node});
    ++used_;
}

// Deletion in linear probing (Knuth, TAOCP 6.4, algorithm R): later pairs of the run move up as far as lookups still
// find them.
void ChildTable::take_out(std::uint32_t at) {
    std::uint32_t hole = at;
    for (std::uint32_t i = (at + 1) & mask_; slots_[i].node != 0; i = (i + 1) & mask_) {
        std::uint32_t from_home = (i - (slots_[i].tag >> shift_)) & mask_;
        if (from_home >= ((i - hole) & mask_)) {
            slots_[hole] = slots_[i];
            hole = i;
        }
    }
    slots_[hole] = {};
    --used_;
}

} // namespace vftr::record
