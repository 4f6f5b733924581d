// SPDX-License-Identifier: BSD-3-Clause
#include "config/damaged_text.hpp"

#include "config/json_text.hpp"

#include <algorithm>

namespace vftr::config {
namespace {

bool is_blank(char c) { return static_cast<unsigned char>(c) <= ' '; }

// The quote that closes the string that begins at `at`; npos if there is none in its line.
std::size_t closing_quote(std::string_view text, std::size_t at) {
    for (++at; at < text.size() && text[at] != '\n' && text[at] != '\r'; ++at) {
        if (text[at] == '"')
            return at;
        if (text[at] == '\\' && at + 1 < text.size() && text[at + 1] != '\n' && text[at + 1] != '\r')
            ++at;
    }
    return text.npos;
}

} // namespace

bool is_closing(char c) { return c == '}' || c == ']'; }

char closing(char opening) { return opening == '{' ? '}' : ']'; }

bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
           c == '-' || c == '+';
}

bool begins_value(char c) { return c == '"' || c == '\'' || c == '{' || c == '[' || is_word(c); }

std::size_t line_end(std::string_view text, std::size_t at) {
    return std::min(text.find_first_of("\r\n", at), text.size());
}

std::size_t skip_back(std::string_view text, std::size_t from, std::size_t at) {
    while (at > from && is_blank(text[at - 1]))
        --at;
    return at;
}

bool is_open_string(std::string_view text, std::size_t quote) { return closing_quote(text, quote) == text.npos; }

std::size_t string_in_line(std::string_view text, std::size_t at) {
    const std::size_t quote = closing_quote(text, at);
    return quote == text.npos ? line_end(text, at) : quote + 1;
}

std::size_t unmatched_brackets(std::string_view text, std::size_t at) {
    std::size_t depth = 0, unmatched = 0;
    for (; at < text.size(); ++at) {
        if (text[at] == '"')
            at = string_in_line(text, at) - 1;
        else if (text[at] == '{' || text[at] == '[')
            ++depth;
        else if (is_closing(text[at]))
            depth == 0 ? ++unmatched : --depth;
    }
    return unmatched;
}

std::size_t member_end(std::string_view text, std::size_t at) {
    std::size_t depth = 0;
    for (; at < text.size(); ++at) {
        if (text[at] == '"')
            at = string_in_line(text, at) - 1;
        else if (text[at] == '{' || text[at] == '[')
            ++depth;
        else if (depth == 0 && (is_closing(text[at]) || text[at] == ','))
            return at;
        else if (is_closing(text[at]))
            --depth;
    }
    return text.size();
}

bool begins_comment(std::string_view text, std::size_t at) {
    return text.substr(at).starts_with("//") || text.substr(at).starts_with("/*") || text.substr(at).starts_with('#');
}

std::size_t comment_end(std::string_view text, std::size_t at) {
    if (!text.substr(at).starts_with("/*"))
        return line_end(text, at);
    const std::size_t end = text.find("*/", at + 2);
    return end == text.npos ? text.size() : end + 2;
}

std::size_t bad_value_end(std::string_view text, std::size_t begin) {
    std::size_t at = begin + 1;
    while (at < text.size() && std::string_view(",;{}[]\"\r\n").find(text[at]) == std::string_view::npos &&
           !(is_blank(text[at - 1]) && begins_comment(text, at)))
        ++at;
    if (at < text.size() && text[at] == '"' && !is_blank(text[at - 1]))
        return at + 1;
    return skip_back(text, begin, at);
}

std::size_t token_end(std::string_view text, std::size_t at) {
    if (at >= text.size())
        return text.size();
    if (text[at] == '"')
        return skip_value(text, at);
    if (std::string_view(",:;{}[]").find(text[at]) != std::string_view::npos)
        return at + 1;
    const std::size_t begin = at++;
    while (at < text.size() && !is_blank(text[at]) &&
           std::string_view(",:;{}[]\"").find(text[at]) == std::string_view::npos && !begins_comment(text, at))
        ++at;
    return begins_comment(text, begin) ? comment_end(text, begin) : at;
}

} // namespace vftr::config
