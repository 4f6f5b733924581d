// SPDX-License-Identifier: BSD-3-Clause
//
// A pool of items of one size: memory comes from the kernel, and items that were given back are used again. `Item` has
// a member `next`, which belongs to the list while the item is free.
//
// Why new memory is not linked into the list in advance: that would touch all of its pages, and the first request of a
// program would take as long as dozens of later ones. A program whose ranks answer each other within microseconds would
// then see messages arrive in another order than without vftrace.
#pragma once

#include "base/memory.hpp"

#include <cstddef>

namespace vftr::mpi {

template <class Item>
class FreeList {
public:
    // Null if there is no memory. An item that was used before still has its old contents.
    Item* take() {
        if (Item* item = free_) {
            free_ = item->next;
            return item;
        }
        if (fresh_ == end_ && !map())
            return nullptr;
        return fresh_++;
    }
    void give(Item* item) { give(item, item); }
    // Gives back the items from `first` to `last`, which are linked by `next`.
    void give(Item* first, Item* last) {
        last->next = free_;
        free_ = first;
    }

private:
    static constexpr std::size_t ChunkBytes = 1 << 16;

    bool map() {
        auto* items = static_cast<Item*>(base::map_anonymous(ChunkBytes));
        if (!items)
            return false;
        fresh_ = items;
        end_ = items + ChunkBytes / sizeof(Item);
        return true;
    }

    Item* free_ = nullptr;
    Item* fresh_ = nullptr; // never used so far
    Item* end_ = nullptr;
};

} // namespace vftr::mpi
