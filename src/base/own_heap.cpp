// SPDX-License-Identifier: BSD-3-Clause
//
// What this library allocates, hidden from race detectors like all its memory. It stands for the function of the C++
// library that libvftrace carries (src/library.am), and for nobody else's: the name is not shown. Blocks are freed by
// that library's functions. Not with sanitizers: they have their own, and know atomic operations.
#include "base/compiler.hpp"
#include "base/race_detectors.hpp"

#include <cstdlib>
#include <new>

#if !VFTR_SANITIZERS_ALLOCATOR

void* operator new(std::size_t bytes) {
    void* block = std::malloc(bytes != 0 ? bytes : 1);
    if (!block)
        throw std::bad_alloc();
    vftr::base::hide_from_race_detectors(block, bytes);
    return block;
}

#endif
