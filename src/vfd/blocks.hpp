// SPDX-License-Identifier: BSD-3-Clause
//
// What of a file is on the disk, and what in memory.
//
// Why a recording is never sparse. Hooks store into mappings of the file. A store for which the disk has no block
// raises SIGBUS in the user's program; so each part has its blocks before it is mapped, and a full disk is an error
// code of a growth. Only what nobody stores to any more may become a hole.
#pragma once

#include <cstddef>
#include <cstdint>

namespace vftr::vfd {

// Blocks for a part of the file, which becomes longer if it has to. 0, or errno: EFBIG too (RLIMIT_FSIZE), without its
// signal.
int allocate_blocks(int fd, std::uint64_t offset, std::size_t bytes);

// Shared, and not in a forked child. At `place` if that is given, whatever is mapped there. nullptr and errno.
void* map_blocks(int fd, std::uint64_t offset, std::size_t bytes, void* place);

// The part stays as zeros; the disk gets back its blocks where the file system can do that.
void free_blocks(int fd, std::uint64_t offset, std::size_t bytes);

} // namespace vftr::vfd
