// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <charconv>
#include <cstring>
#include <system_error>

namespace vftr::cli {

// Reads a number of the command line: all of the string, without spaces. Returns false, and leaves `number` unchanged,
// if it is no number or does not fit.
template <class Number>
bool parse_number(const char* text, Number& number) {
    const char* end = text + std::strlen(text);
    auto [stop, error] = std::from_chars(text, end, number);
    return error == std::errc{} && stop == end;
}

} // namespace vftr::cli
