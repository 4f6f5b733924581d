// SPDX-License-Identifier: BSD-3-Clause
#include "base/environment.hpp"

#include "base/secure.hpp"

#include <cstdlib>
#include <cstring>

namespace vftr::base {

namespace {

char* const none[] = {nullptr};
char* const* kept = none;

} // namespace

const char* environment_value(const char* name) {
    if (has_foreign_rights())
        return nullptr;
    if (const char* value = std::getenv(name))
        return value;
    const std::size_t size = std::strlen(name);
    for (char* const* entry = kept; *entry; ++entry)
        if (std::strncmp(*entry, name, size) == 0 && (*entry)[size] == '=')
            return *entry + size + 1;
    return nullptr;
}

char* const* taken_out() { return kept; }
void keep_taken_out(char* const* entries) { kept = entries; }

} // namespace vftr::base
