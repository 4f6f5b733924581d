// SPDX-License-Identifier: BSD-3-Clause
#include "tui/keys.hpp"

#include <algorithm>

namespace vftr::tui {
namespace {

#define VFTR_COMMAND(name, help, ...) constexpr Key KeysOf##name[] = {__VA_ARGS__};
#include "tui/keys.def"
#undef VFTR_COMMAND

constexpr Binding Bindings[] = {
#define VFTR_COMMAND(name, help, ...) {Command::name, help, KeysOf##name},
#include "tui/keys.def"
#undef VFTR_COMMAND
};

constexpr struct {
    Key key;
    const char* name;
} Names[] = {{keys::Tab, "Tab"},
             {keys::Enter, "Enter"},
             {keys::Escape, "Esc"},
             {keys::Backspace, "Backspace"},
             {keys::Up, "Up"},
             {keys::Down, "Down"},
             {keys::Left, "Left"},
             {keys::Right, "Right"},
             {keys::PageUp, "PgUp"},
             {keys::PageDown, "PgDn"},
             {keys::Home, "Home"},
             {keys::End, "End"},
             {keys::BackTab, "Shift-Tab"},
             {keys::F1, "F1"},
             {keys::F5, "F5"},
             {keys::Delete, "Del"},
             {' ', "Space"}};

} // namespace

std::span<const Binding> bindings() { return Bindings; }

std::optional<Command> command_of(Key key) {
    for (const Binding& binding : Bindings)
        if (std::ranges::find(binding.keys, key) != binding.keys.end())
            return binding.command;
    return std::nullopt;
}

std::string name_of(Key key) {
    for (const auto& known : Names)
        if (known.key == key)
            return known.name;
    if (key < ' ')
        return std::string("Ctrl-") + static_cast<char>(key - keys::Ctrl);
    return std::string(1, static_cast<char>(key));
}

} // namespace vftr::tui
