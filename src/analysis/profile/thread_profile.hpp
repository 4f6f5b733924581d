// SPDX-License-Identifier: BSD-3-Clause
//
// What a Profile knows of single threads: which thread created each, and how much each worked.
//
// Not every thread has a row, as a profile that is merged over thousands of ranks must not grow with their number. Only
// the threads that spent most time in recorded functions have one. The longest threads of the whole are among the
// longest of each part, so the result does not depend on the order of merging. The totals include all threads.
//
// A row stands for a record of the file (vfd::ThreadRecord). In a program with thousands of short threads, several of
// them use one record and its call tree one after the other, and their times cannot be told apart.
#pragma once

#include "vfd/format.hpp"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>

namespace vftr::analysis {

// Identifies a record in the whole job. Ordered by rank, then process, then index.
struct ThreadId {
    std::int32_t rank = 0;
    std::uint32_t process = 0; // pid, as a rank may have several processes (fork)
    std::uint32_t index = 0;   // ThreadRecord::index; 0 is the thread that the process began with
    auto operator<=>(const ThreadId&) const = default;
};

// Times are nanoseconds; `begin` and `end` are relative to the begin of the process's recording.
struct ThreadRow {
    ThreadId id;
    std::uint32_t tid = 0;                // the kernel's thread id, of the latest thread
    std::uint32_t threads = 1;            // number of threads that used the record
    std::uint32_t parent = vfd::NoThread; // index of the creator's record in the same process; NoThread: not known, or
                                          // not the same for all threads of the record
    std::uint32_t node = vfd::NoNode; // index into Profile::nodes of the call path that created it; NoNode: not known,
                                      // or not the same for all
    std::string function;             // its start function; empty: not known, or not the same for all
    bool worker = false;              // whether it is a worker of an OpenMP runtime
    std::uint64_t begin = 0, end = 0; // begin of the first thread, end of the last
    std::uint64_t life = 0;           // sum over these threads, with the cost of the hooks
    std::uint64_t cpu = 0;            // the part of `life` that is CPU time, as far as known
    std::uint64_t waiting = 0;        // the part of `life` without a core, although it could have run
    std::uint64_t in_functions = 0;   // the part of `life` in recorded functions, without the cost of the hooks
    std::uint64_t calls = 0;
    auto operator<=>(const ThreadRow&) const = default;
};

// Sums over records.
struct ThreadSums {
    std::uint64_t records = 0, threads = 0, life = 0, cpu = 0, waiting = 0, in_functions = 0, calls = 0;
    std::uint64_t longest = 0; // the largest in_functions
    ThreadId longest_id;       // the lowest id that has it
    void add(const ThreadRow& row) {
        add({1, row.threads, row.life, row.cpu, row.waiting, row.in_functions, row.calls, row.in_functions, row.id});
    }
    void add(const ThreadSums& other) {
        if (other.records &&
            (!records || other.longest > longest || (other.longest == longest && other.longest_id < longest_id))) {
            longest = other.longest;
            longest_id = other.longest_id;
        }
        records += other.records;
        threads += other.threads;
        life += other.life;
        cpu += other.cpu;
        waiting += other.waiting;
        in_functions += other.in_functions;
        calls += other.calls;
    }
    bool operator==(const ThreadSums&) const = default;
};

// The first thread of a process often waits for the others while they work, and would hide how evenly they share the
// work. So it has sums of its own.
struct ThreadTotals {
    ThreadSums first, started;
    void add(const ThreadRow& row) { (row.id.index == 0 ? first : started).add(row); }
    void add(const ThreadTotals& other) {
        first.add(other.first);
        started.add(other.started);
    }
};

// How many threads have a row: those with the largest in_functions, then the lower id.
constexpr std::size_t LongestThreads = 1000;

} // namespace vftr::analysis
