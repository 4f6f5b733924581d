// SPDX-License-Identifier: BSD-3-Clause
#include "vfd/compact.hpp"

#include "vfd/estimate_columns.hpp"
#include "vfd/node_columns.hpp"
#include "vfd/segments.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace vftr::vfd {

namespace {

constexpr std::uint64_t Step = 64;
static_assert(sizeof(SegmentHeader) == Step);
const std::byte zeros[Step] = {};

std::uint64_t padded(std::uint64_t bytes) { return (bytes + Step - 1) / Step * Step; }

template <class T>
std::span<const std::byte> bytes_of(const T& value) {
    return std::as_bytes(std::span(&value, 1));
}

SegmentHeader of_thread(SegmentKind kind, std::uint32_t thread, std::uint32_t sequence) {
    SegmentHeader header{};
    header.kind = kind;
    header.thread = thread;
    header.sequence = sequence;
    return header;
}

// False for the parts of threads, which Compact takes from the views of the Image, and for segments that are not used
// any more.
bool is_copied_as_it_is(SegmentKind kind) {
    return kind != SegmentKind::Thread && kind != SegmentKind::Nodes && kind != SegmentKind::Stack &&
           kind != SegmentKind::Events && kind != SegmentKind::Packed && kind != SegmentKind::Free &&
           kind != SegmentKind::Estimates && kind != SegmentKind::NodeColumns && kind != SegmentKind::EstimateColumns;
}

} // namespace

Compact::Compact(const Image& image, const FileHeader& header, std::vector<std::byte> more_names) : header_(header) {
    header_.page_size = Step;
    header_.header_size = static_cast<std::uint32_t>(padded(sizeof header_));
    add_bytes(bytes_of(header_));
    pad();
    for (const Segment& segment : image.segments())
        if (is_copied_as_it_is(kind_of(*segment.header)) && !segment.payload.empty())
            add(*segment.header, segment.payload);
    if (!more_names.empty()) {
        SegmentHeader like{};
        like.kind = SegmentKind::Names;
        names_ = std::move(more_names);
        add(like, names_);
    }
    for (const ThreadView& thread : image.threads())
        add_thread(thread);
    header_.file_end = size_;
    header_.threads = static_cast<std::uint32_t>(image.threads().size());
}

void Compact::add_bytes(std::span<const std::byte> bytes) {
    parts_.push_back(bytes);
    size_ += bytes.size();
}

void Compact::pad() {
    if (std::uint64_t rest = padded(size_) - size_)
        add_bytes({zeros, rest});
}

void Compact::begin(SegmentHeader header, std::uint64_t used) {
    header.magic = SegmentMagic;
    header.capacity = sizeof header + padded(used);
    header.used = used;
    header.payload_offset = sizeof header;
    header.writer_private[0] = header.writer_private[1] = 0;
    add_bytes(bytes_of(headers_.emplace_back(header)));
}

void Compact::add(const SegmentHeader& like, std::span<const std::byte> payload) {
    begin(like, payload.size());
    add_bytes(payload);
    pad();
}

void Compact::add_columns(SegmentHeader like, std::size_t count, std::vector<std::byte> columns) {
    like.arg0 = count;
    like.flags = packer_.pack(columns);
    add(like, columns_.emplace_back(std::move(columns)));
}

void Compact::add_thread(const ThreadView& thread) {
    ThreadRecord& record = records_.emplace_back(*thread.record);
    record.node_count = thread.node_count;
    record.depth = static_cast<std::uint32_t>(thread.stack.size());
    add(of_thread(SegmentKind::Thread, record.index, 0), bytes_of(record));
    if (thread.node_count != 0)
        add_columns(of_thread(SegmentKind::NodeColumns, record.index, 0), thread.node_count, node_columns(thread));
    if (!thread.estimates.empty())
        add_columns(of_thread(SegmentKind::EstimateColumns, record.index, 0), thread.estimates.size(),
                    estimate_columns(thread.estimates));
    if (!thread.stack.empty())
        add(of_thread(SegmentKind::Stack, record.index, record.stack_sequence), std::as_bytes(thread.stack));
    for (const Segment& events : thread.events)
        if (!events.payload.empty())
            add(*events.header, events.payload);
}

bool Compact::write(const std::function<bool(std::span<const std::byte>)>& write) const {
    return std::ranges::all_of(parts_, write);
}

} // namespace vftr::vfd
