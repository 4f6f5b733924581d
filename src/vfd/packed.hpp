// SPDX-License-Identifier: BSD-3-Clause
//
// Compresses and decompresses Packed segments (SegmentKind::Packed), one at a time, because a stream may be larger than
// memory.
#pragma once

#include "vfd/error.hpp"
#include "vfd/views.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace vftr::vfd {

// No segment is packed that is larger than this, so that no file can make its reader allocate more memory for it.
inline constexpr std::size_t MostUnpackedBytes = std::size_t{16} << 20;

// Compresses with libzstd, if it can be loaded.
class Packer {
public:
    Packer();
    ~Packer();
    Packer(const Packer&) = delete;
    Packer& operator=(const Packer&) = delete;

    // True if libzstd was loaded.
    bool works() const { return context_ != nullptr; }
    static std::size_t room_for(std::size_t bytes);
    // Compresses at most MostUnpackedBytes into `to`, which should have room_for bytes. Returns the number of
    // compressed bytes, or 0 if that is not possible.
    std::size_t pack(std::span<const std::byte> from, std::span<std::byte> to);

private:
    void* context_ = nullptr;
};

// Throws std::runtime_error if these threads of the recording `label` have packed segments and this process cannot
// unpack them, because their events would be missing.
void require_unpacking(std::span<const ThreadView> threads, const std::string& label);
// Returns nullptr if packed segments can be read here, else the reason why not.
const char* why_not_unpacked();
// Unpacks the payload into `out`. Returns false, with `out` empty, if it is damaged or larger than `most` or
// MostUnpackedBytes.
bool unpack(std::span<const std::byte> packed, std::vector<std::byte>& out, std::size_t most = MostUnpackedBytes);

} // namespace vftr::vfd
