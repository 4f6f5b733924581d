// SPDX-License-Identifier: BSD-3-Clause
//
// Runs another command and keeps what it writes.
#pragma once

#include <string>
#include <vector>

namespace vftr::cli {

struct Captured {
    bool started = false, in_time = false;
    int code = 0; // as of shells
    std::string out, err;
};

// Runs the command without standard input, in a process group of its own, which is killed after `seconds`. Throws
// std::runtime_error if no process can be created.
Captured capture(const std::vector<std::string>& command, int seconds);

} // namespace vftr::cli
