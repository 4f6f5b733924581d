// SPDX-License-Identifier: BSD-3-Clause
//
// Reading and writing all that is asked for, however many calls of the kernel that takes. No malloc, no locks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <sys/types.h>

namespace vftr::base {

// The bytes that were read: fewer where the file ends. -1: it cannot be read, errno says why.
ssize_t read_at(int fd, void* to, std::size_t bytes, std::uint64_t offset);
// 0, or why not all was written (an errno).
int write_all(int fd, const void* from, std::size_t bytes);

} // namespace vftr::base
