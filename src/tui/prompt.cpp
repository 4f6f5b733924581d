// SPDX-License-Identifier: BSD-3-Clause
#include "tui/prompt.hpp"

#include "base/foreign_text.hpp"
#include "tui/text_cells.hpp"

#include <utility>

namespace vftr::tui {

std::string utf8(char32_t c) {
    const auto byte = [](char32_t value) { return static_cast<char>(static_cast<unsigned char>(value)); };
    const auto later = [&](int shift) { return byte(0x80 | (c >> shift & 0x3f)); };
    if (c < 0x80)
        return {byte(c)};
    if (c < 0x800)
        return {byte(0xc0 | c >> 6), later(0)};
    if (c < 0x10000)
        return {byte(0xe0 | c >> 12), later(6), later(0)};
    return {byte(0xf0 | c >> 18), later(12), later(6), later(0)};
}

Prompt::Prompt(std::string question, std::string text, Done done)
    : question_(std::move(question)), text_(std::move(text)), done_(std::move(done)) {}

bool Prompt::take(Key key) {
    switch (key) {
    case keys::Enter:
        done_(text_);
        return true;
    case keys::Escape:
        return true;
    case keys::Backspace:
        drop_last_character(text_);
        return false;
    case keys::Ctrl + 'U':
        text_.clear();
        return false;
    default:
        if (key <= 0x10ffff && !base::affects_terminal(key))
            text_ += utf8(key);
        return false;
    }
}

Line Prompt::line(std::size_t columns) const {
    Line line;
    line.add(question_, Style::Title);
    line.add(text_);
    line.add("_");
    const std::size_t width = cells(line);
    return window(line, width > columns ? width - columns : 0, columns);
}

} // namespace vftr::tui
