// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace vftr::session {

// Ends the recording and writes its results. Called once, when the process exits; does nothing where nothing runs.
void finalize();

} // namespace vftr::session
