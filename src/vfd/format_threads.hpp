// SPDX-License-Identifier: BSD-3-Clause
//
// Format (format.hpp): threads, where they come from, and those that used a record before.
#pragma once

#include "vfd/format_file.hpp"

#include <cstddef>

namespace vftr::vfd {

inline constexpr std::uint32_t NoThread = 0xffffffff;

// Where a thread comes from.
struct ThreadOrigin {
    std::uint32_t thread;   // index of the ThreadRecord of its creator; NoThread: not known
    std::uint32_t node;     // the call path that created it, in that thread
    std::uint64_t function; // address of what it was started with, 0: not known
    std::uint64_t created;  // ticks when its creator asked for it, 0: not known
};
static_assert(sizeof(ThreadOrigin) == 24);

enum ThreadFlags : std::uint32_t {
    ThreadOpenMp = 1, // a worker of an OpenMP runtime: idle where it is not in a parallel region
};

// A thread that used a record before another took it over.
struct ThreadLife {
    std::uint32_t tid;
    std::uint32_t flags;      // ThreadFlags
    std::uint64_t begin, end; // ticks, as in ThreadRecord
    ThreadOrigin origin;
};
static_assert(sizeof(ThreadLife) == 48);

struct ThreadRecord {
    std::uint32_t index;           // 0 = the first thread that was seen
    std::uint32_t tid;             // kernel's thread id
    std::uint64_t begin;           // ticks of its first event
    std::uint64_t end;             // ticks of its end, 0 while it lives
    std::uint64_t last;            // ticks of the latest timed event
    std::uint32_t depth;           // frames on the shadow stack, the root's included
    std::uint32_t node_count;      // call paths so far
    std::uint32_t stack_sequence;  // sequence of the Stack segment in force
    std::uint32_t reused;          // threads that used this record before, one after the other
    std::uint64_t dropped;         // events inside a hook that a signal interrupted
    std::uint64_t vanished;        // frames that never left (longjmp, exception, thread exit)
    std::uint64_t unmatched;       // leaves without an enter
    ThreadOrigin origin;           // of the latest thread
    std::uint32_t flags;           // ThreadFlags, likewise
    std::uint32_t count_only_node; // the path of a count-only call that stands above the shadow stack and has called
                                   // nobody yet; 0: none
    std::uint64_t sampling; // ticks of its life in which it found out what hooks cost (record/hook_costs.hpp); in the
                            // own time of its root
    // Later than version 8; 0 in files that lack them.
    std::uint64_t
        cpu_ns; // CPU time of its threads while they were recorded, as far as it was asked for (record/off_cpu.hpp)
    std::uint64_t preempted; // ticks of its life in which it had no core although it could have run; in no node's time
    std::uint64_t
        cpu_until; // the moment up to which cpu_ns is that of the latest thread, ticks; 0: it was not asked for
    std::uint64_t one_time_work; // ticks of its life that took what we do now and then (record/one_time_work.hpp); in
                                 // the own time of its root
};
inline constexpr std::size_t ThreadRecordOfVersion8 = offsetof(ThreadRecord, cpu_ns); // bytes
static_assert(sizeof(ThreadRecord) <= 4096 - sizeof(SegmentHeader));

} // namespace vftr::vfd
