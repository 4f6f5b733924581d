// SPDX-License-Identifier: BSD-3-Clause
//
// Runs a command as a shell would, and lets nothing of itself be noticed by it.
//
// The command is a child in our process group and has our descriptors, terminal, signal mask and dispositions. What the
// terminal sends (Ctrl-C, Ctrl-\) reaches both; we ignore it while the command lives, which decides itself what it
// means. What is sent to us alone by who believes that we are the command (SIGTERM and SIGHUP; SIGUSR1 and SIGUSR2 of
// batch systems) is passed on.
#pragma once

#include <functional>
#include <string>
#include <sys/types.h>

namespace vftr::cli {

struct Ended {
    pid_t pid = 0;
    int error = 0;     // errno: it could not be started
    int status = 0;    // its exit code
    int signal = 0;    // that ended it, 0: none
    bool core = false; // with a core dump

    // As of shells: its own, 128 + signal, 127 not found, 126 not executable.
    int code() const;
    // What a shell says: "./prog was ended by signal 11 (Segmentation fault)"; empty for an ordinary end.
    std::string text(const char* command) const;
};

// `command` is searched for in PATH like in a shell. `in_child` runs in the child before the exec and gives its
// environment. One thread only; throws std::runtime_error where there can be no child.
Ended launch(char** command, const std::function<char* const*()>& in_child);

} // namespace vftr::cli
