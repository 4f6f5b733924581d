// SPDX-License-Identifier: BSD-3-Clause
#include "vfd/segment_table.hpp"

#include <algorithm>

namespace vftr::vfd {

// Takes an unused entry or, if there are none, one whose segment was retired.
bool SegmentTable::claim(std::uint32_t& index) {
    auto take = [this, &index](std::uint32_t i) {
        SegmentHeader* expected = nullptr;
        index = i;
        return entries_[i].header.compare_exchange_strong(expected, claimed());
    };
    while (count_.load(std::memory_order_relaxed) < Most) {
        std::uint32_t fresh = count_.fetch_add(1);
        if (fresh < Most && take(fresh))
            return true;
    }
    for (std::uint32_t i = 0; i < Most; ++i)
        if (entries_[i].header.load(std::memory_order_relaxed) == nullptr && take(i))
            return true;
    return false;
}

void SegmentTable::put(std::uint32_t index, SegmentHeader* segment, const SegmentHeader& as, std::byte* payload,
                       std::uint64_t offset) {
    segment->kind = as.kind;
    segment->thread = as.thread;
    segment->sequence = as.sequence;
    segment->capacity = as.capacity;
    segment->payload_offset = as.payload_offset;
    segment->writer_private[0] = index | offset / SmallestUnit << 32;
    entries_[index].payload = payload;
    std::atomic_ref(segment->magic).store(SegmentMagic, std::memory_order_release);
    entries_[index].header.store(segment, std::memory_order_release);
}

bool SegmentTable::hide(const SegmentHeader& segment) {
    entries_[index_of(segment)].header.store(claimed());
    return readers_.load() == 0;
}

void SegmentTable::clear() {
    const std::uint32_t count = std::min(count_.load(), Most);
    for (std::uint32_t i = 0; i < count; ++i)
        entries_[i].header = nullptr;
    count_ = 0;
    readers_ = 0;
}

} // namespace vftr::vfd
