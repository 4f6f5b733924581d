// SPDX-License-Identifier: BSD-3-Clause
//
// The writing side of a vfd file: one per process, grown segment by segment, without locks. Writers get disjoint parts
// of the file by adding to its end in the header; what a segment did not need goes back by trim.cpp.
//
// Trouble is never fatal: when the file cannot grow, `lost()` becomes true, one warning is printed, and segments come
// from anonymous memory from then on, so that the profile stays complete; only segments of events are then refused.
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
    // Creates `path` (absolute; it must not exist) and maps the header page. 0, or errno: then the header is in memory
    // and lost() is true; the caller warns. Where the file system can do that, the file has no name before `fill` has
    // written what its header is to say from the beginning.
    using Fill = void (*)(FileHeader& header, const void* data);
    int create(const char* path, Fill fill = nullptr, const void* data = nullptr);
    // The recording is never to be in a file: as after a create that failed. 0, or errno.
    int create_in_memory(Fill fill = nullptr, const void* data = nullptr);

    FileHeader& header() { return *header_; }
    bool lost() const { return lost_.load(std::memory_order_relaxed); }
    bool created() const { return file_.created(); } // there is a file, complete or not
    const char* path() const { return file_.path(); }
    // PathBackedFile::whereabouts.
    const char* whereabouts(char* buffer, std::size_t bytes) { return file_.whereabouts(buffer, bytes); }

    // A zeroed segment with room for payload_bytes; nullptr where there is none. With `payload_at` (reserved address
    // space, page-aligned) the payload lies there. Any thread; a few system calls.
    SegmentHeader* allocate(SegmentKind kind, std::uint32_t thread, std::uint32_t sequence, std::size_t payload_bytes,
                            void* payload_at = nullptr);
    struct Wanted {
        SegmentKind kind; // not Events
        std::uint32_t thread, sequence;
        std::size_t payload_bytes;
        void* place;            // reserved address space, page-aligned, for the whole segment; nullptr: anywhere
        SegmentHeader* segment; // what it got
    };
    static constexpr std::size_t MostTogether = 96;
    // Some segments, those with a place last, for the system calls of about one. All, or none: false.
    bool allocate_together(std::span<Wanted> wanted);
    // The segment is complete and its owner does not look at it again: frees the address space, keeps the file's part.
    // While a Reading lives it stays mapped (and then for good: that is rare).
    void retire(SegmentHeader* segment);
    // The segment's data is superseded.
    static void discard(SegmentHeader* segment) {
        std::atomic_ref(segment->kind).store(SegmentKind::Free, std::memory_order_release);
    }
    // Likewise, and nobody looks at it again: the file keeps its first page, the disk gets back the rest where the file
    // system can do that.
    void release(SegmentHeader* segment);

    // At the end of the process: nothing is added to the file any more, as where it is lost, but without a warning.
    // False: a thread that has begun to add something does not come to an end.
    bool end_growth();
    // As retire, after end_growth; what lies behind the used bytes goes: off the end of the file where it is the last
    // segment, else, where the file system can do that, out of the middle. (Nobody may have the end of the file mapped
    // that is cut off: a store there would be fatal.)
    void retire_cut(SegmentHeader* segment);
    // Likewise out of the middle what lies more than `room` bytes behind what is used of all other segments of events.
    // A thread that is still about to write gets new blocks where there was a hole; it had better be asked to stop
    // before it comes so far.
    void trim_tails(std::uint64_t room);

    // Keeps all segments that for_each shows mapped while it lives. For readers of the live memory.
    struct Reading : SegmentTable::Reading {
        explicit Reading(Writer& writer) : SegmentTable::Reading(writer.segments_) {}
    };

    // Moves the file, replacing what is there. 0 or errno. One thread at a time, others may allocate meanwhile.
    int rename(const char* new_path) { return file_.rename(new_path); }
    // Threads that still record go on in memory.
    void remove();

    // Calls visit(const SegmentHeader&, const std::byte* payload) for all that is mapped. Only while a Reading lives.
    template <class Visit>
    void for_each(Visit visit) const {
        segments_.for_each(visit);
    }
    std::uint64_t mapped_bytes() const { return mapped_.load(std::memory_order_relaxed); }

    // In a forked child that goes on with copies of its parent's segments for a moment: the file is not touched.
    void stay_in_memory() { lost_ = true; }
    // A forked child forgets its parent's file; the memory is not there any more.
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
    // A part of the file that is `good` for growing into: nobody ends growth meanwhile.
    struct Growth {
        explicit Growth(Writer& writer) : growing(writer.growing_) { ++growing, good = !writer.lost_.load(); }
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
    std::atomic<bool> lost_{true};
    std::atomic<std::uint32_t> growing_{0}; // threads that are about to add to the file
    std::atomic<std::uint64_t> mapped_{0};
    PathBackedFile file_;
    SegmentTable segments_;
};

template <class T>
T* payload(SegmentHeader* segment) {
    return reinterpret_cast<T*>(reinterpret_cast<std::byte*>(segment) + sizeof(SegmentHeader));
}

} // namespace vftr::vfd
