// SPDX-License-Identifier: BSD-3-Clause
//
// Command lines of programs that start another one: mpirun, srun, env, nice, …
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace vftr::cli {

// "mpirun" of "/usr/bin/mpirun".
std::string file_name(const std::string& path);

// Returns the index of the program that is started in the end. It is found by looking for an executable file, since
// nobody knows the options of all launchers. 0 means that command[0] is no launcher, or that no program was found.
// `command` must not be empty.
std::size_t program_in(const std::vector<std::string>& command);

} // namespace vftr::cli
