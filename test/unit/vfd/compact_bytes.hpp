// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "image_builder.hpp"
#include "vfd/compact.hpp"

namespace vftr::test {

inline Bytes compact_bytes(const vfd::Image& image) {
    const vfd::Compact compact(image, image.header());
    Bytes bytes;
    compact.write([&](std::span<const std::byte> part) {
        bytes.insert(bytes.end(), part.begin(), part.end());
        return true;
    });
    if (bytes.size() != compact.size())
        throw std::logic_error("the size of a compact recording");
    return bytes;
}

} // namespace vftr::test
