// SPDX-License-Identifier: BSD-3-Clause
//
// Whether a recording still has its process.
#pragma once

#include "vfd/format.hpp"

#include <cstdint>
#include <string>

namespace vftr::cli {

enum class WriterOf {
    Gone,
    Runs,
    OnAnotherHost, // nobody here can tell
};

// A process that was started when the header says, is no zombie, and maps the file (or nobody may look): after an exec the same
// process runs another program. A process in a container has another pid there: it runs if the file is held for writing. inode: of the
// file at `path`.
WriterOf writer_of(const vfd::FileHeader& header, const std::string& path, std::uint64_t inode);

// False also where the kernel does not tell: files of other users, file systems without leases.
bool is_held_for_writing(const std::string& path);

} // namespace vftr::cli
