// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace vftr::session {

// Ends the recording and writes its results. Called once, when the process exits; does nothing where nothing runs.
void finalize();

// What the process ends with, as it was given to exit. Only remembers it.
void keep_exit_status(int status);
// From here on exit tells us its status, after the handlers that the program registers later. May be called again.
void watch_exit();

} // namespace vftr::session
