// SPDX-License-Identifier: BSD-3-Clause
//
// Reads and writes all requested bytes, with as many system calls as that takes. It uses neither malloc nor locks,
// and is no cancellation point.
#pragma once

#include <cstddef>
#include <cstdint>
#include <sys/types.h>

namespace vftr::base {

// Returns the number of bytes that were read, which are fewer if the file ends before; or -1 with errno.
ssize_t read_at(int fd, void* to, std::size_t bytes, std::uint64_t offset);
// Returns 0, or the errno for which not all was written.
int write_all(int fd, const void* from, std::size_t bytes);
int write_at(int fd, const void* from, std::size_t bytes, std::uint64_t offset);

} // namespace vftr::base
