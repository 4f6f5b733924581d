// SPDX-License-Identifier: BSD-3-Clause
#include "report/number_text.hpp"

#include "base/foreign_text.hpp"

#include <charconv>
#include <cstring>
#include <ctime>

namespace vftr::report {
namespace {

bool starts_character(char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }

// The byte offset of the character with number `index`.
std::size_t offset_of(std::string_view text, std::size_t index) {
    std::size_t at = 0;
    for (; at < text.size(); ++at)
        if (starts_character(text[at]) && index-- == 0)
            break;
    return at;
}

} // namespace

std::string fixed(double value, int decimals) {
    char digits[400]; // the largest double has 309 digits before the point
    auto end = std::to_chars(digits, digits + sizeof digits, value, std::chars_format::fixed, decimals);
    return {digits, end.ptr};
}

std::string percent(double share) { return fixed(100 * share, 1) + " %"; }

std::string duration_text(std::uint64_t ns) {
    const auto time = static_cast<double>(ns);
    if (ns < 1000)
        return std::to_string(ns) + " ns";
    if (time < 999.95e3)
        return fixed(time / 1e3, 1) + " µs";
    return time < 999.95e6 ? fixed(time / 1e6, 1) + " ms" : fixed(time / 1e9, 2) + " s";
}

std::string counted(std::uint64_t number, const std::string& one) {
    constexpr std::uint64_t Million = 1'000'000, Billion = 1000 * Million;
    const auto in = [number](std::uint64_t unit, const char* name) {
        return fixed(static_cast<double>(number) / static_cast<double>(unit), 1) + name;
    };
    const std::string text = number < Million   ? std::to_string(number)
                             : number < Billion ? in(Million, " million")
                                                : in(Billion, " billion");
    return text + ' ' + one + (number == 1 ? "" : "s");
}

std::string bytes_text(double bytes) {
    if (bytes < 10240)
        return fixed(bytes, 0) + " B";
    for (const char* unit : {"KiB", "MiB", "GiB"})
        if ((bytes /= 1024) < 10240)
            return fixed(bytes, 1) + " " + unit;
    return fixed(bytes / 1024, 1) + " TiB";
}

std::string scientific(double value, int decimals) {
    char digits[40];
    auto end = std::to_chars(digits, digits + sizeof digits, value, std::chars_format::scientific, decimals);
    return {digits, end.ptr};
}

std::string plain(double value) {
    char digits[400];
    return {digits, std::to_chars(digits, digits + sizeof digits, value, std::chars_format::fixed).ptr};
}

std::string seconds(double ns, int decimals) { return fixed(ns * 1e-9, decimals); }

// Eight bytes at a time: a log of long names of C++ asks for the width of 50 MB of text.
std::size_t width(std::string_view text) {
    constexpr std::uint64_t LowestBits = 0x0101010101010101;
    std::size_t characters = text.size(), at = 0;
    for (std::uint64_t bytes; at + sizeof bytes <= text.size(); at += sizeof bytes) {
        std::memcpy(&bytes, text.data() + at, sizeof bytes);
        const std::uint64_t continuing = bytes >> 7 & ~(bytes >> 6) & LowestBits; // bytes of the form 10xxxxxx
        characters -= continuing * LowestBits >> 56;
    }
    for (; at < text.size(); ++at)
        characters -= !starts_character(text[at]);
    return characters;
}

std::string fit(std::string_view text, std::size_t limit) {
    constexpr std::string_view Dots = "...";
    std::size_t characters = width(text);
    if (characters <= limit)
        return base::foreign_text(text);
    std::size_t kept = limit > Dots.size() ? limit - Dots.size() : 0;
    std::size_t head = (kept + 1) / 2, tail = kept / 2;
    std::string result = base::foreign_text(text.substr(0, offset_of(text, head)));
    result += Dots;
    result += base::foreign_text(text.substr(offset_of(text, characters - tail)));
    return result;
}

std::string head(std::string_view text, std::size_t limit) {
    if (width(text) <= limit)
        return base::foreign_text(text);
    return base::foreign_text(text.substr(0, offset_of(text, limit > 3 ? limit - 3 : 0))) + "...";
}

std::string range_list(const analysis::RankList& ranks) {
    std::string list;
    for (const analysis::RankList::Range& range : ranks.ranges()) {
        list += (list.empty() ? "" : ", ") + std::to_string(range.first);
        if (range.last > range.first)
            list += "-" + std::to_string(range.last);
    }
    return list;
}

std::string ranks_text(const analysis::RankList& ranks) {
    return (ranks.count() == 1 ? "rank " : "ranks ") + range_list(ranks);
}

std::string date(std::uint64_t realtime_ns) {
    std::time_t time = static_cast<std::time_t>(realtime_ns / 1000000000);
    std::tm parts{};
    char text[64];
    if (!localtime_r(&time, &parts) || !asctime_r(&parts, text)) // asctime does not depend on the locale
        return "unknown";
    std::string_view line = text;
    return std::string(line.substr(0, line.find('\n')));
}

} // namespace vftr::report
