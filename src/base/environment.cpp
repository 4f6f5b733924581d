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
    const char* value = std::getenv(name);
    return value ? value : find_value(kept, name);
}

char* const* injected_entries() { return kept; }
void keep_injected_entries(char* const* entries) { kept = entries; }

const char* value_in(const char* entry, std::string_view name) {
    return std::strncmp(entry, name.data(), name.size()) == 0 && entry[name.size()] == '=' ? entry + name.size() + 1
                                                                                           : nullptr;
}

const char* find_value(char* const* entries, std::string_view name) {
    if (entries)
        for (; *entries; ++entries)
            if (const char* value = value_in(*entries, name))
                return value;
    return nullptr;
}

} // namespace vftr::base
