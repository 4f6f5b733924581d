// SPDX-License-Identifier: BSD-3-Clause
//
// system() and popen(): the C library starts these children by itself, without calling an interposed function, and
// with the program's own environment.
//
// So the injected variables can reach such a child by its command only: assignments and exports are put in front of the
// command for the shell, on the same line, so that the line numbers in the shell's messages stay. Two alternatives were
// considered: a change of `environ` during the call would be seen by other threads, and a new implementation would have
// to repeat how the C library deals with signals, cancellation and streams.
#pragma once

namespace vftr::follow {

// Calls use(text, data) once, with the command that is to be given to the shell: `command` itself if there is nothing
// to export. `use` finds errno as the caller had it, and the caller finds it as `use` has left it.
void with_exports(const char* command, void (*use)(const char* text, void* data), void* data);

} // namespace vftr::follow
