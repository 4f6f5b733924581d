// SPDX-License-Identifier: BSD-3-Clause
//
// Where the events of this process go: files, callbacks, or both. Decided when its recording begins, by whether
// callbacks are set then, and never again: a process whose callbacks are cleared does not begin to write files in the
// middle of its run. A forked child is what its parent was. A program that it executes is another one, which decides
// for itself.
//
// A program that sets its callbacks at the beginning of main is recorded by then if its main is instrumented. As long
// as nothing has returned, all that has been recorded is the path to where the program is; so the file that was begun
// is removed, and the process embedded all the same.
#pragma once

namespace vftr::embed {

// When recording begins; `forked`: in a child of a process that was recorded.
void choose_sink(bool forked);
// When callbacks without files have been set for the first time, by a thread whose guard is held.
void reconsider_sink();

} // namespace vftr::embed
