// SPDX-License-Identifier: BSD-3-Clause
//
// Reads short files of the kernel, as those below /proc. It uses neither malloc nor locks; any thread may call it, also
// in a signal handler. errno may change.
#pragma once

#include <cstddef>

namespace vftr::base {

// Reads as much of the file's beginning as there is room for. Returns the number of bytes, 0 if it cannot be read. A
// path below /proc/thread-self would be that of another thread at times (own_descriptors.hpp).
std::size_t read_beginning(const char* path, char* out, std::size_t room);

} // namespace vftr::base
