// SPDX-License-Identifier: BSD-3-Clause
//
// Every string of foreign origin (names, paths, arguments, lines of files, contents of a recording's header) goes
// through these functions before the user sees it. Characters that could affect a terminal or the lines of a log are
// replaced by '?': control characters (ESC and all others below a blank, DEL, and C1: U+0080 to U+009F, in UTF-8 or as
// single bytes), line separators (U+2028, U+2029), characters that cannot be seen, by which two names that differ look
// alike or the order of display changes, and bytes that are not valid UTF-8. All others stay as they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace vftr::base {

// Returns the length of the UTF-8 sequence at the start of `text`, which must not be empty, and sets `character`.
// Returns 0 if the sequence is not valid.
inline std::size_t utf8_sequence(std::string_view text, char32_t& character) {
    const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
    character = byte(0);
    if (byte(0) < 0x80)
        return 1;
    const std::size_t length = byte(0) >= 0xf0 ? 4 : byte(0) >= 0xe0 ? 3 : 2;
    if (byte(0) < 0xc2 || byte(0) > 0xf4 || text.size() < length)
        return 0;
    character &= 0xffu >> (length + 1);
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xc0) != 0x80)
            return 0;
        character = character << 6 | (byte(i) & 0x3f);
    }
    const bool overlong = (length == 3 && character < 0x800) || (length == 4 && character < 0x10000);
    const bool surrogate = character >= 0xd800 && character < 0xe000;
    return overlong || surrogate || character > 0x10ffff ? 0 : length;
}

// The characters with the property Default_Ignorable_Code_Point (Unicode 15, DerivedCoreProperties.txt), that is, those
// which are shown as nothing: zero-width ones, marks of direction, fillers, variation selectors, tags.
struct CharacterRange {
    char32_t first, last;
};
inline constexpr CharacterRange InvisibleCharacters[] = {
    {0x00ad, 0x00ad}, {0x034f, 0x034f}, {0x061c, 0x061c},   {0x115f, 0x1160},   {0x17b4, 0x17b5},  {0x180b, 0x180f},
    {0x200b, 0x200f}, {0x202a, 0x202e}, {0x2060, 0x206f},   {0x3164, 0x3164},   {0xfe00, 0xfe0f},  {0xfeff, 0xfeff},
    {0xffa0, 0xffa0}, {0xfff0, 0xfff8}, {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a}, {0xe0000, 0xe0fff}};

inline bool is_invisible(char32_t c) {
    if (c < InvisibleCharacters[0].first)
        return false;
    for (const CharacterRange& range : InvisibleCharacters)
        if (c >= range.first && c <= range.last)
            return true;
    return false;
}

inline bool affects_terminal(char32_t c) {
    return c < 0x20 || (c >= 0x7f && c <= 0x9f) || c == 0x2028 || c == 0x2029 || is_invisible(c);
}

// Whether a text has printable characters of ASCII only, as most names have. Eight bytes are looked at together: one of
// the three forms of a byte has its highest bit set where that is below ' ', DEL, or no ASCII.
inline bool is_plain_ascii(std::string_view text) {
    constexpr std::uint64_t Each = 0x0101010101010101;
    std::size_t at = 0;
    for (std::uint64_t bytes; at + sizeof bytes <= text.size(); at += sizeof bytes) {
        std::memcpy(&bytes, text.data() + at, sizeof bytes);
        if (((bytes - Each * ' ') | (bytes + Each) | bytes) & Each * 0x80)
            return false;
    }
    for (; at < text.size(); ++at)
        if (text[at] < ' ' || text[at] > '~')
            return false;
    return true;
}

// Works in place and returns the new size, which is not larger. Characters in `keep`, such as line ends, are not
// replaced. It is async-signal-safe.
inline std::size_t make_foreign_text_harmless(char* text, std::size_t size, std::string_view keep = {},
                                              char replacement = '?') {
    if (is_plain_ascii({text, size}))
        return size;
    std::size_t to = 0;
    for (std::size_t at = 0; at < size;) {
        char32_t character;
        const std::size_t length = utf8_sequence({text + at, size - at}, character);
        if (length != 0 && (!affects_terminal(character) || (length == 1 && keep.find(text[at]) != keep.npos)))
            for (std::size_t i = 0; i < length; ++i)
                text[to++] = text[at + i];
        else
            text[to++] = replacement;
        at += length == 0 ? 1 : length;
    }
    return to;
}

inline std::string foreign_text(std::string_view text, std::string_view keep = {}, char replacement = '?') {
    std::string harmless(text);
    harmless.resize(make_foreign_text_harmless(harmless.data(), harmless.size(), keep, replacement));
    return harmless;
}

} // namespace vftr::base
