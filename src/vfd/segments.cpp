// SPDX-License-Identifier: BSD-3-Clause
#include "vfd/segments.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace vftr::vfd {

namespace {

constexpr std::uint32_t SmallestPage = 64, LargestPage = 1u << 24;

template <std::size_t N>
void terminate(char (&text)[N]) {
    text[N - 1] = 0;
}

bool known(ClockKind clock) { return clock >= ClockKind::Monotonic && clock <= ClockKind::Cntvct; }

bool is_cost(double ticks) { return std::isfinite(ticks) && ticks >= 0; }

void check_identity(const FileHeader& h, const Source& source) {
    static const char zeros[sizeof h.magic] = {};
    source.require(std::memcmp(h.magic, zeros, sizeof zeros) != 0, &h,
                   "its first page is empty: the recording had not begun");
    source.require(std::memcmp(h.magic, Magic, sizeof Magic) == 0, &h, "not a vfd file");
    if (h.version < OldestVersion || h.version > FormatVersion)
        source.fail(&h, "vfd format version " + std::to_string(h.version) +
                            ", of another version of vftrace; this program reads versions " +
                            std::to_string(OldestVersion) + " to " + std::to_string(FormatVersion));
}

void check_fields(const FileHeader& h, const Source& source) {
    auto require = [&](bool sound, const char* reason) { source.require(sound, &h, reason); };
    require(h.kind == FileKind::Process || h.kind == FileKind::Merged, "unknown kind of vfd file");
    require(h.state >= FileState::Open && h.state <= FileState::Exited, "damaged header: unknown state");
    require(h.page_size >= SmallestPage && h.page_size <= LargestPage && std::has_single_bit(h.page_size),
            "damaged header: bad page size");
    require(h.header_size >= sizeof(FileHeader) && h.header_size % h.page_size == 0, "damaged header: bad header size");
    require(h.rank >= -1 && h.size >= 0 && (h.size == 0 || h.rank < h.size), "damaged header: bad rank");
    require(std::isfinite(h.sample_interval) && is_cost(h.costs.timed) && is_cost(h.costs.inside) &&
                is_cost(h.costs.timed_long) && is_cost(h.costs.inside_long) && is_cost(h.costs.timed_rare) &&
                is_cost(h.costs.inside_rare) && is_cost(h.costs.folded) && is_cost(h.costs.count_only) &&
                is_cost(h.costs.count_only_apart) && is_cost(h.costs.nesting) && is_cost(h.costs.excluded),
            "damaged header: bad number");
    require(h.clock == ClockKind{} || known(h.clock), "damaged header: unknown clock");
}

} // namespace

FileHeader checked_header(const FileHeader& header, const Source& source) {
    FileHeader copy;
    std::memcpy(&copy, &header, sizeof copy);
    check_identity(copy, source);
    check_fields(copy, source);
    copy.last_index &= 1;
    terminate(copy.version_string);
    terminate(copy.basename);
    terminate(copy.executable);
    terminate(copy.hostname);
    terminate(copy.arguments);
    return copy;
}

Extent checked_extent(const SegmentHeader& s, std::uint64_t room, const FileHeader& header, const Source& source) {
    std::uint64_t capacity = s.capacity;
    source.require(capacity >= sizeof(SegmentHeader) && capacity % header.page_size == 0, &s,
                   "damaged segment: bad size");
    source.require(capacity <= room, &s, "the file is cut off: a segment reaches beyond its end");
    std::uint64_t offset = s.payload_offset == 0 ? sizeof(SegmentHeader) : s.payload_offset;
    source.require(offset >= sizeof(SegmentHeader) && offset <= capacity && offset % 8 == 0, &s,
                   "damaged segment: bad place of its payload");
    std::uint64_t used = published(s.used);
    source.require(used <= capacity - offset, &s, "damaged segment: more bytes used than it has");
    return {offset, used};
}

std::uint64_t next_segment_offset(std::uint64_t at, const FileHeader& header, const FileData& data) {
    at += header.page_size;
    return std::max(at, data.next(at) / header.page_size * header.page_size);
}

std::vector<Segment> find_segments(const FileHeader& header, const Source& source) {
    std::span<const std::byte> bytes = source.bytes();
    std::uint64_t end = bytes.size();
    if (header.state == FileState::Sealed) {
        // A writer that could not grow the file has counted segments that are not in it.
        bool lost = header.flags & FlagFileLost;
        source.require(lost || header.file_end <= end, &bytes[0],
                       "the file is cut off: it should have " + std::to_string(header.file_end) + " bytes and has " +
                           std::to_string(end));
        end = std::min(end, header.file_end);
    }
    std::vector<Segment> segments;
    std::uint64_t at = header.header_size, used = 0;
    while (at <= end && end - at >= sizeof(SegmentHeader)) {
        const auto& s = *reinterpret_cast<const SegmentHeader*>(bytes.data() + at);
        if (published(s.magic) != SegmentMagic) {
            at = next_segment_offset(at, header, source.data());
            continue;
        }
        Extent payload = checked_extent(s, end - at, header, source);
        used += payload.used;
        // A profile that is mostly a hole would make a reader allocate a hundred times the memory that the file takes
        // on the disk.
        const SegmentKind kind = kind_of(s);
        const bool whole = kind == SegmentKind::Profile || kind == SegmentKind::Config;
        source.require(source.data().may_hold(used) && (!whole || source.data().may_hold_whole(payload.used)), &s,
                       "damaged segment: more bytes used than the file has on the disk");
        segments.push_back({&s, bytes.subspan(at + payload.offset, payload.used)});
        at += segments.back().header->capacity;
    }
    return segments;
}

} // namespace vftr::vfd
