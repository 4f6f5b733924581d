// SPDX-License-Identifier: BSD-3-Clause
//
// Functions to examine text that is meant to be JSON but is damaged. Here a string ends with its line at the latest, so
// that a lost quote spoils only one line. Offsets are bytes; all functions are linear in the size of the text.
#pragma once

#include <cstddef>
#include <string_view>

namespace vftr::config {

bool is_closing(char c);
// The bracket that closes this opening bracket.
char closing(char opening);
// A character of numbers and of words without quotes.
bool is_word(char c);
// A character that a value may begin with.
bool begins_value(char c);

std::size_t line_end(std::string_view text, std::size_t at);
// Skips blanks backwards from `at`, but not beyond `from`.
std::size_t skip_back(std::string_view text, std::size_t from, std::size_t at);

// Whether the string that begins at `quote` is not closed in its line.
bool is_open_string(std::string_view text, std::size_t quote);
// The end of the string that begins at `at`, or of its line if the string is not closed there.
std::size_t string_in_line(std::string_view text, std::size_t at);

// The number of brackets from `at` on that close one which was opened before.
std::size_t unmatched_brackets(std::string_view text, std::size_t at);
// The comma after the member at `at`, or the bracket that closes what contains it.
std::size_t member_end(std::string_view text, std::size_t at);

bool begins_comment(std::string_view text, std::size_t at);
std::size_t comment_end(std::string_view text, std::size_t at);

// The end of something that was meant as a value but is none; it may have several words, and a quote at its end.
std::size_t bad_value_end(std::string_view text, std::size_t begin);
// The end of the bracket, sign, string (which may have several lines here), word or comment that begins at `at`.
std::size_t token_end(std::string_view text, std::size_t at);

} // namespace vftr::config
