// SPDX-License-Identifier: BSD-3-Clause
//
// What stands on the screen: lines of spans, of which each has one style. The terminal decides how a style looks.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace vftr::tui {

enum class Style {
    Plain,
    Title,   // titles of columns and of boxes
    Tab,     // the name of a view
    OpenTab, // the one that is shown
    Bar,
    Match,   // what was searched for
    Warning, // what went wrong
};

struct Span {
    std::string text; // valid UTF-8 without control characters
    Style style = Style::Plain;
};

struct Line {
    std::vector<Span> spans;
    bool under_cursor = false; // the whole line is marked

    void add(std::string text, Style style = Style::Plain) {
        if (!text.empty())
            spans.push_back({std::move(text), style});
    }
};

struct Size {
    std::size_t rows, columns;
};

} // namespace vftr::tui
