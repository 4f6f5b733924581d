// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tui/source.hpp"

#include <string>

namespace vftr::tui {

// Shows the source on the terminal until the user quits, beginning with a view (see Browser), and reads the files again
// every `interval` seconds while they may change. Reading takes a quarter of the time at most. Throws
// std::runtime_error where there is no terminal.
void show_on_terminal(Source& source, const std::string& view, double interval);

// What is said where vftr tui was not built.
inline constexpr const char* NotBuilt = "vftrace was built without vftr tui: it needs ncurses (ncursesw)";

} // namespace vftr::tui
