// SPDX-License-Identifier: BSD-3-Clause
//
// Runs a command as often as it is to be timed: without standard input, with its output in files, and with what it
// took. Several may run at the same time.
#pragma once

#include <chrono>
#include <string>
#include <sys/types.h>
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

class RunningCommand {
public:
    // Starts it. Throws std::runtime_error where no process or file can be made.
    explicit RunningCommand(const TimedCommand& command);
    // Waits for its end where nobody has.
    ~RunningCommand();
    RunningCommand(const RunningCommand&) = delete;
    RunningCommand& operator=(const RunningCommand&) = delete;

    // Waits for its end; to be called once. Throws std::runtime_error.
    Timed wait();

private:
    std::chrono::steady_clock::time_point begin_;
    pid_t pid_; // 0: it was waited for
};

} // namespace vftr::cli
