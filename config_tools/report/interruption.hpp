// SPDX-License-Identifier: BSD-3-Clause
//
// A signal that ends the program while files are written (SIGHUP, SIGINT, SIGTERM). What is half written is taken away
// first: who writes looks for the signal now and then and gives up, and at the end of this object the program ends by
// the signal, as its caller expects. A second signal ends it at once.
#pragma once

#include <array>
#include <csignal>
#include <cstddef>
#include <stdexcept>

namespace vftr::cli {

// One at a time, of a verb that writes files and ends: what goes on until it gets a signal (vftr tui, a server) has its
// own way to end. Signals that are ignored stay so (nohup).
class Interruption {
public:
    Interruption();
    ~Interruption(); // does not return where a signal has come
    Interruption(const Interruption&) = delete;
    Interruption& operator=(const Interruption&) = delete;

    struct Interrupted : std::runtime_error {
        Interrupted() : std::runtime_error("interrupted by a signal") {}
    };
    static bool has_come();
    static void check(); // throws Interrupted where one has come

private:
    static constexpr std::array Signals{SIGHUP, SIGINT, SIGTERM};
    std::array<struct sigaction, Signals.size()> before_{};
};

} // namespace vftr::cli
