// SPDX-License-Identifier: BSD-3-Clause
#include "vfd/merged_file.hpp"

#include "base/memory.hpp"
#include "vfd/header_fields.hpp"

#include <cstring>
#include <vector>

namespace vftr::vfd {

namespace {

SegmentHeader segment_of(SegmentKind kind, std::size_t bytes) {
    SegmentHeader header{};
    header.magic = SegmentMagic;
    header.kind = kind;
    header.capacity = base::round_to_pages(sizeof header + bytes);
    header.used = bytes;
    header.payload_offset = sizeof header;
    return header;
}

} // namespace

bool write_merged_file(const FileHeader& origin, std::span<const std::byte> profile, std::string_view config_json,
                       const std::function<bool(std::span<const std::byte>)>& write) {
    const SegmentHeader config_segment = segment_of(SegmentKind::Config, config_json.size()),
                        profile_segment = segment_of(SegmentKind::Profile, profile.size());
    FileHeader header = copy_of(origin);
    header.kind = FileKind::Merged;
    header.state = FileState::Sealed;
    header.threads = 0;
    header.flags &= ~static_cast<std::uint32_t>(FlagSampling | FlagAllEvents);
    if (header.end.realtime_ns == 0) // the profiles were merged before the end
        header.end = header.last[header.last_index & 1];
    header.file_end = origin.header_size + config_segment.capacity + profile_segment.capacity;

    // The profile may be large and is therefore not copied.
    std::vector<std::byte> front(header.file_end - profile_segment.capacity + sizeof profile_segment);
    std::memcpy(front.data(), &header, sizeof header);
    std::byte* const config = front.data() + origin.header_size;
    std::memcpy(config, &config_segment, sizeof config_segment);
    config_json.copy(reinterpret_cast<char*>(config + sizeof config_segment), config_json.size());
    std::memcpy(config + config_segment.capacity, &profile_segment, sizeof profile_segment);
    const std::vector<std::byte> padding(profile_segment.capacity - sizeof profile_segment - profile.size());
    return write(front) && write(profile) && write(padding);
}

} // namespace vftr::vfd
