// SPDX-License-Identifier: BSD-3-Clause
//
// The log of the run before, while this run has none.
//
// A run writes its log at its end and replaces that of the run before. One that is killed writes none: the log that lies there then would be
// taken for its own. So a run moves it aside when it begins, to the same name with ".previous" behind it, and removes it there when it has written its own.
// A killed run leaves its recording and, under that name, the log of the run before.
//
// Only a log of ours is moved, replaced or removed: a regular file of this user with one name, that begins as logs do. In a folder of others a name may
// be anything else. Children of recorded processes replace no log, and so move none; with VFTR_OFF, or where no file is written, nothing is touched.
#pragma once

#include <string>

namespace vftr::session {

// path: of the log that this run is going to replace. Costs an attempt to open it, and nothing more where it is not there.
void set_previous_log_aside(const std::string& path);
// This run's log is there.
void remove_previous_log(const std::string& path);

} // namespace vftr::session
