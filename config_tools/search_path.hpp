// SPDX-License-Identifier: BSD-3-Clause
//
// Where a shell would find a command.
#pragma once

#include <string>

namespace vftr::cli {

bool is_executable_file(const std::string& path);

// With a slash the name as it is; else the first executable file of that name in PATH. Empty: there is none. What has a
// slash need not be executable.
std::string find_program(const std::string& name);

// Whether PATH has a file of that name that may be executable or not.
bool is_in_path(const std::string& name);

} // namespace vftr::cli
