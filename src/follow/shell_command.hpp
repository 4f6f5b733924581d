// SPDX-License-Identifier: BSD-3-Clause
//
// system() and popen(): children of the C library's own, started past all interposed functions with the program's own
// environment.
//
// The only way to tell such a child whose it is leads through the shell, which takes a command: in front of it come
// assignments and exports, on the same line, so that line numbers in messages stay. Changing `environ` for the time of
// the call would be seen by other threads, and doing the C library's work ourselves would have to repeat its dealing
// with signals, cancellation and streams.
#pragma once

namespace vftr::follow {

// Calls use(text, data), once, with the command as it is to be given to the shell: `command` itself where there is
// nothing to export. errno is the caller's then, and afterwards what `use` left there.
void with_exports(const char* command, void (*use)(const char* text, void* data), void* data);

} // namespace vftr::follow
