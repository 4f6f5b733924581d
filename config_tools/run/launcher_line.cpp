// SPDX-License-Identifier: BSD-3-Clause
//
// A word that is a program too early in the line makes the launcher fail; one too late would have the real program run.
// So the first word that can be one is taken, whatever stands before it, but for the values of options that name files
// or have other words in common with PATH.
#include "config_tools/run/launcher_line.hpp"

#include "config_tools/run/search_path.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace vftr::cli {
namespace {

constexpr const char* Launchers[] = {
    "mpirun", "mpiexec", "orterun", "prterun", "srun",    "aprun",  "jsrun",  "ibrun",  "lrun",    "env",    "nice",
    "nohup",  "time",    "timeout", "taskset", "numactl", "stdbuf", "setsid", "ionice", "setarch", "strace", "vftr"};

bool is_launcher(const std::string& command) {
    std::string name = file_name(command);
    name = name.substr(0, name.find('.')); // mpirun.openmpi
    return std::find(std::begin(Launchers), std::end(Launchers), name) != std::end(Launchers);
}

constexpr const char* LauncherOptionsWithValue[] = {"-o",        "--output", "-map-by",   "--map-by",  "-bind-to",
                                                    "--bind-to", "-rank-by", "--rank-by", "--debugger"};

bool can_be_program(const std::string& word) {
    return find_program(word).empty() ? is_executable_file("./" + word) : is_executable_file(find_program(word));
}

} // namespace

std::string file_name(const std::string& path) {
    return path.substr(path.rfind('/') + 1); // npos + 1 is 0
}

std::size_t program_in(const std::vector<std::string>& command) {
    if (!is_launcher(command[0]))
        return 0;
    for (std::size_t i = 1; i < command.size(); ++i) {
        bool value = std::find(std::begin(LauncherOptionsWithValue), std::end(LauncherOptionsWithValue),
                               command[i - 1]) != std::end(LauncherOptionsWithValue);
        if (!value && !command[i].empty() && command[i][0] != '-' && can_be_program(command[i]))
            return i + program_in({command.begin() + static_cast<std::ptrdiff_t>(i), command.end()});
    }
    return 0;
}

} // namespace vftr::cli
