// SPDX-License-Identifier: BSD-3-Clause
//
// Text in the cells of a terminal. A character takes one cell, two (of East Asian scripts, emoji) or none (accents), as
// the C library's table for the locale says. In a locale without UTF-8 all characters but ASCII are shown as '?', which
// takes one cell. Text is valid UTF-8 without control characters (base/foreign_text.hpp).
#pragma once

#include "tui/line.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace vftr::tui {

// Whether the locale (LC_CTYPE) has characters of UTF-8.
bool shows_utf8();

std::size_t cells(std::string_view text);
// The longest beginning that has at most `width` cells.
std::string prefix(std::string_view text, std::size_t width);
// At most `width` cells; the end of a longer text is replaced by a mark.
std::string cut(std::string_view text, std::size_t width);
// Exactly `width` cells, cut or filled with blanks.
std::string left_aligned(std::string_view text, std::size_t width);
std::string right_aligned(std::string_view text, std::size_t width);

// The part of a line from the cell `skip` on, of at most `width` cells. The end of a longer one is replaced by a mark.
Line window(const Line& line, std::size_t skip, std::size_t width);
std::size_t cells(const Line& line);
std::string text_of(const Line& line);

// A bar of a part (0 to 1) of `width` cells, filled with blanks. What is larger than 0 is seen.
std::string bar(double part, std::size_t width);

// Where `wanted` begins in `text` from `from` on, whatever the case of ASCII letters; npos: it is not there.
std::size_t find_text(std::string_view text, std::string_view wanted, std::size_t from = 0);

// Cuts the last character off.
void drop_last_character(std::string& text);

} // namespace vftr::tui
