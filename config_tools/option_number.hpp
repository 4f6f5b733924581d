// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <charconv>
#include <cstring>
#include <system_error>

namespace vftr::cli {

// A number on the command line: all of the text, without spaces. False, and `number` as it was, where it is none or
// does not fit.
template <class Number>
bool parse_number(const char* text, Number& number) {
    const char* end = text + std::strlen(text);
    auto [stop, error] = std::from_chars(text, end, number);
    return error == std::errc{} && stop == end;
}

} // namespace vftr::cli
