// SPDX-License-Identifier: BSD-3-Clause
//
// Colours of what vftr prints: where they are wanted, and the sequences for a word. They are of ECMA-48, bold and three
// of the eight colours that each terminal has, so that they suit the user's own colours of text and background.
//
// Whether a stream has them is asked in this order, as users know it from other commands: the option --color=always or
// never; NO_COLOR (no-color.org); CLICOLOR_FORCE; CLICOLOR=0; else it is a terminal, and TERM is neither missing nor
// "dumb". So a file or a pipe gets none unless somebody has asked for them.
#pragma once

#include <string>
#include <string_view>

namespace vftr::cli {

enum class ColourWish { Auto, Always, Never };

// What the decision is made of; a variable that is not set is nullptr.
struct ColourEvidence {
    ColourWish wish = ColourWish::Auto;
    const char* no_color = nullptr;
    const char* clicolor_force = nullptr;
    const char* clicolor = nullptr;
    const char* term = nullptr;
    bool terminal = false;
};
bool colours_wanted(const ColourEvidence& evidence);

// That of the option --color, for all that is printed from then on.
void set_colour_wish(ColourWish wish);
ColourWish colour_wish();
// Of STDOUT_FILENO or STDERR_FILENO.
bool has_colours(int descriptor);

enum class Colour { Bold, Red, Green, Yellow };
std::string coloured(Colour colour, std::string_view text);

} // namespace vftr::cli
