// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

namespace vftr::base {

// Memory that will be written to soon, wherever in a block it lies: the kernel makes its pages at once where it can,
// and large ones where it lends them on request (/sys/kernel/mm/transparent_hugepage). Keeps errno.
void touch_within(void* place, std::size_t bytes);

// reserve() for what is filled at once. The memory of many elements comes from the kernel page by page else, which
// costs more than filling it.
template <class Element>
void expect_writes(std::vector<Element>& all, std::size_t elements) {
    constexpr std::size_t Large = 1 << 20; // bytes: less may be memory that malloc had already
    if (elements <= all.capacity())
        return;
    all.reserve(elements);
    if (elements * sizeof(Element) >= Large)
        touch_within(all.data(), elements * sizeof(Element));
}

} // namespace vftr::base
