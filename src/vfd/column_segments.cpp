// SPDX-License-Identifier: BSD-3-Clause
#include "vfd/column_segments.hpp"

#include "vfd/estimate_columns.hpp"
#include "vfd/node_columns.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace vftr::vfd {

namespace {

// In bytes. For less, loading the library would cost more than the disk space is worth.
constexpr std::size_t WorthPacking = 64 * 1024;

// Returns the columns of the segment, unpacked into `unpacked` if they are packed.
std::span<const std::byte> columns_of(const Segment& segment, const Source& source, std::vector<std::byte>& unpacked) {
    if (!(segment.header->flags & ColumnsPacked))
        return segment.payload;
    if (const char* why = why_not_unpacked())
        source.fail(segment.header, std::string("its call paths are compressed, and ") + why);
    source.require(unpack(segment.payload, unpacked, segment.payload.size() * MostPackedBy), segment.header,
                   "damaged call tree: its columns cannot be unpacked");
    return unpacked;
}

template <class Record>
Segment copy_of(std::optional<std::vector<Record>> records, const Segment& segment, SegmentKind kind,
                const Source& source, ThreadCopies& copies, std::deque<std::vector<Record>>& into) {
    source.require(records.has_value(), segment.header, "damaged call tree: its columns make no sense");
    SegmentHeader header = *segment.header;
    header.kind = kind;
    header.arg0 = 0;
    return {&copies.headers.emplace_back(header), std::as_bytes(std::span(into.emplace_back(std::move(*records))))};
}

} // namespace

std::uint16_t ColumnPacker::pack(std::vector<std::byte>& columns) {
    if (columns.size() < WorthPacking)
        return 0;
    if (!packer_)
        packer_.emplace();
    if (!packer_->works())
        return 0;
    std::vector<std::byte> packed(Packer::room_for(columns.size()));
    const std::size_t size = packer_->pack(columns, packed);
    if (size == 0 || size >= columns.size() || size * MostPackedBy < columns.size())
        return 0;
    packed.resize(size);
    columns = std::move(packed);
    return ColumnsPacked;
}

Segment read_columns(const Segment& segment, const Source& source, ThreadCopies& copies) {
    std::vector<std::byte> unpacked;
    const std::span<const std::byte> columns = columns_of(segment, source, unpacked);
    const std::uint64_t count = segment.header->arg0;
    if (segment.header->kind == SegmentKind::NodeColumns)
        return copy_of(nodes_of_columns(columns, count), segment, SegmentKind::Nodes, source, copies, copies.trees);
    return copy_of(estimates_of_columns(columns, count), segment, SegmentKind::Estimates, source, copies,
                   copies.estimates);
}

} // namespace vftr::vfd
