// SPDX-License-Identifier: BSD-3-Clause
//
// Gives the terminal back as it was when a signal ends the program. ncurses does that where the loop of keys notices a
// signal, which it does not while files are read; so a handler does it by itself, and then dies of the signal. It calls
// nothing but system calls, as it may interrupt anything, ncurses too.
#pragma once

namespace vftr::tui {

// In this order: before ncurses changes the settings of the terminal, and after it knows the terminal.
void note_settings();
void give_back_on_signals();
// The terminal was given back.
void leave_signals_alone();

} // namespace vftr::tui
