// SPDX-License-Identifier: BSD-3-Clause
//
// Runs a command as often as it is to be timed: without standard input, with its output in files, and with what it
// took.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace vftr::cli {

struct TimedCommand {
    std::vector<std::string> words;                               // searched for in PATH
    std::vector<std::pair<std::string, std::string>> environment; // added to ours; an empty value takes a variable out
    std::string directory;                                        // where it runs; empty: here
    std::string output;                                           // what it writes goes to <output>/stdout and stderr
};

struct Timed {
    int code = 0;             // as of shells
    double wall = 0, cpu = 0; // seconds; cpu is that of all processes that were waited for
};

// Throws std::runtime_error where no process or file can be made.
Timed time_command(const TimedCommand& command);

} // namespace vftr::cli
