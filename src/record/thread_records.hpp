// SPDX-License-Identifier: BSD-3-Clause
//
// The records of threads: made, used by one thread after the other, given back.
//
// A record takes three segments of the file, a tree's address space and a table: some twenty system calls, several
// times the twenty microseconds that a thread may cost. Therefore they are made some at a time, for the calls of one;
// the first alone, since most programs have no second thread, and what is made but never used is no thread to a reader.
//
// Programs that start thousands of short threads must not use up memory: beyond ReuseFrom threads a new one takes over
// the record of an ended one, tree and all. Nothing is lost: counts and times add up in that tree, and the event stream
// says where another thread begins. Only the profile of the single thread is then no longer apart; when it lived and
// where it came from is kept (vfd::ThreadLife), of so many threads.
#pragma once

#include "record/thread_state.hpp"

namespace vftr::record {

struct TakenRecord {
    ThreadState* state; // nullptr: no memory, or too many threads at once
    bool reused;
};
TakenRecord take_record(std::uint64_t now);
void release_record(ThreadState& state);

// Those of ended threads: no other thread takes them over any more. Linked by next_idle.
ThreadState* take_all_idle();

// In a forked child, and between unit tests.
void forget_records();

} // namespace vftr::record
