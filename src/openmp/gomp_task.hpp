// SPDX-License-Identifier: BSD-3-Clause
//
// Explicit tasks. The thread that executes one must know whose call path it works for, and the runtime copies what the
// program gives it for the task (by the program's function, or as bytes). So it is given a larger block, which our
// functions fill and use: a head that says where the task was made, and behind it, at the alignment that is asked for,
// what the program has.
//
// A task that is executed at once by the thread that makes it needs no copy; it is a construct like others. Tasks that
// can be fulfilled from outside (detach) are not recorded: the runtime writes into the program's data by itself.
#pragma once

#include "openmp/gomp_region.hpp"

#include <cstddef>

namespace vftr::openmp {

using Copy = void(void*, void*);
using Ull = unsigned long long;

// At the start of the block.
struct TaskHead {
    Body* body;
    record::CallInstance place;
    std::size_t offset; // of the program's part of the block
};
// What the copy is made from.
struct TaskSource {
    TaskHead head;
    Copy* copy; // nullptr: bytes
    void* data;
    std::size_t size;
};

// A task of a loop has the bounds of its part in the first two words of its data, where the runtime puts them for each
// task; a third says where reductions are described.
template <typename Count>
struct LoopBounds {
    Count first, last;
    std::uintptr_t* reductions;
};
template <typename Count>
struct LoopTaskSource {
    LoopBounds<Count> bounds;
    TaskSource task;
};

class Task {
public:
    Task(const Call& call, Body*& body, void*& data, Copy*& copy, long& size, long& alignment, unsigned flags,
         bool deferred);
    void done() const;

private:
    std::uint64_t key_ = 0; // of one that is executed at once
    TaskSource source_;
};

template <typename Count>
class TaskLoop {
public:
    TaskLoop(const Call& call, Body*& body, void*& data, Copy*& copy, long& size, long& alignment, unsigned flags);
    void done() const {}

private:
    LoopTaskSource<Count> source_;
};

} // namespace vftr::openmp
