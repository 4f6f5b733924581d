// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace vftr::session {

// Ends the recording and writes its results. Called once, when the process exits; does nothing if no recording runs.
void finalize();

// Remembers the status that the process has given to exit.
void keep_exit_status(int status);
// Registers a handler of exit that calls keep_exit_status(). It runs after the handlers that the program registers
// later. May be called again.
void watch_exit();

} // namespace vftr::session
