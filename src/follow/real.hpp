// SPDX-License-Identifier: BSD-3-Clause
//
// The functions that we stand before.
//
// They are looked up once, when the library is loaded: dlsym takes locks and allocates, which a child of vfork and a
// signal handler must not. In a fully static executable there is nothing to look up, since our functions are the only
// ones of these names; there, and before the look-up, system calls take their place. What those cannot do is
// posix_spawn, whose attributes only the C library knows; its own function has a second name in the static C library.
//
// All behave as those of the C library: −1 and errno, posix_spawn the error number.
#pragma once

#include <spawn.h>

namespace vftr::follow {

using Texts = char* const*; // ends with a nullptr

// Once, when the library is loaded.
void find_real_functions();

int real_execve(const char* path, Texts argv, Texts envp);
int real_execvpe(const char* file, Texts argv, Texts envp);
int real_fexecve(int fd, Texts argv, Texts envp);
int real_execveat(int directory, const char* path, Texts argv, Texts envp, int flags);
int real_posix_spawn(pid_t* pid, const char* path, const posix_spawn_file_actions_t* actions,
                     const posix_spawnattr_t* attributes, Texts argv, Texts envp);
int real_posix_spawnp(pid_t* pid, const char* file, const posix_spawn_file_actions_t* actions,
                      const posix_spawnattr_t* attributes, Texts argv, Texts envp);
// nullptr where there is none.
using SystemCall = long(long, ...);
SystemCall* real_system_call();
[[noreturn]] void real_exit(int status);

} // namespace vftr::follow
