// SPDX-License-Identifier: BSD-3-Clause
#include "base/large_array.hpp"

#include "base/memory.hpp"

#include <cerrno>
#include <cstdint>
#include <sys/mman.h>

namespace vftr::base {

namespace {

// What of the range are whole pages of that size.
template <class Then>
void pages_within(void* place, std::size_t bytes, std::uintptr_t page, Then then) {
    const auto begin = reinterpret_cast<std::uintptr_t>(place);
    const std::uintptr_t first = (begin + page - 1) / page * page, last = (begin + bytes) / page * page;
    if (first < last)
        then(reinterpret_cast<void*>(first), last - first);
}

} // namespace

void touch_within(void* place, std::size_t bytes) {
    constexpr std::uintptr_t LargePage = 2 << 20; // of most machines; elsewhere the kernel takes what is in the range
    const int saved = errno;
    pages_within(place, bytes, LargePage, [](void* from, std::size_t size) { madvise(from, size, MADV_HUGEPAGE); });
    pages_within(place, bytes, page_size(), touch);
    errno = saved;
}

} // namespace vftr::base
