// SPDX-License-Identifier: BSD-3-Clause
//
// The writing side of a vfd file: one per process, grown segment by segment, without locks.
//
// Why no file descriptor stays open. Programs close descriptors they do not know (daemons), count them, or
// expect the next open to return 3. So the file is opened by its path for each growth, which is rare, and checked to be the
// same inode; mappings do not need the descriptor.
//
// Trouble is never fatal: when the file cannot grow, `lost()` becomes true, one warning is printed, and segments come from
// anonymous memory from then on, so that the profile stays complete; only segments of events are then refused.
#pragma once

#include "vfd/format.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

namespace vftr::vfd {

class Writer {
public:
    // Creates `path` (absolute; it must not exist) and maps the header page. 0, or errno: then the header is in memory and
    // lost() is true; the caller warns. Where the file system can do that, the file has no name before `fill` has written what
    // its header is to say from the beginning.
    using Fill = void (*)(FileHeader& header, const void* data);
    int create(const char* path, Fill fill = nullptr, const void* data = nullptr);
    // The recording is never to be in a file: as after a create that failed. 0, or errno.
    int create_in_memory(Fill fill = nullptr, const void* data = nullptr);

    FileHeader& header() { return *header_; }
    bool lost() const { return lost_.load(std::memory_order_relaxed); }
    bool created() const { return inode_ != 0; } // there is a file, complete or not
    const char* path() const { return path_.load(std::memory_order_acquire); }

    // A zeroed segment with room for payload_bytes; nullptr where there is none. With `payload_at` (reserved address
    // space, page-aligned) the payload lies there. Any thread; a few system calls.
    SegmentHeader* allocate(SegmentKind kind, std::uint32_t thread, std::uint32_t sequence,
                            std::size_t payload_bytes, void* payload_at = nullptr);
    struct Wanted {
        SegmentKind kind; // not Events
        std::uint32_t thread, sequence;
        std::size_t payload_bytes;
        void* place; // reserved address space, page-aligned, for the whole segment; nullptr: anywhere
        SegmentHeader* segment; // what it got
    };
    static constexpr std::size_t MostTogether = 96;
    // Some segments, those with a place last, for the system calls of about one. All, or none: false.
    bool allocate_together(std::span<Wanted> wanted);
    // The segment is complete and its owner does not look at it again: frees the address space, keeps the file's part.
    // While a Reading lives it stays mapped (and then for good: that is rare).
    void retire(SegmentHeader* segment);
    // The segment's data is superseded.
    static void discard(SegmentHeader* segment) { std::atomic_ref(segment->kind).store(SegmentKind::Free, std::memory_order_release); }
    // Likewise, and nobody looks at it again: the file keeps its first page, the disk gets back the rest where the file system can do that.
    void release(SegmentHeader* segment);

    // At the end of the process: nothing is added to the file any more, as where it is lost, but without a warning. False: a thread that has begun to
    // add something does not come to an end.
    bool end_growth();
    // As retire, after end_growth; what lies behind the used bytes goes: off the end of the file where it is the last segment, else, where
    // the file system can do that, out of the middle. (Nobody may have the end of the file mapped that is cut off: a store there would be
    // fatal.)
    void retire_cut(SegmentHeader* segment);
    // Likewise out of the middle what lies more than `room` bytes behind what is used of all other segments of events. A thread that is still
    // about to write gets new blocks where there was a hole; it had better be asked to stop before it comes so far.
    void give_back_tails(std::uint64_t room);

    // Keeps all segments that for_each shows mapped while it lives. For readers of the live memory.
    class Reading {
    public:
        explicit Reading(Writer& writer) : writer_(writer) { ++writer_.readers_; }
        ~Reading() { --writer_.readers_; }
        Reading(const Reading&) = delete;
        Reading& operator=(const Reading&) = delete;

    private:
        Writer& writer_;
    };

    // Moves the file, replacing what is there. 0 or errno. One thread at a time, others may allocate meanwhile.
    int rename(const char* new_path);
    // Threads that still record go on in memory.
    void remove();

    // Calls visit(const SegmentHeader&, const std::byte* payload) for all that is mapped. Only while a Reading lives.
    template <class Visit>
    void for_each(Visit visit) const {
        std::uint32_t count = count_.load(std::memory_order_acquire);
        for (std::uint32_t i = 0; i < count && i < MaxSegments; ++i)
            if (const SegmentHeader* s = entries_[i].header.load(); s && s != claimed())
                visit(*s, entries_[i].payload);
    }
    std::uint64_t mapped_bytes() const { return mapped_.load(std::memory_order_relaxed); }

    // In a forked child that goes on with copies of its parent's segments for a moment: the file is not touched.
    void stay_in_memory() { lost_ = true; }
    // A forked child forgets its parent's file; the memory is not there any more.
    void abandon();

private:
    static constexpr std::uint32_t MaxSegments = 65536;
    struct Entry {
        std::atomic<SegmentHeader*> header; // nullptr: free
        std::byte* payload;
    };
    // Stands in an entry that is being filled.
    static SegmentHeader* claimed() { return reinterpret_cast<SegmentHeader*>(1); }
    bool claim(std::uint32_t& index);
    struct Filling {
        Fill fill;
        const void* data;
    };
    int create_file(const char* path, std::size_t bytes, bool named, Filling filling);
    void begin_header(std::size_t bytes, Filling filling);
    void begin(const char* path);
    int hold_header(Filling filling);
    int open_same_file();
    template <class Use>
    void with_file(Use use);
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

    int grow_and_map(std::uint64_t offset, std::size_t header_bytes, std::size_t payload_bytes,
                     void* payload_at, SegmentHeader** result);
    int grow_together(std::span<Wanted> wanted);
    void publish(std::uint32_t index, SegmentHeader* segment, const SegmentHeader& as, std::byte* payload, std::uint64_t offset);
    SegmentHeader* allocate_in_memory(std::size_t header_bytes, std::size_t payload_bytes, void* payload_at);
    void lose(int error);

    FileHeader* header_ = nullptr;
    std::atomic<bool> lost_{true};
    std::atomic<std::uint32_t> count_{0};
    std::atomic<std::uint64_t> mapped_{0};
    std::uint64_t device_ = 0, inode_ = 0;
    std::atomic<std::uint32_t> readers_{0};
    std::atomic<std::uint32_t> growing_{0}; // threads that are about to add to the file
    std::atomic<const char*> path_{""}; // one of:
    char paths_[2][4096] = {};
    Entry entries_[MaxSegments] = {};
};

template <class T>
T* payload(SegmentHeader* segment) {
    return reinterpret_cast<T*>(reinterpret_cast<std::byte*>(segment) + sizeof(SegmentHeader));
}

} // namespace vftr::vfd
