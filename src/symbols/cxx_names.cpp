// SPDX-License-Identifier: BSD-3-Clause
#include "symbols/cxx_names.hpp"

#include <charconv>
#include <cstdlib>
#include <cxxabi.h>
#include <optional>
#include <utility>

namespace vftr::symbols {

namespace {

// The demangler's work can grow with the square of the length; longer names are not demangled.
constexpr std::size_t LongestDemangled = 64 * 1024;
// Limits for finding the numbers: each character that may begin a number, or a class, needs another demangling.
constexpr std::size_t LongestWithNumbers = 4096;
constexpr int MostDemangled = 32;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// A part of a name such as "_0" or "__10_", which denotes the second and the twelfth class.
struct Discriminator {
    std::size_t length;
    unsigned number;
};

std::optional<Discriminator> discriminator_at(std::string_view name, std::size_t place) {
    const std::string_view rest = name.substr(place);
    unsigned value = 0;
    if (rest.size() > 1 && is_digit(rest[1]))
        return Discriminator{2, static_cast<unsigned>(rest[1] - '0') + 2};
    if (!rest.starts_with("__"))
        return std::nullopt;
    const auto [end, error] = std::from_chars(rest.data() + 2, rest.data() + rest.size(), value);
    if (error != std::errc() || end == rest.data() + rest.size() || *end != '_')
        return std::nullopt;
    return Discriminator{static_cast<std::size_t>(end - rest.data()) + 1, value + 2};
}

std::string without_all(std::string text, const std::string& part) {
    for (std::size_t at = 0; (at = text.find(part, at)) != text.npos;)
        text.erase(at, part.size());
    return text;
}

// Returns the name with `mark` appended to the identifier of the innermost local class that begins before `end`. A
// local class follows the E that ends the name of its function.
std::optional<std::string> with_mark(const std::string& name, std::size_t end, const std::string& mark,
                                     const std::string& text, int& left) {
    for (std::size_t e = end; e-- > 2 && left > 0;) {
        std::size_t at = name[e] == 'E' ? e + 1 : end;
        if (at < end && name[at] == 'N')
            at = name.find_first_not_of("KVRO", at + 1);
        if (at >= end || !is_digit(name[at]))
            continue;
        std::size_t length = 0;
        const auto [digits_end, error] = std::from_chars(&name[at], name.data() + end, length);
        const auto begin = static_cast<std::size_t>(digits_end - name.data());
        if (error != std::errc() || length == 0 || length > end - begin)
            continue;
        std::string marked = name.substr(0, at) + std::to_string(length + mark.size()) + name.substr(begin, length) +
                             mark + name.substr(begin + length);
        --left;
        if (const std::string shown = demangled(marked);
            shown != text && without_all(shown, mark) == without_all(text, mark))
            return marked;
    }
    return std::nullopt;
}

bool strip_end(std::string_view& text, std::string_view end) {
    if (!text.ends_with(end))
        return false;
    text.remove_suffix(end.size());
    return true;
}

} // namespace

std::string demangled(std::string_view symbol) {
    const std::string terminated(symbol);
    if (symbol.size() > LongestDemangled)
        return terminated;
    int status = 0;
    char* text = abi::__cxa_demangle(terminated.c_str(), nullptr, nullptr, &status);
    if (text == nullptr)
        return terminated;
    std::string result(text);
    std::free(text);
    return result;
}

std::string cxx_name(std::string_view symbol) {
    std::string name(symbol), text = demangled(symbol);
    // A name without another Z has no part that is local to a function.
    if (symbol.size() > LongestWithNumbers || symbol.find('Z', 2) == symbol.npos)
        return text;
    int left = MostDemangled;
    for (std::size_t at = name.find('_', 2); at != name.npos && left > 0; at = name.find('_', at + 1)) {
        const auto found = discriminator_at(name, at);
        if (!found)
            continue;
        const std::string without = name.substr(0, at) + name.substr(at + found->length);
        --left;
        if (demangled(without) != text)
            continue;
        if (auto marked = with_mark(without, at, "#" + std::to_string(found->number), text, left)) {
            name = std::move(*marked);
            text = demangled(name);
        }
    }
    return text;
}

std::string_view without_parameters(std::string_view whole) {
    std::string_view name = whole;
    for (bool more = true; more;)
        more = strip_end(name, " const") || strip_end(name, " volatile") || strip_end(name, " &&") ||
               strip_end(name, " &");
    if (!name.ends_with(')'))
        return whole;
    int depth = 0;
    for (std::size_t i = name.size(); i-- > 0;) {
        depth += name[i] == ')' ? 1 : name[i] == '(' ? -1 : 0;
        if (depth == 0)
            return name.substr(0, i);
    }
    return whole;
}

} // namespace vftr::symbols
