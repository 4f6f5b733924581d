// SPDX-License-Identifier: BSD-3-Clause
//
// Whether the process that writes a recording still runs, as far as the header tells.
#pragma once

#include "base/process.hpp"
#include "vfd/header_fields.hpp"

#include <sys/types.h>

namespace vftr::vfd {

enum class WriterOf {
    Gone,
    Runs,
    OnAnotherHost,      // nobody here can tell
    InAnotherNamespace, // its pid is of another pid namespace; only the file may tell
};

// The process runs if it was started when the header says, and is no zombie.
inline WriterOf writer_of(const FileHeader& header) {
    if (!is_of_this_host(header))
        return WriterOf::OnAnotherHost;
    if (!base::is_own_pid_namespace(header.pid_namespace))
        return WriterOf::InAnotherNamespace;
    return base::process_lives(static_cast<pid_t>(header.pid), header.process_start) ? WriterOf::Runs : WriterOf::Gone;
}

} // namespace vftr::vfd
