// SPDX-License-Identifier: BSD-3-Clause
#include "record/child_table.hpp"

#include "base/memory.hpp"

namespace vftr::record {

namespace {
constexpr unsigned FirstBits = 8; // 256 slots: one page
}

bool ChildTable::create() {
    slots_ = static_cast<Slot*>(base::map_anonymous(sizeof(Slot) << FirstBits));
    mask_ = (std::uint64_t{1} << FirstBits) - 1;
    shift_ = 64 - FirstBits;
    used_ = 0;
    return slots_ != nullptr;
}

void ChildTable::destroy() { base::unmap(slots_, (mask_ + 1) * sizeof(Slot)); }

void ChildTable::put(std::uint32_t parent, std::uint64_t key, std::uint32_t node) {
    std::uint64_t i = place(parent, key);
    while (slots_[i].key != 0)
        i = (i + 1) & mask_;
    slots_[i] = {key, parent, node};
}

bool ChildTable::grow() {
    std::uint64_t old_size = mask_ + 1;
    auto* bigger = static_cast<Slot*>(base::map_anonymous(2 * old_size * sizeof(Slot)));
    if (!bigger)
        return false;
    Slot* old = slots_;
    slots_ = bigger;
    mask_ = 2 * old_size - 1;
    --shift_;
    for (std::uint64_t i = 0; i < old_size; ++i)
        if (old[i].key != 0)
            put(old[i].parent, old[i].key, old[i].node);
    base::unmap(old, old_size * sizeof(Slot));
    return true;
}

// Without memory to grow, it may get fuller than it should: lookups take longer then, but still end.
bool ChildTable::make_room() {
    std::uint64_t slots = mask_ + 1, wanted = std::uint64_t{used_} + 1;
    return 4 * wanted <= 3 * slots || grow() || 16 * wanted <= 15 * slots;
}

void ChildTable::insert(std::uint32_t parent, std::uint64_t key, std::uint32_t node) {
    put(parent, key, node);
    ++used_;
}

} // namespace vftr::record
