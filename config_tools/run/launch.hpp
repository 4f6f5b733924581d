// SPDX-License-Identifier: BSD-3-Clause
//
// Runs a command as a shell would, so that the command notices no difference.
//
// The command is a child in the process group of vftr and has its descriptors, terminal, signal mask and dispositions.
// Signals of the terminal (Ctrl-C, Ctrl-\) reach both; vftr ignores them while the command lives, as the command
// decides what they mean. Signals that are sent to vftr alone, by a sender that takes it for the command (SIGTERM and
// SIGHUP; SIGUSR1 and SIGUSR2 of batch systems), are passed on.
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

    // The exit code as a shell has it: the command's own, 128 + signal, 127 not found, 126 not executable.
    int code() const;
    // A message as of a shell: "./prog was ended by signal 11 (Segmentation fault)"; empty for an ordinary end.
    std::string text(const char* command) const;
};

// `command` is searched for in PATH as in a shell. `in_child` runs in the child before the exec and returns its
// environment. The caller must be single-threaded. Throws std::runtime_error if no child can be created.
Ended launch(char** command, const std::function<char* const*()>& in_child);

} // namespace vftr::cli
