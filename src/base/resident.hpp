// SPDX-License-Identifier: BSD-3-Clause
//
// Which memory of this process is resident, as the kernel tells. A few system calls; no malloc.
#pragma once

#include <cstddef>
#include <cstdint>

namespace vftr::base {

// Bytes. All 0: not known.
struct ProcessMemory {
    std::uint64_t resident = 0, peak = 0;
};
ProcessMemory process_memory();

// Page by page, of what is asked for only: the kernel has no sum of a part of a process, and to have it add up all of a
// large one takes as long as that is large.
class PageMap {
public:
    PageMap();
    ~PageMap();
    PageMap(const PageMap&) = delete;
    PageMap& operator=(const PageMap&) = delete;

    // Bytes of the whole pages in which this range lies; all of them where the kernel does not tell.
    std::uint64_t resident(std::uintptr_t place, std::size_t bytes) const;

private:
    int fd_;
};

} // namespace vftr::base
