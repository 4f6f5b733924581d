// SPDX-License-Identifier: BSD-3-Clause
//
// The wrappers of system and popen. They are in the shared library only: in a fully static executable, they would be
// the only functions of these names.
#include "base/compiler.hpp"
#include "base/next_function.hpp"
#include "follow/shell_command.hpp"

#include <atomic>
#include <cstdio>
#include <cstdlib>

namespace {

// Programs may not call system and popen in a signal handler or a child of vfork, so the real functions can be looked
// up when they are first needed.
std::atomic<int (*)(const char*)> found_system;
std::atomic<FILE* (*)(const char*, const char*)> found_popen;

struct Opening {
    const char* mode;
    FILE* result;
};

} // namespace

extern "C" {

VFTR_INTERPOSED int system(const char* command) {
    int status = -1;
    vftr::follow::with_exports(
        command,
        [](const char* text, void* result) {
            *static_cast<int*>(result) = vftr::base::kept_next_function(found_system, "system")(text);
        },
        &status);
    return status;
}

VFTR_INTERPOSED FILE* popen(const char* command, const char* mode) {
    Opening opening{mode, nullptr};
    vftr::follow::with_exports(
        command,
        [](const char* text, void* data) {
            auto& opening = *static_cast<Opening*>(data);
            opening.result = vftr::base::kept_next_function(found_popen, "popen")(text, opening.mode);
        },
        &opening);
    return opening.result;
}

} // extern "C"
