// SPDX-License-Identifier: BSD-3-Clause
//
// Whether a recording still has its process.
#pragma once

#include "analysis/recording.hpp"
#include "vfd/format.hpp"

#include <cstdint>
#include <string>

namespace vftr::cli {

enum class WriterOf {
    Gone,
    Runs,
    OnAnotherHost,      // nobody here can tell
    InAnotherNamespace, // its pid is of another pid namespace, and the kernel does not tell here whether the file is
                        // held for writing
};

// A process that was started when the header says, is no zombie, and maps the file (or nobody may look): after an exec
// the same process runs another program. A process in a container has another pid there: it runs if the file is held
// for writing. inode: of the file at `path`.
WriterOf writer_of(const vfd::FileHeader& header, const std::string& path, std::uint64_t inode);

// The same of a recording of this host whose process is not found by its pid. pid_namespace: FileHeader::pid_namespace.
WriterOf holder_of(std::uint64_t pid_namespace, const std::string& path);

// A recording that nobody closed, and whose process is not found by its pid, has been killed; or it runs in a
// container, or may do so: then `ending` becomes Runs or Unknown.
void settle_killed(analysis::Recording& recording);

} // namespace vftr::cli
