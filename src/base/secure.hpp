// SPDX-License-Identifier: BSD-3-Clause
//
// A program that has more rights than the user who started it (set-user-ID, set-group-ID, file capabilities: AT_SECURE)
// must not do anything for the user that the user could not do. Therefore vftrace ignores the environment of such a
// program (environment.hpp), and takes its own variables out of it (follow/load.cpp).
#pragma once

#include <sys/auxv.h>

namespace vftr::base {

inline bool has_foreign_rights() { return ::getauxval(AT_SECURE) != 0; }

} // namespace vftr::base
