// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace vftr::symbols {

// Control characters become '?': no name and no path may break a line of the output.
inline std::string printable(std::string text) {
    for (char& c : text)
        if (static_cast<unsigned char>(c) < ' ' || c == '\x7f')
            c = '?';
    return text;
}

} // namespace vftr::symbols
