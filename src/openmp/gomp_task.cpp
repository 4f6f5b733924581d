// SPDX-License-Identifier: BSD-3-Clause
#include "openmp/gomp_task.hpp"

#include "openmp/program_text.hpp"

#include <algorithm>
#include <cstring>
#include <new>

namespace vftr::openmp {

namespace {

// Bits of the flags that gcc passes.
constexpr unsigned LoopIf = 1 << 10; // the tasks are not executed at once
constexpr unsigned Reduction = 1 << 12;
constexpr unsigned Detach = 1 << 13;

constinit Entry get_level;

char* part(void* block, std::size_t offset) { return static_cast<char*>(block) + offset; }

void fill(void* args, const TaskSource& source) {
    if (source.copy)
        source.copy(args, source.data);
    else if (source.size)
        std::memcpy(args, source.data, source.size);
}

void execute(const TaskHead& head, void* args) {
    const record::CallInstance place = head.place;
    const bool attributed = record::begin_attributed_work(place);
    run_text(head.body, args);
    if (attributed)
        record::end_attributed_work(place);
}

void copy_task(void* to, void* from) {
    const auto& source = *static_cast<const TaskSource*>(from);
    new (to) TaskHead(source.head);
    fill(part(to, source.head.offset), source);
}

void run_task(void* block) {
    const auto& head = *static_cast<const TaskHead*>(block);
    execute(head, part(block, head.offset));
}

template <typename Count>
struct LoopHead {
    LoopBounds<Count> bounds;
    TaskHead task;
};

template <typename Count>
void copy_loop_task(void* to, void* from) {
    const auto& source = *static_cast<const LoopTaskSource<Count>*>(from);
    new (to) LoopHead<Count>{source.bounds, source.task.head};
    fill(part(to, source.task.head.offset), source.task);
}

template <typename Count>
void run_loop_task(void* block) {
    const auto& head = *static_cast<const LoopHead<Count>*>(block);
    char* args = part(block, head.task.offset);
    std::memcpy(args, &head.bounds, 2 * sizeof(Count));
    execute(head.task, args);
}

// Describes the program's task, and enlarges its size by that of a head.
template <typename Head>
void describe(TaskSource& source, const record::CallInstance& place, Body* body, void* data, Copy* copy, long& size,
              long& alignment) {
    alignment = std::max(alignment, static_cast<long>(alignof(Head)));
    const std::size_t offset =
        (sizeof(Head) + static_cast<std::size_t>(alignment) - 1) & ~(static_cast<std::size_t>(alignment) - 1);
    source = {{body, place, offset}, copy, data, static_cast<std::size_t>(size)};
    size += static_cast<long>(offset);
}

} // namespace

Task::Task(const Call& call, Body*& body, void*& data, Copy*& copy, long& size, long& alignment, unsigned flags,
           bool deferred) {
    if (!call.records() || flags & Detach)
        return;
    if (!deferred) {
        key_ = call.with_text(reinterpret_cast<const void*>(body)).enter(Construct::Task);
        return;
    }
    const record::CallInstance place = call.with_text(reinterpret_cast<const void*>(body)).place_of(Construct::Task);
    if (place.thread == vfd::NoThread)
        return;
    describe<TaskHead>(source_, place, body, data, copy, size, alignment);
    body = run_task;
    data = &source_;
    copy = copy_task;
}

void Task::done() const {
    if (key_)
        record::leave_construct(key_);
}

template <typename Count>
TaskLoop<Count>::TaskLoop(const Call& call, Body*& body, void*& data, Copy*& copy, long& size, long& alignment,
                          unsigned flags) {
    // If the tasks are executed at once, the runtime copies all of them to the stack before the first one runs, and
    // without a copy function it does not copy them at all; such loops are not changed.
    if (!call.records() || !(flags & LoopIf) ||
        reinterpret_cast<int (*)()>(get_level.target("omp_get_level", call.code()))() == 0)
        return;
    const record::CallInstance place = call.with_text(reinterpret_cast<const void*>(body)).place_of(Construct::Task);
    if (place.thread == vfd::NoThread)
        return;
    if (flags & Reduction)
        source_.bounds.reductions = static_cast<const LoopBounds<Count>*>(data)->reductions;
    describe<LoopHead<Count>>(source_.task, place, body, data, copy, size, alignment);
    body = run_loop_task<Count>;
    data = &source_;
    copy = copy_loop_task<Count>;
}

template class TaskLoop<long>;
template class TaskLoop<Ull>;

} // namespace vftr::openmp
