// SPDX-License-Identifier: BSD-3-Clause
//
// A program that has more rights than who started it (set-user-ID, set-group-ID, file capabilities: AT_SECURE) must not
// do for its caller what the caller could not do. So nothing of the environment counts there (environment.hpp).
#pragma once

#include <sys/auxv.h>

namespace vftr::base {

inline bool has_foreign_rights() { return ::getauxval(AT_SECURE) != 0; }

} // namespace vftr::base
