// SPDX-License-Identifier: BSD-3-Clause
//
// The real functions behind the wrappers of this room.
//
// They are looked up once, when the library is loaded: dlsym takes locks and allocates, which a child of vfork and a
// signal handler must not. In a fully static executable there is nothing to look up, since the wrappers are the only
// functions of these names; there, and before the look-up, system calls are made instead. Only posix_spawn cannot be
// replaced by a system call, as its attributes are known to the C library alone; in the static C library, its own
// function has a second name.
//
// All functions return what those of the C library return: −1 with errno set, and posix_spawn the error number.
#pragma once

#include <spawn.h>

namespace vftr::follow {

using Texts = char* const*; // a list of strings that ends with a nullptr

// Called once, when the library is loaded.
void find_real_functions();

int real_execve(const char* path, Texts argv, Texts envp);
int real_execvpe(const char* file, Texts argv, Texts envp);
int real_fexecve(int fd, Texts argv, Texts envp);
int real_execveat(int directory, const char* path, Texts argv, Texts envp, int flags);
int real_posix_spawn(pid_t* pid, const char* path, const posix_spawn_file_actions_t* actions,
                     const posix_spawnattr_t* attributes, Texts argv, Texts envp);
int real_posix_spawnp(pid_t* pid, const char* file, const posix_spawn_file_actions_t* actions,
                      const posix_spawnattr_t* attributes, Texts argv, Texts envp);
// The C library's syscall; nullptr if it was not found.
using SystemCall = long(long, ...);
SystemCall* real_system_call();
[[noreturn]] void real_exit(int status);

} // namespace vftr::follow
