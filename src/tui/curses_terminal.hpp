// SPDX-License-Identifier: BSD-3-Clause
//
// The terminal, by ncurses, which only this and given_back.hpp know. It belongs to us from the constructor to the
// destructor; deadly signals and ^Z give it back as it was. There is one at a time.
//
// Nobody knows the colour of the background, so text and background are the terminal's own. A terminal without colours,
// or NO_COLOR in the environment, has bold, reverse and underlined text alone.
#pragma once

#include "tui/browser.hpp"
#include "tui/keys.hpp"
#include "tui/line.hpp"

#include <cstddef>
#include <variant>
#include <vector>

namespace vftr::tui {

class Terminal {
public:
    // Throws std::runtime_error where standard input or output is no terminal, or TERM does not say which.
    Terminal();
    ~Terminal();
    Terminal(const Terminal&) = delete;
    Terminal& operator=(const Terminal&) = delete;

    Size size() const;
    // As many lines as the screen has, none wider than it.
    void show(const std::vector<Line>& lines);
    void redraw(); // all of it, whatever stands there now

    struct Nothing {}; // the time is over, or the size has changed
    struct Clicked {
        Click click;
        std::size_t row, column;
    };
    // Waits for what the user does, at most so long; without a limit where that is negative.
    std::variant<Nothing, Key, Clicked> wait(int milliseconds);

private:
    void set_colours();

    bool colours_ = false;
};

} // namespace vftr::tui
