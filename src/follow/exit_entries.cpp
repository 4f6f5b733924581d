// SPDX-License-Identifier: BSD-3-Clause
//
// _exit and _Exit, which run no exit handlers: the recording gets its end and the process's status. exit itself comes
// by in fully static executables only, when the recording has ended; elsewhere it does not call these by name.
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
