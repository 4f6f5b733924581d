// SPDX-License-Identifier: BSD-3-Clause
//
// Writes bytes as base64 (RFC 4648) to another sink.
#pragma once

#include "export/sink.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace vftr::exports {

class Base64 {
public:
    explicit Base64(Sink& to) : to_(to) {}

    void add(std::span<const std::byte> bytes) {
        for (const std::byte byte : bytes) {
            group_ = group_ << 8 | static_cast<std::uint32_t>(byte);
            if (++held_ == 3)
                write_group();
        }
    }
    // Nothing may follow.
    void end() {
        if (held_ == 0)
            return;
        const int missing = 3 - held_;
        group_ <<= 8 * missing;
        held_ = 3;
        write_group(missing);
    }

private:
    void write_group(int missing = 0) {
        constexpr const char* Digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        char text[4];
        for (int i = 0; i < 4; ++i)
            text[i] = i >= 4 - missing ? '=' : Digits[group_ >> (18 - 6 * i) & 63];
        to_.text({text, sizeof text});
        group_ = 0;
        held_ = 0;
    }

    Sink& to_;
    std::uint32_t group_ = 0;
    int held_ = 0; // bytes of the group
};

} // namespace vftr::exports
