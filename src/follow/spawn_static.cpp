// SPDX-License-Identifier: BSD-3-Clause
//
// In a fully static executable our posix_spawn needs the C library's own, which has a second name there (real.cpp). A
// reference to that name would make dynamic executables fail to link, where it does not exist; and a weak one does not
// bring the function into a static one. system() exists in both, and brings it.
#include <cstdlib>

extern "C" __attribute__((used, visibility("hidden"))) int (*const vftr_brings_posix_spawn)(const char*) = std::system;
