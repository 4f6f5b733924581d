// SPDX-License-Identifier: BSD-3-Clause
//
// A field of comma-separated values by RFC 4180.
#pragma once

#include <string>
#include <string_view>

namespace vftr::exports {

inline std::string csv_field(std::string_view text) {
    if (text.find_first_of(",\"\r\n") == text.npos)
        return std::string(text);
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"')
            result += '"';
        result += c;
    }
    return result + '"';
}

} // namespace vftr::exports
