// SPDX-License-Identifier: BSD-3-Clause
//
// The table of the segments of the process's own file that are mapped. Threads add segments, retire them and visit all
// of them without a lock.
//
// Why entries are claimed first: making a segment and unmapping one take system calls, and meanwhile the entry is taken
// but shows no segment. A thread that retires a segment first hides its entry and then checks for readers; a reader
// first registers and then looks at the entries. Therefore at least one of the two sees the other, and a segment that a
// reader has found stays mapped, if necessary for good, which is rare.
#pragma once

#include "vfd/format.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace vftr::vfd {

class SegmentTable {
public:
    // While a Reading exists, all segments that for_each shows stay mapped.
    class Reading {
    public:
        explicit Reading(SegmentTable& table) : table_(table) { ++table_.readers_; }
        ~Reading() { --table_.readers_; }
        Reading(const Reading&) = delete;
        Reading& operator=(const Reading&) = delete;

    private:
        SegmentTable& table_;
    };

    // Takes an entry for a new segment; `put` or `free` must follow. Returns false if no entry is left.
    bool claim(std::uint32_t& index);
    // Writes the segment's header with the fields of `as`, and shows the segment. `offset` is its offset in the file,
    // or 0 if it is in memory only.
    void put(std::uint32_t index, SegmentHeader* segment, const SegmentHeader& as, std::byte* payload,
             std::uint64_t offset);
    void free(std::uint32_t index) { entries_[index].header.store(nullptr, std::memory_order_release); }
    // Hides a segment that was put. Returns true if it may be unmapped; then `free` must follow.
    bool hide(const SegmentHeader& segment);
    // Forgets all segments. Only one thread may call it, and there must be no readers.
    void clear();

    static std::uint32_t index_of(const SegmentHeader& segment) {
        return static_cast<std::uint32_t>(segment.writer_private[0]);
    }
    static std::uint64_t offset_of(const SegmentHeader& segment) {
        return (segment.writer_private[0] >> 32) * SmallestUnit;
    }

    // Calls visit(const SegmentHeader&, const std::byte* payload) for each segment. May be called only while a Reading
    // exists.
    template <class Visit>
    void for_each(Visit visit) const {
        std::uint32_t count = count_.load(std::memory_order_acquire);
        for (std::uint32_t i = 0; i < count && i < Most; ++i)
            if (const SegmentHeader* s = entries_[i].header.load(); s && s != claimed())
                visit(*s, entries_[i].payload);
    }

private:
    static constexpr std::uint32_t Most = 65536;
    // SegmentHeader::writer_private[0] holds the index of the segment's entry and, in the upper half, its offset in the
    // file in units of the smallest page size. If the entries held them, these 8 bytes each would take half a megabyte
    // in every process.
    static constexpr std::uint64_t SmallestUnit = 4096;
    struct Entry {
        std::atomic<SegmentHeader*> header; // nullptr: the entry is free
        std::byte* payload;
    };
    // Marks an entry that is being filled or emptied.
    static SegmentHeader* claimed() { return reinterpret_cast<SegmentHeader*>(1); }

    std::atomic<std::uint32_t> count_{0};
    std::atomic<std::uint32_t> readers_{0};
    Entry entries_[Most] = {};
};

} // namespace vftr::vfd
