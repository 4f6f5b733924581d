// SPDX-License-Identifier: BSD-3-Clause
#include "config_tools/syntax/spelling.hpp"

#include <algorithm>
#include <cstddef>

namespace vftr::cli {
namespace {

constexpr std::string_view Capitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

Alternative alternative_of(std::string_view text) {
    const std::size_t kind = text.find_first_of(Capitals), end = text.find_first_not_of(Capitals, kind);
    if (kind == text.npos)
        return {std::string(text), ""};
    std::string literal(text.substr(0, kind));
    std::erase(literal, '[');
    return {literal, std::string(text.substr(kind, end - kind))};
}

} // namespace

Spelling spelling_of(std::string_view text) {
    Spelling spelling;
    if (text.size() > 1 && text[0] == '-' && text[1] != '-') {
        spelling.letter = text[1];
        text.remove_prefix(std::min(text.find_first_not_of(", ", 2), text.size()));
        if (!text.starts_with("--")) {
            spelling.value = text;
            return spelling;
        }
    }
    text.remove_prefix(2);
    const std::size_t end = std::min(text.find_first_of("= "), text.size());
    spelling.name = text.substr(0, end);
    spelling.value = text.substr(std::min(end + 1, text.size()));
    return spelling;
}

ValueSpelling value_spelling_of(std::string_view value) {
    constexpr std::string_view List = "[,";
    ValueSpelling spelling;
    if (const std::size_t list = value.find(List); list != value.npos) {
        spelling.is_list = true;
        value = value.substr(0, list);
    }
    for (std::size_t at = 0; at < value.size();) {
        const std::size_t bar = std::min(value.find('|', at), value.size());
        spelling.alternatives.push_back(alternative_of(value.substr(at, bar - at)));
        at = bar + 1;
    }
    return spelling;
}

std::vector<std::string> words_of(const Spelling& option) {
    std::vector<std::string> words;
    for (const Alternative& each : value_spelling_of(option.value).alternatives)
        if (each.kind.empty())
            words.push_back(each.literal);
    return words;
}

std::string enumerated(const std::vector<std::string>& words) {
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i)
        text += (i == 0 ? "" : i + 1 < words.size() ? ", " : " or ") + words[i];
    return text;
}

} // namespace vftr::cli
