// SPDX-License-Identifier: BSD-3-Clause
#include "report/cxx_text.hpp"

#include <algorithm>
#include <array>

namespace vftr::report {
namespace {

constexpr std::size_t Deepest = 200;

constexpr std::string_view Operator = "operator";

// Longer ones come first, as one may begin with another.
constexpr std::array<std::string_view, 43> Signs = {
    "<=>", "<<=", ">>=", "->*", "()", "[]", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "++",
    "--",  "+=",  "-=",  "*=",  "/=", "%=", "^=", "&=", "|=", "->", "<",  ">",  "+",  "-",  "*",
    "/",   "%",   "^",   "&",   "|",  "~",  "!",  "=",  ",",  "?",  ".*", ".",  "@"};
constexpr std::array<std::string_view, 5> Words = {" new[]", " new", " delete[]", " delete", " co_await"};

char closing(char open) { return open == '(' ? ')' : open == '[' ? ']' : open == '{' ? '}' : '>'; }

} // namespace

std::size_t end_of_word(std::string_view text, std::size_t at) {
    while (at < text.size() && is_word(text[at]))
        ++at;
    return at;
}

std::size_t end_of_operator(std::string_view text, std::size_t at) {
    if (!text.substr(at).starts_with(Operator) || (at > 0 && is_word(text[at - 1])))
        return 0;
    at += Operator.size();
    const std::string_view rest = text.substr(at);
    if (rest.starts_with("\"\"")) {
        at += rest.starts_with("\"\" ") ? 3 : 2;
        return end_of_word(text, at);
    }
    for (std::string_view word : Words)
        if (rest.starts_with(word) && (rest.size() == word.size() || !is_word(rest[word.size()])))
            return at + word.size();
    for (std::string_view sign : Signs)
        if (rest.starts_with(sign))
            return at + sign.size();
    return 0;
}

std::optional<Brackets> Brackets::of(std::string_view text) {
    Brackets brackets;
    if (text.size() >= Word)
        return std::nullopt;
    brackets.ends_.resize(text.size());
    std::vector<std::uint32_t> open;
    std::uint32_t angles = 0; // number of open angle brackets
    for (std::size_t at = 0; at < text.size();) {
        const char c = text[at];
        if (is_word(c)) {
            const std::size_t end = c == 'o' ? end_of_operator(text, at) : 0;
            const std::size_t behind = end ? end : end_of_word(text, at);
            brackets.ends_[at] = static_cast<std::uint32_t>(behind) | Word;
            at = behind;
            continue;
        }
        if (c == '(' || c == '[' || c == '{' || c == '<') {
            if (open.size() == Deepest)
                return std::nullopt;
            open.push_back(static_cast<std::uint32_t>(at));
            angles += c == '<';
        } else if (c == '>') {
            if (!open.empty() && text[open.back()] == '<' && text[at - 1] != '-') {
                brackets.ends_[open.back()] = static_cast<std::uint32_t>(at);
                brackets.depth_ = std::max(brackets.depth_, angles--);
                open.pop_back();
            }
        } else if (c == ')' || c == ']' || c == '}') {
            while (!open.empty() && text[open.back()] == '<') { // these were operators
                open.pop_back();
                --angles;
            }
            if (open.empty() || closing(text[open.back()]) != c)
                return std::nullopt;
            brackets.ends_[open.back()] = static_cast<std::uint32_t>(at);
            open.pop_back();
        }
        ++at;
    }
    if (!open.empty())
        return std::nullopt;
    return brackets;
}

} // namespace vftr::report
