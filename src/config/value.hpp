// SPDX-License-Identifier: BSD-3-Clause
//
// Reads one option's value. Whatever is wrong becomes an error, and the target keeps what it had.
#pragma once

#include "config/json_text.hpp"
#include "config/option.hpp"
#include "config/problems.hpp"

#include <span>

namespace vftr::config {

void read_value(const Option& option, const Entry& entry, Problems& problems, Config& target);

// The same for a field of an entry of a list, and as what option it is read.
Option like(std::string_view path, Type type, const Check& check);
void read_member(const std::string& path, Type type, const Check& check, const Entry& entry, Problems& problems,
                 std::string& value);
void read_member(const std::string& path, Type type, const Check& check, const Entry& entry, Problems& problems,
                 std::int64_t& value);

// The string of an entry; nullopt after an error (it is none, or holds what no text can).
std::optional<std::string> read_string(const std::string& path, const Entry& entry, std::string_view allowed,
                                       Problems& problems);
// "PATH" is FOUND; allowed is ALLOWED.
void wrong_value(const std::string& path, const Entry& entry, std::string_view allowed, Problems& problems);
// Of a key that no option of `place` has, with advice; `valid` are those that it has. Numbers in its value must be
// numbers all the same.
void warn_unknown(std::string_view place, const Entry& item, std::span<const std::string_view> valid,
                  Problems& problems);
// The value as a message shows it: short, and without what would disturb a terminal.
std::string shown(const Entry& entry);

// Why `text` fails the check of an option of type Text, NullableText, Choice or FlagOrChoice; "" if it is good.
std::string text_fault(const Option& option, const std::string& text);

// In record_list.cpp.
void read_list(const Option& option, const Entry& entry, std::string_view text, Problems& problems, Config& target);

} // namespace vftr::config
