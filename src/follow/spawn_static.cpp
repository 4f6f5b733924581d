// SPDX-License-Identifier: BSD-3-Clause
//
// In a fully static executable the wrapper of posix_spawn needs the C library's own function, which has a second name
// there (real.cpp). A strong reference to that name would make dynamic executables fail to link, since they do not have
// it; and a weak one does not pull the function into a static executable. system() exists in both kinds of executables,
// and a reference to it pulls the function in.
#include <cstdlib>

extern "C" __attribute__((used, visibility("hidden"))) int (*const vftr_brings_posix_spawn)(const char*) = std::system;
