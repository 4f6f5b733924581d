// SPDX-License-Identifier: BSD-3-Clause
//
// Command lines of programs that start another one: mpirun, srun, env, nice, …
#pragma once

#include <string>
#include <vector>

namespace vftr::cli {

// "mpirun" of "/usr/bin/mpirun".
std::string file_name(const std::string& path);

// Where in the command line the program stands that is started in the end, by looking at what is there: nothing knows
// the options of all launchers. 0: command[0] is no launcher, or no program was found. `command` is not empty.
std::size_t program_in(const std::vector<std::string>& command);

} // namespace vftr::cli
