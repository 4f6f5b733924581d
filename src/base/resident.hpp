// SPDX-License-Identifier: BSD-3-Clause
//
// The resident memory of this process as the kernel reports it. The functions take a few system calls and no malloc.
#pragma once

#include <cstddef>
#include <cstdint>

namespace vftr::base {

// In bytes. Both are 0 if they are not known.
struct ProcessMemory {
    std::uint64_t resident = 0, peak = 0;
};
ProcessMemory process_memory();

// Looks up the residency of single pages. The kernel reports no sum for a part of a process, and a sum over all of a
// large process takes long.
class PageMap {
public:
    PageMap();
    ~PageMap();
    PageMap(const PageMap&) = delete;
    PageMap& operator=(const PageMap&) = delete;

    // Returns the bytes of all pages that this range touches and that are resident; it counts all of them if the kernel
    // does not report that.
    std::uint64_t resident(std::uintptr_t address, std::size_t bytes) const;

private:
    int fd_;
};

} // namespace vftr::base
