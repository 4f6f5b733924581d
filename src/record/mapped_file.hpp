// SPDX-License-Identifier: BSD-3-Clause
//
// Which file is mapped at an address of this process: that, and not what lies at its path now, is what a module's names
// may be read from. The kernel tells in /proc/self/maps. For hooks: open, read, stat, close; no malloc, no locks. errno
// may change.
#pragma once

#include <cstddef>
#include <cstdint>

namespace vftr::record {

// As in vfd::ModuleRecord; 0: not known.
struct FileIdentity {
    std::uint64_t device, inode, size, mtime_ns;
};

struct MappedFile {
    static constexpr std::size_t LongestPath = 4096;
    FileIdentity identity;
    char path[LongestPath + 512]; // where it is, or was before it was deleted; a label for what is no file
    std::size_t path_size;
};

// Everything is 0 where it cannot be found out. Of a file that was deleted or replaced before, size and time are not
// known, but for that of the running program. One caller at a time: it works in static memory.
void find_mapped_file(std::uint64_t address, MappedFile& result);

} // namespace vftr::record
