// SPDX-License-Identifier: BSD-3-Clause
//
// Reads and writes the text of JSON. cJSON keeps no positions, and every message to the user needs one. Therefore the
// text, already known to be JSON, is walked side by side with cJSON's tree: for_each_entry gives the children of an
// object or array together with the position of each in the text. This is no second parser: values that are not
// examined are skipped by counting brackets.
#pragma once

#include <cjson/cJSON.h>
#include <cstddef>
#include <string>
#include <string_view>

namespace vftr::config {

// Offsets are bytes into the text.
struct Entry {
    const cJSON* node;
    std::size_t key_at;   // opening quote of the key; in an array it equals value_at
    std::size_t value_at; // first byte of the value
    std::string_view raw; // the value as the file has it
};

std::size_t skip_space(std::string_view text, std::size_t at);
// The end of the value that begins at `at`.
std::size_t skip_value(std::string_view text, std::size_t at);

// Walks the object or array that begins at `at`.
template <class Function>
void for_each_entry(const cJSON* container, std::string_view text, std::size_t at, Function function) {
    bool keyed = (container->type & 0xff) == cJSON_Object;
    for (const cJSON* node = container->child; node; node = node->next) {
        at = skip_space(text, at + 1); // skips the bracket or the comma
        Entry entry{node, at, at, {}};
        if (keyed) // skips the colon
            entry.value_at = skip_space(text, skip_space(text, skip_value(text, at)) + 1);
        std::size_t end = skip_value(text, entry.value_at);
        entry.raw = text.substr(entry.value_at, end - entry.value_at);
        function(entry);
        at = skip_space(text, end);
    }
}

// Returns the offset in `raw`, a string with its quotes, of byte `offset` of the string's value.
std::size_t raw_offset(std::string_view raw, std::size_t offset);
// Returns false if the string's value cannot be used: it is not UTF-8 or has a null character.
bool clean_string(std::string_view raw);

// Returns the text with quotes and escapes. UTF-8 is kept.
std::string json_string(std::string_view text);
// Returns the shortest text that reads back to the same number; it does not depend on the locale.
std::string number_to_text(double number);

} // namespace vftr::config
