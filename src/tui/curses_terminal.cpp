// SPDX-License-Identifier: BSD-3-Clause
#include "tui/curses_terminal.hpp"

#include "base/foreign_text.hpp"
#include "tui/capability.hpp"
#include "tui/given_back.hpp"
#include "tui/text_cells.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <poll.h>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unistd.h>
#include <utility>

#define NCURSES_NOMACROS
#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <term.h>
#undef lines // which term.h takes for itself
#undef columns

namespace vftr::tui {
namespace {

enum Pair : short { BarPair = 1, MatchPair, WarningPair };

constexpr int EscapeDelay = 50; // ms after which Escape is no begin of a longer sequence

// In a locale without UTF-8.
std::string ascii(std::string_view text) {
    std::string result;
    while (!text.empty()) {
        char32_t character;
        const std::size_t length = std::max<std::size_t>(1, base::utf8_sequence(text, character));
        result += length == 1 && static_cast<unsigned char>(text[0]) < 0x80 ? text[0] : '?';
        text.remove_prefix(length);
    }
    return result;
}

Key key_of(wint_t code, bool special) {
    if (!special)
        return code == '\r' ? keys::Enter : code == 8 ? keys::Backspace : static_cast<Key>(code);
    switch (code) {
    case KEY_UP:
        return keys::Up;
    case KEY_DOWN:
        return keys::Down;
    case KEY_LEFT:
        return keys::Left;
    case KEY_RIGHT:
        return keys::Right;
    case KEY_PPAGE:
        return keys::PageUp;
    case KEY_NPAGE:
        return keys::PageDown;
    case KEY_HOME:
        return keys::Home;
    case KEY_END:
        return keys::End;
    case KEY_BTAB:
        return keys::BackTab;
    case KEY_ENTER:
        return keys::Enter;
    case KEY_BACKSPACE:
        return keys::Backspace;
    case KEY_DC:
        return keys::Delete;
    case KEY_F(1):
        return keys::F1;
    case KEY_F(5):
        return keys::F5;
    default:
        return 0;
    }
}

// Else a terminal that is closed would be asked again and again.
bool terminal_is_gone() {
    pollfd input{STDIN_FILENO, POLLIN, 0};
    return ::poll(&input, 1, 0) > 0 && (input.revents & (POLLHUP | POLLERR | POLLNVAL));
}

void check_terminal() {
    if (!::isatty(STDIN_FILENO) || !::isatty(STDOUT_FILENO))
        throw std::runtime_error("standard input and output must be a terminal; vftr report prints the same as text");
    const char* name = std::getenv("TERM");
    int problem = 0;
    if (!name || !*name)
        throw std::runtime_error("TERM is not set, so nobody knows which terminal this is");
    if (::setupterm(name, STDOUT_FILENO, &problem) != OK)
        throw std::runtime_error(std::string("the terminal TERM=") + base::foreign_text(name) + " is not known here");
    if (!capability("cup"))
        throw std::runtime_error(std::string("the terminal TERM=") + base::foreign_text(name) +
                                 " cannot show a screen, as its cursor cannot be moved");
}

} // namespace

Terminal::Terminal() {
    check_terminal();
    note_settings();
    if (!::newterm(nullptr, stdout, stdin))
        throw std::runtime_error("the terminal cannot be used");
    give_back_on_signals();
    ::set_escdelay(EscapeDelay);
    ::cbreak();
    ::noecho();
    ::nonl();
    ::keypad(::stdscr, TRUE);
    // What arrow keys send where the terminal does not change their mode; terminfo has only the other form.
    for (const auto& [text, code] : {std::pair{"\033[A", KEY_UP},
                                     {"\033[B", KEY_DOWN},
                                     {"\033[C", KEY_RIGHT},
                                     {"\033[D", KEY_LEFT},
                                     {"\033[H", KEY_HOME},
                                     {"\033[F", KEY_END}})
        ::define_key(text, code);
    ::curs_set(0);
    ::mousemask(BUTTON1_PRESSED | BUTTON1_CLICKED | BUTTON4_PRESSED | BUTTON5_PRESSED, nullptr);
    ::mouseinterval(0);
    set_colours();
}

Terminal::~Terminal() {
    ::endwin();
    leave_signals_alone();
}

void Terminal::set_colours() {
    const char* none = std::getenv("NO_COLOR");
    colours_ = !(none && *none) && ::has_colors() && ::start_color() == OK && ::use_default_colors() == OK;
    if (!colours_)
        return;
    ::init_pair(BarPair, COLOR_GREEN, -1);
    ::init_pair(MatchPair, COLOR_MAGENTA, -1);
    ::init_pair(WarningPair, COLOR_RED, -1);
}

Size Terminal::size() const {
    return {static_cast<std::size_t>(std::max(0, ::getmaxy(::stdscr))),
            static_cast<std::size_t>(std::max(0, ::getmaxx(::stdscr)))};
}

void Terminal::show(const std::vector<Line>& lines) {
    const auto look_of = [&](Style style) -> attr_t {
        switch (style) {
        case Style::Plain:
        case Style::Tab:
            return A_NORMAL;
        case Style::Title:
            return A_BOLD;
        case Style::OpenTab:
            return A_REVERSE | A_BOLD;
        case Style::Bar:
            return colours_ ? static_cast<attr_t>(COLOR_PAIR(BarPair)) : A_NORMAL;
        case Style::Match:
            return A_BOLD | A_UNDERLINE | (colours_ ? static_cast<attr_t>(COLOR_PAIR(MatchPair)) : A_NORMAL);
        case Style::Warning:
            return A_BOLD | (colours_ ? static_cast<attr_t>(COLOR_PAIR(WarningPair)) : A_NORMAL);
        }
        return A_NORMAL;
    };
    const bool utf8 = shows_utf8();
    ::erase();
    for (std::size_t row = 0; row < lines.size(); ++row) {
        const attr_t whole = lines[row].under_cursor ? A_REVERSE : A_NORMAL;
        ::wmove(::stdscr, static_cast<int>(row), 0);
        for (const Span& span : lines[row].spans) {
            ::attrset(static_cast<int>(look_of(span.style) | whole));
            ::waddstr(::stdscr, utf8 ? span.text.c_str() : ascii(span.text).c_str());
        }
        if (const std::size_t used = cells(lines[row]); lines[row].under_cursor && used < size().columns) {
            ::attrset(static_cast<int>(whole));
            ::waddstr(::stdscr, std::string(size().columns - used, ' ').c_str());
        }
    }
    ::attrset(A_NORMAL);
    ::wrefresh(::stdscr);
}

void Terminal::redraw() { ::clearok(::stdscr, TRUE); }

std::variant<Terminal::Nothing, Key, Terminal::Clicked> Terminal::wait(int milliseconds) {
    ::wtimeout(::stdscr, milliseconds);
    wint_t code = 0;
    const int kind = ::wget_wch(::stdscr, &code);
    if (kind == ERR && terminal_is_gone())
        throw std::runtime_error("the terminal is gone");
    if (kind == ERR || (kind == KEY_CODE_YES && code == KEY_RESIZE))
        return Nothing{};
    if (kind != KEY_CODE_YES || code != KEY_MOUSE)
        return key_of(code, kind == KEY_CODE_YES);
    MEVENT event{};
    if (::getmouse(&event) != OK)
        return Nothing{};
    const Click click = event.bstate & BUTTON4_PRESSED   ? Click::WheelUp
                        : event.bstate & BUTTON5_PRESSED ? Click::WheelDown
                                                         : Click::Press;
    return Clicked{click, static_cast<std::size_t>(std::max(0, event.y)),
                   static_cast<std::size_t>(std::max(0, event.x))};
}

} // namespace vftr::tui
