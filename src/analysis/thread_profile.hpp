// SPDX-License-Identifier: BSD-3-Clause
//
// What a Profile knows of single threads: who created them, and how much each worked.
//
// Why not all. A profile that is merged over thousands of ranks must not grow with their number, so only the threads
// that were longest in recorded functions have a row; those of all are among those of each part, in whatever order
// parts are merged. The totals hold all.
//
// A row is a record of the file (vfd::ThreadRecord): of a program with thousands of short threads several ran one after
// the other in it, in one call tree, and their times cannot be told apart.
#pragma once

#include "vfd/format.hpp"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>

namespace vftr::analysis {

// Which record of all. By rank, then process, then index.
struct ThreadId {
    std::int32_t rank = 0;
    std::uint32_t process = 0; // pid: a rank's processes (fork) have threads of their own
    std::uint32_t index = 0;   // ThreadRecord::index; 0 is the thread that the process began with
    auto operator<=>(const ThreadId&) const = default;
};

// Times are nanoseconds; begin and end since the recording of the process began.
struct ThreadRow {
    ThreadId id;
    std::uint32_t tid = 0;                // the kernel's, of the latest thread
    std::uint32_t threads = 1;            // that used the record
    std::uint32_t parent = vfd::NoThread; // index of the creator's record in the same process; NoThread: not known, or
                                          // not the same for all
    std::uint32_t node = vfd::NoNode; // index into Profile::nodes of the call path that created it; NoNode: likewise
    std::string function;             // that it was started with; empty: likewise
    bool worker = false;              // of an OpenMP runtime
    std::uint64_t begin = 0, end = 0; // of the first, of the last
    std::uint64_t life = 0;           // of all, the cost of the hooks included
    std::uint64_t cpu = 0;            // of that, CPU time, as far as it is known
    std::uint64_t waiting = 0;        // of that, without a core although it could have run
    std::uint64_t in_functions = 0;   // of that, in recorded functions, without the cost of the hooks
    std::uint64_t calls = 0;
    auto operator<=>(const ThreadRow&) const = default;
};

// Sums over records.
struct ThreadSums {
    std::uint64_t records = 0, threads = 0, life = 0, cpu = 0, waiting = 0, in_functions = 0, calls = 0;
    std::uint64_t longest = 0; // the largest in_functions
    ThreadId longest_id;       // the lowest that has it
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

// The first thread of a process waits for the others where they work, and would hide how they share the work: it is
// apart.
struct ThreadTotals {
    ThreadSums first, started;
    void add(const ThreadRow& row) { (row.id.index == 0 ? first : started).add(row); }
    void add(const ThreadTotals& other) {
        first.add(other.first);
        started.add(other.started);
    }
};

constexpr std::size_t LongestThreads = 1000; // that have a row; by in_functions, then the lower id

} // namespace vftr::analysis
