// SPDX-License-Identifier: BSD-3-Clause
#include "config_tools/tell/message.hpp"

#include "config_tools/own_name.hpp"
#include "config_tools/tell/colour.hpp"

#include "base/foreign_text.hpp"

#include <cstdio>
#include <unistd.h>

namespace vftr::cli {
namespace {

bool quiet_wanted = false;

void tell(Colour colour, std::string_view command, std::string_view text) {
    std::string begin = std::string(command) + ':';
    if (has_colours(STDERR_FILENO))
        begin = coloured(colour, begin);
    std::fprintf(stderr, "%s %s\n", begin.c_str(), base::foreign_text(text, "\n").c_str());
}

} // namespace

void be_quiet() { quiet_wanted = true; }
bool is_quiet() { return quiet_wanted; }

void tell_error(std::string_view command, std::string_view text) { tell(Colour::Red, command, text); }
void tell_error(std::string_view text) { tell_error(own_command(), text); }
void tell_note(std::string_view command, std::string_view text) {
    if (!quiet_wanted)
        tell(Colour::Bold, command, text);
}
void tell_note(std::string_view text) { tell_note(own_command(), text); }

} // namespace vftr::cli
