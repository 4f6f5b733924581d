// SPDX-License-Identifier: BSD-3-Clause
//
// The records of threads: they are made, used by one thread after the other, and released.
//
// A record takes three segments of the file, the address space of a tree, and a table. That is some twenty system
// calls, several times the twenty microseconds that a thread may cost. Therefore several records are made at a time,
// with the system calls of one. The first is made alone, since most programs have no second thread; readers do not show
// records that were made but never used.
//
// Programs that start thousands of short threads must not use up memory: beyond ReuseFrom threads, a new one takes over
// the record of an ended one with its tree. Nothing is lost: counts and times add up in that tree, and the event stream
// tells where another thread begins. Only the profile of the single thread is not separate any more; when it lived and
// where it came from is kept (vfd::ThreadLife) for that many threads.
#pragma once

#include "record/hot/thread_state.hpp"

namespace vftr::record {

struct TakenRecord {
    ThreadState* state; // nullptr: no memory, or too many threads at once
    bool reused;
};
TakenRecord take_record(std::uint64_t now);
void release_record(ThreadState& state);

// Takes the records of all ended threads, so that no other thread takes them over. They are linked by next_idle.
ThreadState* take_all_idle();

// The thread with this ThreadRecord::index; nullptr: there is none.
ThreadState* thread_of(std::uint32_t index);
// Makes the next event of every thread take the slow path.
void request_slow_path_of_all();

// For a forked child, and between unit tests.
void forget_records();

} // namespace vftr::record
