// SPDX-License-Identifier: BSD-3-Clause
//
// Reads one option's value. Anything that is wrong results in an error, and the target keeps its value.
#pragma once

#include "config/json_text.hpp"
#include "config/option.hpp"
#include "config/problems.hpp"

#include <span>

namespace vftr::config {

void read_value(const Option& option, const Entry& entry, Problems& problems, Config& target);

// read_member does the same for a field of a list entry; like() makes the option as which the field is read.
Option like(std::string_view path, Type type, const Check& check);
void read_member(const std::string& path, Type type, const Check& check, const Entry& entry, Problems& problems,
                 std::string& value);
void read_member(const std::string& path, Type type, const Check& check, const Entry& entry, Problems& problems,
                 std::int64_t& value);

// Returns the string of an entry, or nullopt after an error (it is no string, or its value cannot be used).
std::optional<std::string> read_string(const std::string& path, const Entry& entry, std::string_view allowed,
                                       Problems& problems);
// Adds the error "PATH is FOUND; allowed is ALLOWED".
void wrong_value(const std::string& path, const Entry& entry, std::string_view allowed, Problems& problems);
// Warns of a key that `place` does not have, with advice; `valid` are the keys that it has. Numbers in the key's value
// must be well-formed nevertheless.
void warn_unknown(std::string_view place, const Entry& item, std::span<const std::string_view> valid,
                  Problems& problems);
// Returns the value as a message shows it: short, and without characters that would disturb a terminal.
std::string shown(const Entry& entry);

// While it lives, the files that values name are looked for from this folder, in the thread that made it; "": from the
// working directory. The text of values and messages stays as it was given.
class PathsFrom {
public:
    explicit PathsFrom(const std::string& folder);
    ~PathsFrom();
    PathsFrom(const PathsFrom&) = delete;
    PathsFrom& operator=(const PathsFrom&) = delete;

private:
    const std::string* before_;
};

// Returns why `text` fails the check of an option of type Text, NullableText, Choice, FlagOrChoice or IntegerOrChoice;
// "" if it passes.
std::string text_fault(const Option& option, const std::string& text);

// Defined in record_list.cpp.
void read_list(const Option& option, const Entry& entry, std::string_view text, Problems& problems, Config& target);

} // namespace vftr::config
