// SPDX-License-Identifier: BSD-3-Clause
#include "base/large_array.hpp"

#include "base/errno_preserved.hpp"
#include "base/memory.hpp"

#include <cstdint>
#include <sys/mman.h>

namespace vftr::base {

namespace {

// Calls `then` for the part of the range that consists of whole pages of this size.
template <class Then>
void pages_within(void* address, std::size_t bytes, std::uintptr_t page, Then then) {
    const auto begin = reinterpret_cast<std::uintptr_t>(address);
    const std::uintptr_t first = (begin + page - 1) / page * page, last = (begin + bytes) / page * page;
    if (first < last)
        then(reinterpret_cast<void*>(first), last - first);
}

} // namespace

void touch_within(void* address, std::size_t bytes) {
    // Size on most machines; elsewhere the kernel uses what large pages fit the range.
    constexpr std::uintptr_t LargePage = 2 << 20;
    const ErrnoPreserved preserved;
    pages_within(address, bytes, LargePage, [](void* from, std::size_t size) { madvise(from, size, MADV_HUGEPAGE); });
    pages_within(address, bytes, page_size(), touch);
}

} // namespace vftr::base
