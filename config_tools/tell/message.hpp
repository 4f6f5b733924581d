// SPDX-License-Identifier: BSD-3-Clause
//
// What vftr says on standard error, one line at a time: "<command>: <text>". The command has the name under which it is
// installed. At a terminal it is bold, and red where something could not be done.
//
// An error is always told. A note says how what is printed was made, such as which file was left out; --quiet leaves
// notes and progress out. Foreign text within a message is made harmless here.
#pragma once

#include <string>
#include <string_view>

namespace vftr::cli {

// That of the option --quiet, for all that is told from then on.
void be_quiet();
bool is_quiet();

// `command` is "vftr report", as the user has called it; without it, it is vftr.
void tell_error(std::string_view command, std::string_view text);
void tell_error(std::string_view text);
void tell_note(std::string_view command, std::string_view text);
void tell_note(std::string_view text);

} // namespace vftr::cli
