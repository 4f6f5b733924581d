// SPDX-License-Identifier: BSD-3-Clause
//
// Where the events of this process go: files, callbacks, or both. This is decided when the recording begins, by whether
// callbacks are set then, and is not changed later: a process whose callbacks are cleared does not begin to write files
// in the middle of its run. A forked child does as its parent. A program that it executes decides for itself.
//
// There is one exception. A program that sets its callbacks at the beginning of main is already being recorded if main
// is instrumented. As long as no call has returned, all that has been recorded is the path to the program's present
// position; so the file that was begun is removed, and the process uses callbacks only.
#pragma once

namespace vftr::embed {

// To be called when recording begins; `forked`: in a child of a process that was recorded.
void choose_sink(bool forked);
// To be called when callbacks without files have been set for the first time, by a thread that holds its guard.
void reconsider_sink();

} // namespace vftr::embed
