// SPDX-License-Identifier: BSD-3-Clause
//
// Where a shell would find a command.
#pragma once

#include <string>

namespace vftr::cli {

bool is_executable_file(const std::string& path);

// A name with a slash is returned as it is, executable or not; for others, the first executable file of that name in
// PATH. Empty if there is none.
std::string find_program(const std::string& name);

// Whether PATH has a file of that name, executable or not.
bool is_in_path(const std::string& name);

} // namespace vftr::cli
