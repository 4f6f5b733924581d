// SPDX-License-Identifier: BSD-3-Clause
//
// The environment as this process got it: what was set for us alone is taken out of `environ` before main (follow/handed_on.hpp), and
// still counts for us.
#pragma once

namespace vftr::base {

// As getenv; then what was taken out. The values of the latter are never freed. nullptr in a program with more rights than its caller has
// (secure.hpp), whose environment does not count.
const char* environment_value(const char* name);

// "name=value" entries that were taken out, ended by nullptr, kept for good; never nullptr. Plain memory: it may be read in a child of vfork.
char* const* taken_out();
// Once, before main.
void keep_taken_out(char* const* entries);

} // namespace vftr::base
