// SPDX-License-Identifier: BSD-3-Clause
//
// Explicit tasks. The thread that executes a task must know which call path it works for, and the runtime copies the
// data that the program passes for the task (by the program's function, or as bytes). Therefore the runtime gets a
// larger block, which functions of the library fill and use: first a head that says where the task was made, and after
// it, suitably aligned, the program's data.
//
// A task that the creating thread executes at once needs no copy; it is a construct like others. Tasks that can be
// completed from outside (detach) are not recorded, because the runtime itself writes into the program's data.
#pragma once

#include "openmp/gomp_region.hpp"

#include <cstddef>

namespace vftr::openmp {

using Copy = void(void*, void*);
using Ull = unsigned long long;

// The head at the start of the block.
struct TaskHead {
    Body* body;
    record::CallInstance place;
    std::size_t offset; // of the program's data in the block
};
// The source that the runtime's copy is made from.
struct TaskSource {
    TaskHead head;
    Copy* copy; // nullptr: the data is copied as bytes
    void* data;
    std::size_t size;
};

// A task of a taskloop has the bounds of its part in the first two words of its data; the runtime writes them for each
// task. The third word points to the description of reductions.
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
    std::uint64_t key_ = 0; // of a task that is executed at once
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
