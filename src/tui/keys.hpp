// SPDX-License-Identifier: BSD-3-Clause
//
// What the user types, and which command that is. keys.def is the only list of them.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace vftr::tui {

// A character, or a key that has none.
using Key = char32_t;

namespace keys {
inline constexpr Key Ctrl = 0xffffffc0; // + a capital letter: the control character
inline constexpr Key Tab = 9, Enter = 10, Escape = 27, Backspace = 127;
inline constexpr Key Up = 0x110000, Down = 0x110001, Left = 0x110002, Right = 0x110003, PageUp = 0x110004,
                     PageDown = 0x110005, Home = 0x110006, End = 0x110007, BackTab = 0x110008, F1 = 0x110009,
                     F5 = 0x11000a, Delete = 0x11000b;
} // namespace keys

enum class Command {
#define VFTR_COMMAND(name, help, ...) name,
#include "tui/keys.def"
#undef VFTR_COMMAND
};

struct Binding {
    Command command;
    std::string_view help;
    std::span<const Key> keys;
};

std::span<const Binding> bindings();
std::optional<Command> command_of(Key key);
// "Up", "Ctrl-L", "q".
std::string name_of(Key key);

} // namespace vftr::tui
