// SPDX-License-Identifier: BSD-3-Clause
//
// A line in which the user types a text: what to search for, the name of a file.
#pragma once

#include "tui/keys.hpp"
#include "tui/line.hpp"

#include <functional>
#include <string>

namespace vftr::tui {

class Prompt {
public:
    using Done = std::function<void(const std::string& text)>;

    Prompt(std::string question, std::string text, Done done);

    // Whether it closes. Enter gives the text to `done`; Escape does not.
    bool take(Key key);
    // The end of a text that is too long is seen.
    Line line(std::size_t columns) const;

private:
    std::string question_, text_;
    Done done_;
};

// A character as UTF-8.
std::string utf8(char32_t character);

} // namespace vftr::tui
