// SPDX-License-Identifier: BSD-3-Clause
#include "config_tools/tell/colour.hpp"

#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace vftr::cli {
namespace {

ColourWish wish_of_option = ColourWish::Auto;

bool is_set(const char* variable) { return variable && *variable != '\0'; }
bool is_zero(const char* variable) { return std::strcmp(variable, "0") == 0; }

} // namespace

bool colours_wanted(const ColourEvidence& evidence) {
    if (evidence.wish != ColourWish::Auto)
        return evidence.wish == ColourWish::Always;
    if (is_set(evidence.no_color))
        return false;
    if (is_set(evidence.clicolor_force) && !is_zero(evidence.clicolor_force))
        return true;
    if (is_set(evidence.clicolor) && is_zero(evidence.clicolor))
        return false;
    return evidence.terminal && is_set(evidence.term) && std::strcmp(evidence.term, "dumb") != 0;
}

void set_colour_wish(ColourWish wish) { wish_of_option = wish; }
ColourWish colour_wish() { return wish_of_option; }

bool has_colours(int descriptor) {
    return colours_wanted({.wish = wish_of_option,
                           .no_color = std::getenv("NO_COLOR"),
                           .clicolor_force = std::getenv("CLICOLOR_FORCE"),
                           .clicolor = std::getenv("CLICOLOR"),
                           .term = std::getenv("TERM"),
                           .terminal = ::isatty(descriptor) != 0});
}

std::string coloured(Colour colour, std::string_view text) {
    static constexpr const char* Begins[] = {"\033[1m", "\033[31m", "\033[32m", "\033[33m"};
    return Begins[static_cast<int>(colour)] + std::string(text) + "\033[0m";
}

} // namespace vftr::cli
