// SPDX-License-Identifier: BSD-3-Clause
#include "vfd/merged_file.hpp"

#include "base/memory.hpp"
#include "vfd/header_fields.hpp"

#include <cstring>

namespace vftr::vfd {

namespace {

void append_segment(std::vector<std::byte>& file, SegmentKind kind, std::span<const std::byte> payload) {
    SegmentHeader header{};
    header.magic = SegmentMagic;
    header.kind = kind;
    header.capacity = base::round_to_pages(sizeof header + payload.size());
    header.used = payload.size();
    header.payload_offset = sizeof header;
    std::size_t at = file.size();
    file.resize(at + header.capacity);
    std::memcpy(file.data() + at, &header, sizeof header);
    if (!payload.empty())
        std::memcpy(file.data() + at + sizeof header, payload.data(), payload.size());
}

} // namespace

std::vector<std::byte> merged_file(const FileHeader& origin, std::span<const std::byte> profile, std::string_view config_json) {
    FileHeader header = copy_of(origin);
    header.kind = FileKind::Merged;
    header.state = FileState::Sealed;
    header.threads = 0;
    header.flags &= ~static_cast<std::uint32_t>(FlagSampling | FlagAllEvents);
    if (header.end.realtime_ns == 0) // collated before the end
        header.end = header.last[header.last_index & 1];
    std::vector<std::byte> file(origin.header_size);
    append_segment(file, SegmentKind::Config, std::as_bytes(std::span(config_json)));
    append_segment(file, SegmentKind::Profile, profile);
    header.file_end = file.size();
    std::memcpy(file.data(), &header, sizeof header);
    return file;
}

} // namespace vftr::vfd
