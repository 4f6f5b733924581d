// SPDX-License-Identifier: BSD-3-Clause
//
// The environment as this process got it: what was set for us alone is taken out of `environ` before main
// (follow/injected_variables.hpp), and still counts for us.
#pragma once

#include <string_view>

namespace vftr::base {

// As getenv; then what was taken out. The values of the latter are never freed. nullptr in a program with more rights
// than its caller has (secure.hpp), whose environment does not count.
const char* environment_value(const char* name);

// "name=value" entries that were taken out, ended by nullptr, kept for good; never nullptr. Plain memory: it may be
// read in a child of vfork.
char* const* taken_out();
// Once, before main.
void keep_taken_out(char* const* entries);

// The value of an entry "name=value" of that name, nullptr if it is none.
const char* value_in(const char* entry, std::string_view name);
// The first of them in a list as `environ` is one, or nullptr.
const char* find_value(char* const* entries, std::string_view name);

} // namespace vftr::base
