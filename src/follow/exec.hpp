// SPDX-License-Identifier: BSD-3-Clause
//
// What happens around every exec: the recording is marked as complete, the next program's environment carries us, and
// where the exec fails all is as before. The order is the essence of it:
//
//   1. A nested call goes straight through (nested.hpp).
//   2. Are the arguments readable? If not, the kernel gets them as they are and says so itself.
//   3. The trace's row, so that it is there whatever comes.
//   4. The mark (mark.hpp; in a program that was linked with us and has not called anything that is recorded yet, of an
//   empty recording); not where the recording is another process's.
//   5. The environment (environment.hpp); the original one where anything is odd.
//   6. The exec. If the larger environment is too large, once more with the original one: no exec may fail because of
//   us.
//   7. Only where it failed: the mark is undone, and errno is the exec's.
//
// No MPI call, no lock, no allocation, no other thread's cooperation is part of it. It may run in a signal handler, in
// the midst of a hook, in a child of vfork, in several threads at a time.
#pragma once

#include "follow/real.hpp"

#include <fcntl.h>

namespace vftr::follow {

enum class Way {
    Path,       // execve, execv, execl, execle
    Search,     // execvp, execvpe, execlp: by PATH
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
    int directory = AT_FDCWD; // or the program's own descriptor
    int flags = 0;
};

// As the C library's function: −1 and errno, or it does not return.
int execute(const Request& request);

} // namespace vftr::follow
