// SPDX-License-Identifier: BSD-3-Clause
//
// Finds the file that is mapped at an address of this process. A module's names may be read from that file only, not
// from whatever is at its path now. The source is /proc/self/maps. For hooks: open, read, stat, close; no malloc, no
// locks. errno may change.
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
    // Path of the file, also if it has been deleted; a label where the mapping has no file.
    char path[LongestPath + 512];
    std::size_t path_size;
};

// All fields are 0 where nothing can be found out. For a file that has been deleted or replaced, size and time are not
// known, except for the running program. One caller at a time, as it uses static memory.
void find_mapped_file(std::uint64_t address, MappedFile& result);

} // namespace vftr::record
