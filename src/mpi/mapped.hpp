// SPDX-License-Identifier: BSD-3-Clause
//
// A short-lived array without malloc: on the stack if it is short, else from the kernel.
#pragma once

#include "base/memory.hpp"

#include <cstddef>
#include <type_traits>

namespace vftr::mpi {

template <class Item, std::size_t Few = 64>
class Mapped {
    static_assert(std::is_trivially_copyable_v<Item>);

public:
    explicit Mapped(std::size_t size) : size_(size) {
        items_ = size <= Few ? few_ : static_cast<Item*>(base::map_anonymous(size * sizeof(Item)));
    }
    ~Mapped() {
        if (items_ && items_ != few_)
            base::unmap(items_, size_ * sizeof(Item));
    }
    Mapped(const Mapped&) = delete;
    Mapped& operator=(const Mapped&) = delete;
    explicit operator bool() const { return items_; } // false if there is no memory
    Item& operator[](std::size_t i) const { return items_[i]; }
    Item* begin() const { return items_; }

private:
    std::size_t size_;
    Item few_[Few];
    Item* items_;
};

} // namespace vftr::mpi
