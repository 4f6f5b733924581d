// SPDX-License-Identifier: BSD-3-Clause
//
// Format (format.hpp): threads, their origin, and the threads that used a record before.
#pragma once

#include "vfd/format_file.hpp"

#include <cstddef>

namespace vftr::vfd {

inline constexpr std::uint32_t NoThread = 0xffffffff;

// The origin of a thread.
struct ThreadOrigin {
    std::uint32_t thread;   // ThreadRecord::index of its creator; NoThread: not known
    std::uint32_t node;     // the call path, in the creator's tree, that created it
    std::uint64_t function; // address of its start function, 0: not known
    std::uint64_t created;  // ticks when its creator requested it, 0: not known
};
static_assert(sizeof(ThreadOrigin) == 24);

enum ThreadFlags : std::uint32_t {
    ThreadOpenMp = 1, // a worker of an OpenMP runtime, which is idle outside of parallel regions
};

// A thread that used a record before another thread took it over.
struct ThreadLife {
    std::uint32_t tid;
    std::uint32_t flags;      // ThreadFlags
    std::uint64_t begin, end; // ticks, as in ThreadRecord
    ThreadOrigin origin;
};
static_assert(sizeof(ThreadLife) == 48);

struct ThreadRecord {
    std::uint32_t index;          // 0 = the first thread that was seen
    std::uint32_t tid;            // kernel's thread id
    std::uint64_t begin;          // ticks of its first event
    std::uint64_t end;            // ticks of its end, 0 while it lives
    std::uint64_t last;           // ticks of the latest timed event
    std::uint32_t depth;          // frames on the shadow stack, the root's included
    std::uint32_t node_count;     // call paths so far
    std::uint32_t stack_sequence; // sequence of the Stack segment that is valid
    std::uint32_t reused;         // number of threads that used this record before, one after the other
    std::uint64_t dropped;        // events inside a hook that a signal had interrupted
    std::uint64_t vanished;       // frames whose leave never came (longjmp, exception, end of the thread)
    std::uint64_t unmatched;      // leaves without an enter
    ThreadOrigin origin;          // origin of the latest thread
    std::uint32_t flags;          // ThreadFlags of the latest thread
    // The path of a count-only call that is above the shadow stack and has not called anything yet; 0: none.
    std::uint32_t count_only_node;
    // Ticks in which the thread measured the cost of the hooks (record/timing/hook_costs.hpp). They are in the own time
    // of its root.
    std::uint64_t sampling;

    // The following fields were added after version 8; they are 0 in files that lack them.

    // CPU time of the record's threads while they were recorded, as far as it was measured (record/timing/off_cpu.hpp).
    std::uint64_t cpu_ns;
    // Ticks in which the thread was ready to run but had no core. They are in no node's time.
    std::uint64_t preempted;
    // The tick count up to which cpu_ns covers the latest thread; 0: its CPU time was not measured.
    std::uint64_t cpu_until;
    // Ticks that one-time work of vftrace took (record/timing/one_time_work.hpp). They are in the own time of the root.
    std::uint64_t one_time_work;
    // Calls among the dropped events.
    std::uint64_t dropped_calls;
    // Calls of processes that use the thread's memory and thread-local data (record/threads/shared_thread.hpp).
    std::uint64_t shared_calls;
    // The part of the CPU time in which no CPU samples were taken (record/samples/samples.hpp), where any were.
    std::uint64_t unsampled_cpu_ns;
};
inline constexpr std::size_t ThreadRecordOfVersion8 = offsetof(ThreadRecord, cpu_ns); // size in bytes
static_assert(sizeof(ThreadRecord) <= 4096 - sizeof(SegmentHeader));

} // namespace vftr::vfd
