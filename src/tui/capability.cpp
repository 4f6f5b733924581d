// SPDX-License-Identifier: BSD-3-Clause
#include "tui/capability.hpp"

#define NCURSES_NOMACROS
#include <curses.h>
#include <term.h>

namespace vftr::tui {

const char* capability(const char* name) {
    const char* const text = ::tigetstr(name);
    return text == reinterpret_cast<const char*>(-1) ? nullptr : text; // NOLINT: that is how terminfo says it
}

} // namespace vftr::tui
