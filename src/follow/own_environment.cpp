// SPDX-License-Identifier: BSD-3-Clause
#include "follow/own_environment.hpp"

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

extern "C" {
extern char __libc_single_threaded __attribute__((weak)); // exists from glibc 2.32 on
}

namespace vftr::follow {

namespace {

char* none[] = {nullptr};
Texts copied = none;

bool may_be_passed_on(const char* entry) {
    return std::strncmp(entry, "VFTR_", 5) == 0 || std::strncmp(entry, "LD_LIBRARY_PATH=", 16) == 0;
}

} // namespace

bool single_threaded() { return &__libc_single_threaded && __libc_single_threaded; }

void copy_own_environment() {
    std::size_t count = 0;
    for (Texts entry = environ; entry && *entry; ++entry)
        count += may_be_passed_on(*entry);
    auto** list = count != 0 ? static_cast<char**>(std::calloc(count + 1, sizeof(char*))) : nullptr;
    if (!list)
        return;
    std::size_t used = 0;
    for (Texts entry = environ; *entry && used < count; ++entry)
        if (may_be_passed_on(*entry) && (list[used] = strdup(*entry)))
            ++used;
    copied = list;
}

Texts own_environment(Texts envp) {
    if (!environ)
        return none;
    return envp == environ || single_threaded() ? environ : copied;
}

} // namespace vftr::follow
