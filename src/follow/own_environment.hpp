// SPDX-License-Identifier: BSD-3-Clause
//
// This process's own environment, from which a custom one is completed (environment.hpp).
//
// A program that gives exec an environment of its own does not expect `environ` to be read at that moment: another
// thread may be in setenv, which moves the list. So that is done only while there is one thread; else what counts is a
// copy of what there was when the library was loaded.
#pragma once

#include "follow/real.hpp"

namespace vftr::follow {

// Once, when the library is loaded: copies the entries that may be passed on.
void copy_own_environment();

// What to complete `envp` from. Never nullptr.
Texts own_environment(Texts envp);

// For certain: there is no other thread.
bool single_threaded();

} // namespace vftr::follow
