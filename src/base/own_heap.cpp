// SPDX-License-Identifier: BSD-3-Clause
//
// Hides the memory that this library allocates from race detectors, like all its other memory. This operator new
// replaces the one of the C++ library that libvftrace contains (src/library.am), and nobody else's, because its symbol
// is hidden. Blocks are freed by the functions of that library. It is not used with sanitizers, which have their own
// allocators and understand atomic operations.
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
