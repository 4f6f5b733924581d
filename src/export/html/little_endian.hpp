// SPDX-License-Identifier: BSD-3-Clause
//
// Numbers in the byte order that the page's arrays have, whatever the machine's is.
#pragma once

#include <cstddef>
#include <string>

namespace vftr::exports {

template <class Word>
void append_little_endian(std::string& bytes, Word word) {
    for (std::size_t i = 0; i < sizeof word; ++i)
        bytes += static_cast<char>(word >> (8 * i) & 0xff);
}

} // namespace vftr::exports
