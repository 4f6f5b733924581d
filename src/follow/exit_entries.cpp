// SPDX-License-Identifier: BSD-3-Clause
//
// The wrappers of _exit and _Exit, which run no exit handlers: they write the end and the process's exit status into
// the recording. exit() calls these wrappers in fully static executables only, when the recording has ended already;
// elsewhere it does not call _exit by a name that can be interposed.
#include "base/compiler.hpp"
#include "follow/mark.hpp"
#include "follow/real.hpp"

#include <cstdlib>
#include <unistd.h>

extern "C" {

VFTR_INTERPOSED void _exit(int status) {
    vftr::follow::mark_exited(status);
    vftr::follow::real_exit(status);
}

VFTR_INTERPOSED void _Exit(int status) noexcept {
    vftr::follow::mark_exited(status);
    vftr::follow::real_exit(status);
}

} // extern "C"
