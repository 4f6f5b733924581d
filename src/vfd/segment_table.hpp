// SPDX-License-Identifier: BSD-3-Clause
//
// Which segments of the own file are mapped, for the threads that add some, retire some and look at all, without a
// lock.
//
// Why entries are claimed first. To make a segment takes system calls, and to unmap one too: meanwhile its entry is
// taken and shows nothing. Who retires a segment takes it out of sight and then looks for readers; a reader says that
// it is there and then looks at the entries. So one sees the other: what a reader found stays mapped, for good if it
// has to, which is rare.
#pragma once

#include "vfd/format.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace vftr::vfd {

class SegmentTable {
public:
    // While it lives, all segments that for_each shows stay mapped.
    class Reading {
    public:
        explicit Reading(SegmentTable& table) : table_(table) { ++table_.readers_; }
        ~Reading() { --table_.readers_; }
        Reading(const Reading&) = delete;
        Reading& operator=(const Reading&) = delete;

    private:
        SegmentTable& table_;
    };

    // Takes an entry for a new segment. False: there is none. `put` or `free` follows.
    bool claim(std::uint32_t& index);
    // Writes the segment's header, with the fields of `as`, and shows it. `offset` in the file, 0: it is in memory.
    void put(std::uint32_t index, SegmentHeader* segment, const SegmentHeader& as, std::byte* payload,
             std::uint64_t offset);
    void free(std::uint32_t index) { entries_[index].header.store(nullptr, std::memory_order_release); }
    // Takes a segment that was put out of sight. True: it may be unmapped, and then `free` follows.
    bool hide(const SegmentHeader& segment);
    // Forgets all of them. One thread, no readers.
    void clear();

    static std::uint32_t index_of(const SegmentHeader& segment) {
        return static_cast<std::uint32_t>(segment.writer_private[0]);
    }
    static std::uint64_t offset_of(const SegmentHeader& segment) {
        return (segment.writer_private[0] >> 32) * SmallestUnit;
    }

    // Calls visit(const SegmentHeader&, const std::byte* payload) for each. Only while a Reading lives.
    template <class Visit>
    void for_each(Visit visit) const {
        std::uint32_t count = count_.load(std::memory_order_acquire);
        for (std::uint32_t i = 0; i < count && i < Most; ++i)
            if (const SegmentHeader* s = entries_[i].header.load(); s && s != claimed())
                visit(*s, entries_[i].payload);
    }

private:
    static constexpr std::uint32_t Most = 65536;
    // SegmentHeader::writer_private[0] holds the index of the segment's entry and, above it, its offset in the file in
    // units of the smallest page. In the entries, 8 bytes each would be half a megabyte of every process.
    static constexpr std::uint64_t SmallestUnit = 4096;
    struct Entry {
        std::atomic<SegmentHeader*> header; // nullptr: free
        std::byte* payload;
    };
    // Stands in an entry that is being filled or emptied.
    static SegmentHeader* claimed() { return reinterpret_cast<SegmentHeader*>(1); }

    std::atomic<std::uint32_t> count_{0};
    std::atomic<std::uint32_t> readers_{0};
    Entry entries_[Most] = {};
};

} // namespace vftr::vfd
