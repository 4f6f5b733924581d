// SPDX-License-Identifier: BSD-3-Clause
//
// The CRC-32 of IEEE 802.3, as .gnu_debuglink uses it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace vftr::symbols {

namespace detail {
constexpr std::array<std::uint32_t, 256> make_crc32_table() {
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
        std::uint32_t value = byte;
        for (int bit = 0; bit < 8; ++bit)
            value = (value >> 1) ^ ((value & 1) != 0 ? 0xedb88320u : 0u);
        table[byte] = value;
    }
    return table;
}
inline constexpr auto crc32_table = make_crc32_table();
} // namespace detail

// Returns the checksum of the bytes that `crc` covers (0: none) followed by these bytes.
inline std::uint32_t crc32(std::uint32_t crc, const unsigned char* bytes, std::size_t size) {
    crc = ~crc;
    for (std::size_t i = 0; i < size; ++i)
        crc = detail::crc32_table[(crc ^ bytes[i]) & 0xff] ^ (crc >> 8);
    return ~crc;
}

} // namespace vftr::symbols
