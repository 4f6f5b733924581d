// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "config/json_text.hpp"
#include "config/option.hpp"
#include "config/problems.hpp"

#include <unordered_map>

namespace vftr::config {

// Calls function(entry) for every key of the object at `entry`, except for repeated keys: those are errors, and the
// first one counts. `path` is the path of the object.
template <class Function>
void for_each_key(const std::string& path, const Entry& entry, std::string_view text, Problems& problems,
                  Function function) {
    std::unordered_map<std::string_view, std::size_t> first; // key → offset
    for_each_entry(entry.node, text, entry.value_at, [&](const Entry& item) {
        std::string_view name = item.node->string;
        auto [known, is_new] = first.try_emplace(name, item.key_at);
        if (is_new)
            return function(item);
        std::string full = join(path, name);
        problems.error(item.key_at, full,
                       json_string(full) + " is given twice; the first one, in line " +
                           std::to_string(problems.line_of(known->second)) + ", counts.");
    });
}

} // namespace vftr::config
