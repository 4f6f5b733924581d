// SPDX-License-Identifier: BSD-3-Clause
#include "config/json_text.hpp"

#include "base/foreign_text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>

namespace vftr::config {
namespace {

std::size_t skip_string(std::string_view text, std::size_t at) {
    for (++at; at < text.size() && text[at] != '"'; ++at)
        if (text[at] == '\\')
            ++at;
    return std::min(at + 1, text.size());
}

struct Piece {
    std::size_t written, bytes; // its lengths in the text and in the value
};

// Measures the character or escape at the start of `raw`.
Piece piece(std::string_view raw) {
    if (raw[0] != '\\')
        return {1, 1};
    if (raw.size() < 6 || raw[1] != 'u')
        return {2, 1};
    unsigned code = 0;
    std::from_chars(raw.data() + 2, raw.data() + 6, code, 16);
    if (code >= 0xd800 && code < 0xdc00)
        return {12, 4};
    return {6, code < 0x80 ? 1u : code < 0x800 ? 2u : 3u};
}

} // namespace

std::size_t skip_space(std::string_view text, std::size_t at) {
    while (at < text.size() && static_cast<std::uint8_t>(text[at]) <= ' ')
        ++at;
    return std::min(at, text.size());
}

std::size_t skip_value(std::string_view text, std::size_t at) {
    std::size_t depth = 0;
    while (at < text.size()) {
        char c = text[at];
        if (c == '"') {
            at = skip_string(text, at);
        } else if (c == '{' || c == '[') {
            ++depth;
            ++at;
            continue;
        } else if (c == '}' || c == ']') {
            if (depth == 0)
                return at;
            --depth;
            ++at;
        } else if (depth == 0) { // a number or a word
            return std::min(text.find_first_of(",:]} \t\r\n", at), text.size());
        } else {
            ++at;
        }
        if (depth == 0)
            return at;
    }
    return text.size();
}

std::size_t raw_offset(std::string_view raw, std::size_t offset) {
    std::size_t at = 1, value = 0;
    while (at < raw.size() && value < offset) {
        Piece next = piece(raw.substr(at));
        at += next.written;
        value += next.bytes;
    }
    return std::min(at, raw.empty() ? 0 : raw.size() - 1);
}

bool clean_string(std::string_view raw) {
    for (std::size_t at = 0; at < raw.size();) {
        if (raw[at] == '\\') {
            if (raw.substr(at).starts_with("\\u0000"))
                return false;
            at += 2;
            continue;
        }
        char32_t character;
        std::size_t length = base::utf8_sequence(raw.substr(at), character);
        if (length == 0)
            return false;
        at += length;
    }
    return true;
}

std::string json_string(std::string_view text) {
    static const char digits[] = "0123456789abcdef";
    std::string out = "\"";
    for (std::size_t at = 0; at < text.size();) {
        char32_t c;
        std::size_t length = base::utf8_sequence(text.substr(at), c);
        if (length == 0) { // JSON cannot represent it
            out += "\\ufffd";
            ++at;
            continue;
        }
        if (c == '"' || c == '\\')
            out.append({'\\', static_cast<char>(c)});
        else if (c == '\n')
            out += "\\n";
        else if (c == '\t')
            out += "\\t";
        else if (base::affects_terminal(c))
            out.append("\\u").append({digits[c >> 12 & 15], digits[c >> 8 & 15], digits[c >> 4 & 15], digits[c & 15]});
        else
            out += text.substr(at, length);
        at += length;
    }
    return out += '"';
}

std::string number_to_text(double number) {
    char digits[32];
    // Whole numbers are written in full, because 1e+05 is hard to read.
    bool whole = std::abs(number) < 1e15 && number == std::trunc(number);
    auto format = whole ? std::chars_format::fixed : std::chars_format::general;
    return {digits, std::to_chars(digits, digits + sizeof digits, number, format).ptr};
}

} // namespace vftr::config
