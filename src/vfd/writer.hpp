// SPDX-License-Identifier: BSD-3-Clause
//
// The writing side of a vfd file. A process has one writer, and its file grows segment by segment without locks.
// Writers get disjoint parts of the file by an atomic addition to the end of the file in the header. trim.cpp gives
// back what a segment did not need.
//
// Problems are never fatal: when the file cannot grow, lost() becomes true, one warning is printed, and segments are
// allocated in anonymous memory from then on, so that the profile stays complete. Only segments of events are refused
// then.
#pragma once

#include "vfd/path_backed_file.hpp"
#include "vfd/segment_table.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

namespace vftr::vfd {

class Writer {
public:
    // Creates `path` (absolute; it must not exist) and maps the header page. Returns 0 or errno; after an error the
    // header is in memory, lost() is true, and the caller has to print the warning. Where the file system supports
    // that, the file gets its name only after `fill` has written the initial values of the header.
    using Fill = void (*)(FileHeader& header, const void* data);
    int create(const char* path, Fill fill = nullptr, const void* data = nullptr);
    // Makes a recording that never has a file, as after a create that failed. Returns 0 or errno.
    int create_in_memory(Fill fill = nullptr, const void* data = nullptr);

    FileHeader& header() { return *header_; }
    bool lost() const { return !grows_.load(std::memory_order_relaxed); }
    bool created() const { return file_.created(); } // a file exists, which may be incomplete
    const char* path() const { return file_.path(); }
    // The number of the descriptor that stays open, or −1; and whether the file is still behind it.
    int kept_descriptor() const { return file_.kept(); }
    bool keeps(int descriptor) const { return file_.is_ours(descriptor); }
    // See PathBackedFile::whereabouts.
    const char* whereabouts(char* buffer, std::size_t bytes) { return file_.whereabouts(buffer, bytes); }

    // Returns a zeroed segment with room for payload_bytes, or nullptr if none can be allocated. If `payload_at` is
    // given (reserved address space, page-aligned), the payload is mapped there. Any thread may call it; it takes a few
    // system calls.
    SegmentHeader* allocate(SegmentKind kind, std::uint32_t thread, std::uint32_t sequence, std::size_t payload_bytes,
                            void* payload_at = nullptr);
    struct Wanted {
        SegmentKind kind; // not Events
        std::uint32_t thread, sequence;
        std::size_t payload_bytes;
        // Page-aligned reserved address space for the whole segment; nullptr: any address.
        void* address;
        SegmentHeader* segment; // result
    };
    static constexpr std::size_t MostTogether = 96;
    // Allocates several segments, of which those with an `address` must come last, with about as many system calls as
    // one takes. Returns false if not all of them could be allocated; then none is.
    bool allocate_together(std::span<Wanted> wanted);
    // The segment is complete and its owner does not use it any more: unmaps it, and keeps its part of the file. If a
    // Reading exists, the segment stays mapped (for good, but that is rare).
    void retire(SegmentHeader* segment);
    // Marks the data of the segment as superseded.
    static void discard(SegmentHeader* segment) {
        std::atomic_ref(segment->kind).store(SegmentKind::Free, std::memory_order_release);
    }
    // Discards and unmaps a segment that is not used any more. The file keeps its first page; the disk blocks of the
    // others are freed where the file system supports that.
    void release(SegmentHeader* segment);

    // At the end of the process: from now on nothing is added to the file, as if it were lost, but without a warning.
    // Returns false if a thread that has begun to add something does not finish in time.
    bool end_growth();
    // Retires a segment after end_growth, and removes what lies behind its used bytes: the file is truncated if this is
    // its last segment, else a hole is punched where the file system supports that. (No other mapping of the truncated
    // end may exist, because a store there would be fatal.)
    void retire_cut(SegmentHeader* segment);
    // Punches holes into all other event segments from `room` bytes behind their used bytes on. A thread that still
    // writes into a hole makes the file system allocate new blocks, so it should be asked to stop before it gets that
    // far.
    void trim_tails(std::uint64_t room);

    // While it exists, all segments that for_each shows stay mapped. For readers of the live memory.
    struct Reading : SegmentTable::Reading {
        explicit Reading(Writer& writer) : SegmentTable::Reading(writer.segments_) {}
    };

    // Moves the file and replaces what is at new_path. Returns 0 or errno. One thread at a time may call it; others may
    // allocate meanwhile.
    int rename(const char* new_path) { return file_.rename(new_path); }
    // Removes the file. Threads that still record go on in memory.
    void remove();

    // Calls visit(const SegmentHeader&, const std::byte* payload) for all mapped segments. May be called only while a
    // Reading exists.
    template <class Visit>
    void for_each(Visit visit) const {
        segments_.for_each(visit);
    }
    std::uint64_t mapped_bytes() const { return mapped_.load(std::memory_order_relaxed); }

    // For a forked child that uses the copies of its parent's segments for a moment: the file is not touched.
    void stay_in_memory() { grows_ = false; }
    // A forked child forgets its parent's file; the mappings do not exist in the child.
    void abandon();

private:
    struct Filling {
        Fill fill;
        const void* data;
    };
    void begin_header(void* page, Filling filling);
    void begin();
    int hold_header(Filling filling);
    void retire(SegmentHeader* segment, std::size_t mapped_bytes);
    // Marks a thread as adding to the file, if `good`; end_growth waits until no such mark is left.
    struct Growth {
        explicit Growth(Writer& writer) : growing(writer.growing_) { ++growing, good = writer.grows_.load(); }
        ~Growth() { --growing; }
        Growth(const Growth&) = delete;
        Growth& operator=(const Growth&) = delete;
        std::atomic<std::uint32_t>& growing;
        bool good;
    };

    int grow_and_map(std::uint64_t offset, std::size_t header_bytes, std::size_t payload_bytes, void* payload_at,
                     SegmentHeader** result);
    int grow_together(std::span<Wanted> wanted);
    void publish(std::uint32_t index, SegmentHeader* segment, const SegmentHeader& as, std::uint64_t offset,
                 void* payload_at = nullptr);
    SegmentHeader* allocate_in_memory(std::size_t header_bytes, std::size_t payload_bytes, void* payload_at);
    void lose(int error);

    FileHeader* header_ = nullptr;
    std::atomic<bool> grows_{false};        // the opposite of lost()
    std::atomic<std::uint32_t> growing_{0}; // number of threads that are about to add to the file
    std::atomic<std::uint64_t> mapped_{0};
    PathBackedFile file_;
    SegmentTable segments_;
};

template <class T>
T* payload(SegmentHeader* segment) {
    return reinterpret_cast<T*>(reinterpret_cast<std::byte*>(segment) + sizeof(SegmentHeader));
}

} // namespace vftr::vfd
