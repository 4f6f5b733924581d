// SPDX-License-Identifier: BSD-3-Clause
//
// What happens around every exec: the recording is marked as complete, the next program gets an environment that loads
// vftrace, and if the exec fails everything is put back. The order of the steps matters:
//
//   1. A nested call goes straight through (nested.hpp).
//   2. If the arguments are not readable, the real function gets them unchanged, and the kernel reports the error.
//   3. A row is written to the exec trace, so that it exists whatever happens next.
//   4. The recording is marked (mark.hpp), but only if it is this process's own: a child of vfork must not mark the
//      recording of its parent. A program that is linked with vftrace, and has not yet called anything that is
//      recorded, has begun an empty recording before step 3, so that there is one to mark.
//   5. The environment is made (inherit/environment.hpp). The original one is used where that is not possible.
//   6. The exec. If it fails because the changed environment is too large, it is tried again with the original one: no
//      exec may fail because of vftrace.
//   7. If the exec failed, the mark is undone, and errno is that of the exec.
//
// None of these steps calls MPI, takes a lock, allocates or needs the cooperation of another thread. They may run in a
// signal handler, in the middle of a hook, in a child of vfork, and in several threads at a time. Only the beginning of
// an empty recording allocates; it is left out wherever that might not be safe.
#pragma once

#include "follow/real.hpp"

#include <fcntl.h>

namespace vftr::follow {

enum class Way {
    Path,       // execve, execv, execl, execle
    Search,     // execvp, execvpe, execlp: the program is searched in PATH
    Descriptor, // fexecve
    Relative,   // execveat
    Call,       // syscall(SYS_execve), syscall(SYS_execveat)
    CallAt,
};

struct Request {
    Way way;
    const char* path;
    Texts argv;
    Texts envp;
    int directory = AT_FDCWD; // descriptor of the directory; for fexecve, of the program
    int flags = 0;
};

// Like the C library's functions: returns −1 and sets errno, or does not return.
int execute(const Request& request);

} // namespace vftr::follow
