// SPDX-License-Identifier: BSD-3-Clause
//
// This process's own environment, from which the environment that a program gives to exec is completed
// (inherit/environment.hpp).
//
// A program that gives exec an environment of its own does not expect `environ` to be read at that moment: another
// thread may be in setenv, which moves the list. So `environ` is read only while there is one thread; otherwise a copy
// is used that was made when the library was loaded.
#pragma once

#include "follow/real.hpp"

namespace vftr::follow {

// Copies the entries that may be passed on. Called once, when the library is loaded.
void copy_own_environment();

// Returns the list from which `envp` is completed. Never nullptr.
Texts own_environment(Texts envp);

// True only if there is certainly no other thread.
bool single_threaded();

} // namespace vftr::follow
