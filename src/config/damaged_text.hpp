// SPDX-License-Identifier: BSD-3-Clause
//
// Looks around in text that is meant to be JSON and is damaged. A string ends with its line at the latest here, so that
// a lost quote spoils one line. Offsets are bytes; everything is linear in the size of the text.
#pragma once

#include <cstddef>
#include <string_view>

namespace vftr::config {

bool is_closing(char c);
// Of an opening bracket.
char closing(char opening);
// Of words without quotes and numbers.
bool is_word(char c);
// Of what begins a value.
bool begins_value(char c);

std::size_t line_end(std::string_view text, std::size_t at);
// Back over blanks before `at`, but not beyond `from`.
std::size_t skip_back(std::string_view text, std::size_t from, std::size_t at);

// No quote closes the string that begins at `quote` in its line.
bool is_open_string(std::string_view text, std::size_t quote);
// The end of the string that begins at `at`, or of its line, where it is not closed.
std::size_t string_in_line(std::string_view text, std::size_t at);

// How many brackets from `at` on close what was opened before.
std::size_t unmatched_brackets(std::string_view text, std::size_t at);
// The comma behind what stands at `at`, or the bracket that closes what it stands in.
std::size_t member_end(std::string_view text, std::size_t at);

bool begins_comment(std::string_view text, std::size_t at);
std::size_t comment_end(std::string_view text, std::size_t at);

// Of what was meant as a value and is none: it may have several words, and a quote at its end.
std::size_t bad_value_end(std::string_view text, std::size_t begin);
// Of the bracket, sign, string (which may have several lines here), word or comment that begins at `at`.
std::size_t token_end(std::string_view text, std::size_t at);

} // namespace vftr::config
