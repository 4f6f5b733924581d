// SPDX-License-Identifier: BSD-3-Clause
//
// Gives back what a segment does not need any more: its address space, its disk blocks, and its part at the end of the
// file.
//
// What each of these can break: unmapping can hit a reader of the live memory, so it is skipped while there are readers
// (SegmentTable). A hole harms nobody by itself, but a store into it needs new blocks, which may not be available;
// therefore only parts become holes to which nobody will write. Truncation can hit every thread that has the end of the
// file mapped and every thread that is about to add to it, hence end_growth. Moreover, no reader may at any time find a
// file that is shorter than its header says.
#include "vfd/writer.hpp"

#include "base/memory.hpp"
#include "base/sleep.hpp"
#include "vfd/blocks.hpp"

#include <sys/mman.h>
#include <unistd.h>

namespace vftr::vfd {

namespace {

// A range of file offsets.
struct Part {
    std::uint64_t begin, end;
    bool empty() const { return begin >= end; }
};

// Returns the pages that are more than `room` bytes behind the used bytes, or an empty part if the segment is in memory
// only.
Part tail_of(const SegmentHeader& segment, std::uint64_t room) {
    const std::uint64_t offset = SegmentTable::offset_of(segment);
    const std::uint64_t used =
        std::atomic_ref(const_cast<std::uint64_t&>(segment.used)).load(std::memory_order_acquire);
    return offset == 0
               ? Part{}
               : Part{offset + base::round_to_pages(segment.payload_offset + used + room), offset + segment.capacity};
}

void punch_hole(int fd, const Part& part) {
    if (!part.empty())
        free_blocks(fd, part.begin, part.end - part.begin);
}

} // namespace

void Writer::retire(SegmentHeader* segment) { retire(segment, segment->capacity); }

void Writer::retire(SegmentHeader* segment, std::size_t bytes) {
    const std::uint32_t index = SegmentTable::index_of(*segment);
    if (!segments_.hide(*segment))
        return;
    mapped_ -= bytes;
    munmap(segment, bytes);
    segments_.free(index);
}

void Writer::release(SegmentHeader* segment) {
    discard(segment);
    if (const std::uint64_t offset = SegmentTable::offset_of(*segment); offset != 0)
        file_.with([&](int fd) { punch_hole(fd, {offset + base::page_size(), offset + segment->capacity}); });
    retire(segment);
}

bool Writer::end_growth() {
    constexpr int Most = 100;
    grows_ = false;
    for (int i = 0; growing_.load() != 0; ++i) {
        if (i == Most)
            return false;
        base::sleep_microseconds(100);
    }
    return true;
}

void Writer::retire_cut(SegmentHeader* segment) {
    const std::size_t bytes = segment->capacity;
    if (const Part tail = tail_of(*segment, 0); !tail.empty())
        file_.with([&](int fd) {
            if (std::atomic_ref(header_->file_end).load() != tail.end)
                return punch_hole(fd, tail);
            std::atomic_ref(header_->file_end).store(tail.begin);
            std::atomic_ref(segment->capacity).store(bytes - (tail.end - tail.begin));
            if (ftruncate(fd, static_cast<off_t>(tail.begin)) != 0)
                punch_hole(fd, tail);
        });
    retire(segment, bytes);
}

void Writer::trim_tails(std::uint64_t room) {
    Reading reading(*this);
    file_.with([&](int fd) {
        for_each([&](const SegmentHeader& segment, const std::byte*) {
            if (std::atomic_ref(const_cast<SegmentKind&>(segment.kind)).load() == SegmentKind::Events)
                punch_hole(fd, tail_of(segment, room));
        });
    });
}

} // namespace vftr::vfd
