// SPDX-License-Identifier: BSD-3-Clause
#include "tui/text_cells.hpp"

#include "base/foreign_text.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <cwchar>
#include <langinfo.h>

namespace vftr::tui {
namespace {

struct Character {
    std::size_t bytes, cells;
};

// Of a text that is not empty.
Character first_character(std::string_view text) {
    char32_t character;
    const std::size_t bytes = base::utf8_sequence(text, character);
    if (bytes <= 1)
        return {1, 1};
    const int cells = ::wcwidth(static_cast<wchar_t>(character));
    return {bytes, cells < 0 ? 1 : static_cast<std::size_t>(cells)};
}

const char* cut_mark() { return shows_utf8() ? "…" : "~"; }

// The bytes of the longest beginning that fits, without parting a character from its accents.
std::size_t bytes_that_fit(std::string_view text, std::size_t width) {
    std::size_t at = 0;
    for (std::size_t used = 0; at < text.size();) {
        const Character next = first_character(text.substr(at));
        if (used + next.cells > width)
            break;
        used += next.cells;
        at += next.bytes;
    }
    return at;
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

} // namespace

bool shows_utf8() { return std::strcmp(::nl_langinfo(CODESET), "UTF-8") == 0; }

std::size_t cells(std::string_view text) {
    std::size_t sum = 0;
    while (!text.empty()) {
        const Character next = first_character(text);
        sum += next.cells;
        text.remove_prefix(next.bytes);
    }
    return sum;
}

std::size_t cells(const Line& line) {
    std::size_t sum = 0;
    for (const Span& span : line.spans)
        sum += cells(span.text);
    return sum;
}

std::string text_of(const Line& line) {
    std::string text;
    for (const Span& span : line.spans)
        text += span.text;
    return text;
}

std::string prefix(std::string_view text, std::size_t width) {
    return std::string(text.substr(0, bytes_that_fit(text, width)));
}

std::string cut(std::string_view text, std::size_t width) {
    if (cells(text) <= width)
        return std::string(text);
    return width == 0 ? "" : std::string(text.substr(0, bytes_that_fit(text, width - 1))) + cut_mark();
}

std::string left_aligned(std::string_view text, std::size_t width) {
    std::string result = cut(text, width);
    return result.append(width - cells(result), ' ');
}

std::string right_aligned(std::string_view text, std::size_t width) {
    const std::string shown = cut(text, width);
    return std::string(width - cells(shown), ' ') + shown;
}

Line window(const Line& line, std::size_t skip, std::size_t width) {
    Line result;
    result.under_cursor = line.under_cursor;
    const std::size_t whole = cells(line);
    const bool too_long = whole > skip + width;
    std::size_t room = too_long && width != 0 ? width - 1 : width;
    for (const Span& span : line.spans) {
        std::string_view rest = span.text;
        std::string text;
        while (!rest.empty() && skip != 0) {
            const Character next = first_character(rest);
            rest.remove_prefix(next.bytes);
            if (next.cells > skip && room != 0) { // the half of a wide character
                text += ' ';
                --room;
            }
            skip -= std::min(skip, next.cells);
        }
        const std::size_t fits = bytes_that_fit(rest, room);
        text += rest.substr(0, fits);
        room -= std::min(room, cells(rest.substr(0, fits)));
        result.add(std::move(text), span.style);
        if (fits < rest.size())
            break;
    }
    if (too_long && width != 0)
        result.add(cut_mark());
    return result;
}

std::string bar(double part, std::size_t width) {
    constexpr std::size_t Steps = 8; // of a cell
    constexpr const char* Begun[] = {"▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    const std::size_t steps = shows_utf8() ? Steps : 1, all = width * steps;
    const double wanted = std::isfinite(part) ? std::clamp(part, 0.0, 1.0) * static_cast<double>(all) : 0;
    const std::size_t length =
        wanted <= 0 ? 0 : std::max<std::size_t>(1, static_cast<std::size_t>(std::lround(wanted)));
    std::string text;
    for (std::size_t i = 0; i < length / steps; ++i)
        text += steps == 1 ? "#" : "█";
    if (length % steps != 0)
        text += Begun[length % steps - 1];
    return text.append(width - (length + steps - 1) / steps, ' ');
}

std::size_t find_text(std::string_view text, std::string_view wanted, std::size_t from) {
    if (from > text.size())
        return text.npos;
    const auto found = std::search(text.begin() + static_cast<std::ptrdiff_t>(from), text.end(), wanted.begin(),
                                   wanted.end(), [](char a, char b) { return lower(a) == lower(b); });
    return found == text.end() && !wanted.empty() ? text.npos : static_cast<std::size_t>(found - text.begin());
}

void drop_last_character(std::string& text) {
    while (!text.empty()) {
        const bool begins = (static_cast<unsigned char>(text.back()) & 0xc0) != 0x80;
        text.pop_back();
        if (begins)
            return;
    }
}

} // namespace vftr::tui
