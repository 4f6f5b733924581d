// SPDX-License-Identifier: BSD-3-Clause
//
// Memory for containers that grow as long as the process lives. It comes from the kernel and not from malloc, so that
// it can be distinguished from the program's (own_mappings.hpp). The memory of small blocks is not reused after they
// are freed.
#pragma once

#include "base/memory.hpp"

#include <algorithm>
#include <cstddef>
#include <new>

namespace vftr::base {

// Only one thread at a time may use it. It is never destroyed, and neither are its containers.
class KeptMemory {
public:
    KeptMemory() = default;
    KeptMemory(const KeptMemory&) = delete;
    KeptMemory& operator=(const KeptMemory&) = delete;

    void* take(std::size_t bytes) {
        if (bytes >= Large)
            return mapped(bytes);
        bytes = (bytes + Alignment - 1) / Alignment * Alignment;
        if (left_ < bytes) {
            next_ = static_cast<std::byte*>(mapped(chunk_));
            left_ = chunk_;
            chunk_ = std::min(2 * chunk_, LargestChunk);
        }
        left_ -= bytes;
        next_ += bytes;
        return next_ - bytes;
    }
    void give_back(void* address, std::size_t bytes) {
        if (bytes >= Large)
            unmap(address, bytes);
    }

private:
    static constexpr std::size_t Alignment = alignof(std::max_align_t), Large = 1 << 14, LargestChunk = 1 << 18;

    static void* mapped(std::size_t bytes) {
        void* address = map_anonymous(bytes);
        if (!address)
            throw std::bad_alloc();
        return address;
    }

    std::byte* next_ = nullptr;
    std::size_t left_ = 0, chunk_ = Large;
};

// An allocator for the containers of the standard library. The KeptMemory must outlive them.
template <class T>
class KeptAllocator {
public:
    using value_type = T;

    explicit KeptAllocator(KeptMemory& memory) : memory_(&memory) {}
    template <class U>
    KeptAllocator(const KeptAllocator<U>& other) : memory_(other.memory_) {}

    T* allocate(std::size_t count) { return static_cast<T*>(memory_->take(count * sizeof(T))); }
    void deallocate(T* address, std::size_t count) { memory_->give_back(address, count * sizeof(T)); }

    template <class U>
    bool operator==(const KeptAllocator<U>& other) const {
        return memory_ == other.memory_;
    }

private:
    template <class U>
    friend class KeptAllocator;
    KeptMemory* memory_;
};

} // namespace vftr::base
