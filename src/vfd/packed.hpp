// SPDX-License-Identifier: BSD-3-Clause
//
// Packed segments (SegmentKind::Packed) as what they were made from. One at a time: a stream may be larger than memory.
#pragma once

#include "vfd/image.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace vftr::vfd {

// A segment is packed only up to this size, so that no file can ask its reader for more memory.
inline constexpr std::size_t MostUnpackedBytes = std::size_t{16} << 20;

// The compressed bytes: how many there are room for, and how many they became; 0: not possible. `work` is of the
// caller's making.
class Packer {
public:
    Packer();
    ~Packer();
    Packer(const Packer&) = delete;
    Packer& operator=(const Packer&) = delete;

    // Whether libzstd is there.
    bool works() const { return context_ != nullptr; }
    static std::size_t room_for(std::size_t bytes);
    // Of bytes up to MostUnpackedBytes into that much room. 0: not possible.
    std::size_t pack(std::span<const std::byte> from, std::span<std::byte> to);

private:
    void* context_ = nullptr;
};

// Throws std::runtime_error where the recording has packed segments and this machine cannot unpack any; their events
// would be missing.
void require_unpacking(const Image& image);
// nullptr: packed bytes can be read here.
const char* why_not_unpacked();
// The payload; false, and `out` is empty: damaged, or larger than `most` bytes or MostUnpackedBytes.
bool unpack(std::span<const std::byte> packed, std::vector<std::byte>& out, std::size_t most = MostUnpackedBytes);

} // namespace vftr::vfd
