// SPDX-License-Identifier: BSD-3-Clause
//
// The environment that this process was started with. Variables that were set for vftrace alone are removed from
// `environ` before main (inherit/injected_variables.hpp), but vftrace still reads them here.
#pragma once

#include <string_view>

namespace vftr::base {

// As getenv; after that it looks among the variables that were taken out, whose values are never freed. Returns nullptr
// in a program that has more rights than its caller (secure.hpp), because the environment is not trusted there.
const char* environment_value(const char* name);

// The "name=value" entries that were taken out, terminated by nullptr; never nullptr itself. They are kept for good in
// plain memory, so that they may be read in a child of vfork.
char* const* injected_entries();
// Must be called only once, before main.
void keep_injected_entries(char* const* entries);

// Returns the value of an entry "name=value" if it has this name, else nullptr.
const char* value_in(const char* entry, std::string_view name);
// Returns the value of the first entry with this name in a list such as `environ`, or nullptr.
const char* find_value(char* const* entries, std::string_view name);

} // namespace vftr::base
