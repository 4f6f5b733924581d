// SPDX-License-Identifier: BSD-3-Clause
//
// Items of one size, from the kernel, that are used again. `Item` has a member `next`, which belongs to the list while
// the item is free.
//
// Why new memory is not cut up in advance: that touches all its pages, and the first request of a program would take as
// long as dozens. A program whose ranks answer each other within microseconds would see messages arrive in another
// order than without us.
#pragma once

#include "base/memory.hpp"

#include <cstddef>

namespace vftr::mpi {

template <class Item>
class FreeList {
public:
    // Null without memory. Contents are those of its last use.
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
    // Those from `first` to `last`, linked by `next`.
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
