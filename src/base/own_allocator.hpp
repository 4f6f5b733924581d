// SPDX-License-Identifier: BSD-3-Clause
//
// For containers that may become large and stay: large blocks are the kernel's memory and not malloc's, so that what is
// resident of them is known as ours (own_mappings.hpp).
#pragma once

#include "base/memory.hpp"

#include <cstddef>
#include <new>

namespace vftr::base {

// Any thread.
template <class T>
struct OwnAllocator {
    using value_type = T;

    OwnAllocator() = default;
    template <class U>
    OwnAllocator(const OwnAllocator<U>&) {}

    T* allocate(std::size_t count) {
        if (count > static_cast<std::size_t>(-1) / 2 / sizeof(T))
            throw std::bad_alloc();
        if (count * sizeof(T) < Large)
            return static_cast<T*>(::operator new(count * sizeof(T)));
        void* address = map_anonymous(count * sizeof(T));
        if (!address)
            throw std::bad_alloc();
        return static_cast<T*>(address);
    }
    void deallocate(T* address, std::size_t count) {
        if (count * sizeof(T) < Large)
            ::operator delete(address);
        else
            unmap(address, count * sizeof(T));
    }

    template <class U>
    bool operator==(const OwnAllocator<U>&) const {
        return true;
    }

private:
    static constexpr std::size_t Large = 1 << 15;
};

} // namespace vftr::base
