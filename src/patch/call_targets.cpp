// SPDX-License-Identifier: BSD-3-Clause
#include "patch/call_targets.hpp"

#include "base/memory.hpp"
#include "patch/code_segments.hpp"

#include <cstring>

namespace vftr::patch {

CallTargets::CallTargets(const record::LoadedObject& object) : start_(object.start) {
    const std::size_t bytes = object.end - object.start;
    if (bytes == 0 || bytes > MaxBytes || !(bits_ = static_cast<std::uint8_t*>(base::map_anonymous(bytes / 8 + 1))))
        return;
    bytes_ = bytes;
    for_each_segment(object, true, [&](std::uint64_t begin, std::uint64_t end) { note_calls(begin, end); });
}

CallTargets::~CallTargets() {
    if (bits_)
        base::unmap(bits_, bytes_ / 8 + 1);
}

void CallTargets::note_calls(std::uint64_t begin, std::uint64_t end) {
    constexpr std::size_t length = 5;
    while (begin + length <= end) {
        const void* call = std::memchr(reinterpret_cast<const void*>(begin), 0xe8, end - length + 1 - begin);
        if (!call)
            return;
        begin = reinterpret_cast<std::uint64_t>(call) + 1;
        if (const std::uint64_t place = reached_from(begin) - start_; place < bytes_)
            bits_[place / 8] |= static_cast<std::uint8_t>(1u << place % 8);
    }
}

} // namespace vftr::patch
