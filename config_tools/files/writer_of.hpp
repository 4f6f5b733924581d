// SPDX-License-Identifier: BSD-3-Clause
//
// Whether the process of a recording still runs.
#pragma once

#include "analysis/processes/recording.hpp"
#include "vfd/writer_of.hpp"

#include <cstdint>
#include <string>

namespace vftr::cli {

using vfd::WriterOf;

// As vfd::writer_of, but the process also has to map the file (unless its mappings may not be seen): after an exec the
// same process runs another program. A process in a container has another pid there; it runs if the file is held for
// writing, and the result is InAnotherNamespace if the kernel does not tell that. `inode` is that of the file at
// `path`.
WriterOf writer_of(const vfd::FileHeader& header, const std::string& path, std::uint64_t inode);

// The same for a recording of this host whose process is not found by its pid. `pid_namespace` is
// FileHeader::pid_namespace.
WriterOf holder_of(std::uint64_t pid_namespace, const std::string& path);

// The process of an open recording that is not found by its pid was killed; or it runs in a container, or may do so,
// and `ending` becomes Runs or Unknown.
void settle_killed(analysis::Recording& recording);

} // namespace vftr::cli
