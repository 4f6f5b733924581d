// SPDX-License-Identifier: BSD-3-Clause
//
// LEB128 stores unsigned numbers with 7 bits a byte, low bits first. Zigzag coding maps signed numbers to unsigned
// ones, so that numbers near 0 are small.
#pragma once

#include <cstddef>
#include <cstdint>

namespace vftr::base {

inline constexpr std::size_t MostLeb128Bytes = 10;

// put_leb128() for numbers of any length.
inline std::uint8_t* put_long_leb128(std::uint8_t* out, std::uint64_t value) {
    while (value >= 0x80) {
        *out++ = static_cast<std::uint8_t>(value | 0x80);
        value >>= 7;
    }
    *out++ = static_cast<std::uint8_t>(value);
    return out;
}

// Returns a pointer behind the number. The buffer must have room for one byte more than the number takes.
inline __attribute__((always_inline)) std::uint8_t* put_leb128(std::uint8_t* out, std::uint64_t value) {
    if (__builtin_expect(value >= 0x4000, 0))
        return put_long_leb128(out, value);
    const std::uint64_t longer = value >= 0x80; // nearly always: stores two bytes and keeps one or both
    out[0] = static_cast<std::uint8_t>((value & 0x7f) | longer << 7);
    out[1] = static_cast<std::uint8_t>(value >> 7);
    return out + 1 + longer;
}

// get_leb128() for numbers of any length.
inline bool get_long_leb128(const std::uint8_t*& at, const std::uint8_t* end, std::uint64_t& value) {
    std::uint64_t bits = 0;
    value = 0;
    for (unsigned shift = 0; at != end && shift < 64; shift += 7) {
        const std::uint8_t byte = *at++;
        if (shift == 63 && byte > 1)
            return false;
        bits |= std::uint64_t{byte & 0x7fu} << shift;
        if (!(byte & 0x80)) {
            value = bits;
            return true;
        }
    }
    return false;
}

// Moves `at` behind the number. Returns false, and the number 0, if the number is truncated or does not fit 64 bits.
// Not as std::optional, which gcc 12 returns through memory such that the processor waits for it.
inline __attribute__((always_inline)) bool get_leb128(const std::uint8_t*& at, const std::uint8_t* end,
                                                      std::uint64_t& value) {
    if (__builtin_expect(end - at < 2 || (at[0] & at[1]) >= 0x80, 0))
        return get_long_leb128(at, end, value);
    const std::uint64_t longer = at[0] >> 7; // nearly always: takes one byte or two, without a branch
    value = (at[0] & 0x7fu) | (std::uint64_t{at[1]} << 7 & (0 - longer));
    at += 1 + longer;
    return true;
}

// `difference` is a difference modulo 2^64, taken as a signed number.
constexpr std::uint64_t zigzag(std::uint64_t difference) {
    return difference << 1 ^ static_cast<std::uint64_t>(static_cast<std::int64_t>(difference) >> 63);
}
constexpr std::uint64_t unzigzag(std::uint64_t coded) { return coded >> 1 ^ (~(coded & 1) + 1); }

} // namespace vftr::base
