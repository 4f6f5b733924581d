// SPDX-License-Identifier: BSD-3-Clause
//
// Allocates, maps and frees the disk blocks of a part of a file.
//
// Why a recording is never sparse: hooks store into mappings of the file, and a store for which the disk has no block
// raises SIGBUS in the user's program. Therefore each part has its blocks before it is mapped, and a full disk is an
// error code when the file grows. Only a part to which nothing is stored any more may become a hole.
#pragma once

#include <cstddef>
#include <cstdint>

namespace vftr::vfd {

// Allocates blocks for a part of the file and extends the file if necessary. The part reads as zeros, also where
// somebody else has appended to the file: what is there would be taken for records. Returns 0 or errno, which is EFBIG
// if RLIMIT_FSIZE is exceeded; the signal for that (SIGXFSZ) is suppressed.
int allocate_blocks(int fd, std::uint64_t offset, std::size_t bytes);

// Maps the part shared; a forked child does not inherit the mapping. If `address` is given, the mapping replaces
// whatever is mapped at that address. Returns nullptr and sets errno on failure.
void* map_blocks(int fd, std::uint64_t offset, std::size_t bytes, void* address);

// Frees the disk blocks of the part, which then reads as zeros. Returns false where the file system cannot do that: the
// part is as it was.
bool free_blocks(int fd, std::uint64_t offset, std::size_t bytes);

} // namespace vftr::vfd
