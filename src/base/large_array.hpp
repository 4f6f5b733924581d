// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

namespace vftr::base {

// For memory of any alignment that will be written soon: the kernel populates its pages at once if it can, with large
// pages where the system offers them on request (/sys/kernel/mm/transparent_hugepage). Preserves errno.
void touch_within(void* address, std::size_t bytes);

// Does reserve() for a vector that is filled soon. Without it, the kernel would provide the memory of many elements
// page by page, which costs more than filling it.
template <class Element>
void expect_writes(std::vector<Element>& all, std::size_t elements) {
    // In bytes. Smaller blocks may be memory that malloc has already used.
    constexpr std::size_t Large = 1 << 20;
    if (elements <= all.capacity())
        return;
    all.reserve(elements);
    if (elements * sizeof(Element) >= Large)
        touch_within(all.data(), elements * sizeof(Element));
}

} // namespace vftr::base
