// SPDX-License-Identifier: BSD-3-Clause
//
// Explicit tasks: what is done in them belongs below the path where they were made, whoever executes them and wherever
// that one stands (in a barrier, at a taskwait).
//
// Tasks nest on a thread's stack. The runtime says that it goes from one to another, but not whether that one begins
// (on top of the stack) or is the one below. It is the one below when the first is complete, and where the first is
// untied and just this part of it ends. The next part of such a task may begin on another thread, or deeper on this
// one, before this part has returned: so what stands on a stack is known to its thread alone.
//
// The end of an untied task is told by the thread of the part that returns last, and this may be an earlier part than
// the last one: then that thread has it on its stack no more, and the one that executed the last part is told nothing.
#include "openmp/ompt_callbacks.hpp"
#include "openmp/open_construct.hpp"
#include "openmp/runtimes.hpp"
#include "openmp/unreported_part.hpp"
#include "openmp/work_context.hpp"
#include "record/entries/constructs.hpp"

#include <algorithm>

namespace vftr::openmp {

namespace {

struct Task {
    const ompt_data_t* data = nullptr;
    WorkContext context; // what was in `data`, which may be gone when the task is over
};

// The tasks on this thread's stack. Only the innermost ones are known; of those farther out, that they are there.
class Tasks {
public:
    void push(const Task& task, bool attributed) {
        tasks_[depth_ % Room] = task;
        attached_ = attributed ? attached_ | bit(depth_) : attached_ & ~bit(depth_);
        ++depth_;
        known_ = std::min(known_ + 1, Room);
    }
    // Whether its thread worked for the task that stood on top.
    bool pop() {
        if (depth_ == 0)
            return false;
        known_ -= known_ != 0;
        return attached_ & bit(--depth_);
    }
    bool is_top(const ompt_data_t* task) const { return is_at(1, task); }
    bool second(const ompt_data_t* task) const { return is_at(2, task); }
    bool holds(const ompt_data_t* task) const {
        for (std::uint32_t from_top = 1; from_top <= known_; ++from_top)
            if (is_at(from_top, task))
                return true;
        return known_ == 0 && depth_ != 0; // so it seems: what ends stands on top
    }
    // What stands on top, if it is known and its thread works for it.
    const Task* attached_top() const {
        return known_ != 0 && attached_ & bit(depth_ - 1) ? &tasks_[(depth_ - 1) % Room] : nullptr;
    }
    bool has_known() const { return known_ != 0; }

private:
    // Each byte here is one of every stack of a thread, as the library is loaded with all programs.
    static constexpr std::uint32_t Room = 8;
    static std::uint64_t bit(std::uint32_t depth) { return std::uint64_t{1} << depth % 64; }
    bool is_at(std::uint32_t from_top, const ompt_data_t* task) const {
        return known_ >= from_top && tasks_[(depth_ - from_top) % Room].data == task;
    }
    Task tasks_[Room] = {};
    std::uint64_t attached_ = 0;
    std::uint32_t depth_ = 0, known_ = 0;
};
constinit __thread Tasks tasks __attribute__((tls_model("initial-exec"))) = {};

bool is_over(ompt_task_status_t status) {
    return status == ompt_task_complete || status == ompt_task_cancel || status == ompt_task_detach;
}

WorkContext handed_to(const ompt_data_t* task) {
    return WorkContext(task ? __atomic_load_n(&task->value, __ATOMIC_RELAXED) : 0);
}

// Implicit tasks, which are not ours, do not begin this way. A task follows itself where the runtime keeps no queue:
// the end of a part, and then the begin of the next one.
bool begins(const ompt_data_t* prior, ompt_task_status_t status, const ompt_data_t* next) {
    if (is_over(status) || !handed_to(next).is_ours())
        return false;
    if (prior == next)
        return !tasks.is_top(prior);
    return status == ompt_task_yield || !handed_to(prior).is(WorkContext::Untied) || !tasks.second(next);
}

// The tasks of a taskloop are made where that stands.
std::uint64_t key_of(const void* code) {
    if (left_to_ompt(code))
        if (const std::uint64_t loop = open_construct(vfd::Construct::Taskloop))
            code = reinterpret_cast<const void*>(vfd::address_of(loop, vfd::NodeKind::OpenMp));
    return record::construct_key(vfd::Construct::Task, in_the_program(code));
}

// Whether nothing is open that the calling thread entered since it attached itself to what it works for.
bool is_innermost_attributed_work() {
    const record::ThreadState& state = *record::materialized_thread();
    return state.guard == record::GuardReady && state.nodes[state.top->node].kind == vfd::NodeKind::AttributedWork;
}

} // namespace

void on_task_create(ompt_data_t*, const ompt_frame_t* frame, ompt_data_t* created, int flags, int, const void* code) {
    record::CallInstance place{vfd::NoThread, vfd::NoNode, 0};
    if (flags & ompt_task_explicit && !(flags & ompt_task_taskwait))
        place = record::place_of_construct(key_of(code), stack_pointer_of(frame));
    if (!created)
        return;
    const WorkContext task(place);
    created->value = (flags & ompt_task_untied ? task.with(WorkContext::Untied) : task).value();
}

bool end_unreported_part(const ompt_data_t* present) {
    const Task* top = tasks.attached_top();
    if (!top || top->data == present || !top->context.is(WorkContext::Untied) || !is_innermost_attributed_work())
        return false;
    const record::CallInstance place = top->context.place();
    tasks.pop();
    record::end_attributed_work(place, 1); // 1: this becomes the time of the latest event, which was the part's
    return true;
}

void on_task_schedule(ompt_data_t* prior, ompt_task_status_t status, ompt_data_t* next) {
    if (status == ompt_task_early_fulfill || status == ompt_task_late_fulfill)
        return; // nobody goes anywhere
    if (prior != next) {
        const ompt_data_t* present = is_over(status) && !tasks.holds(prior) ? next : prior;
        while (end_unreported_part(present)) {
        }
    }
    if (begins(prior, status, next)) {
        WorkContext task = handed_to(next);
        const bool again = task.is(WorkContext::Started);
        task = task.with(WorkContext::Started);
        if (!again)
            __atomic_store_n(&next->value, task.value(), __ATOMIC_RELAXED);
        tasks.push({next, task}, task.has_place() && record::begin_attributed_work(task.place(), again));
    } else if (const WorkContext task = handed_to(prior); task.is_ours() && tasks.holds(prior)) {
        while (tasks.has_known() && !tasks.is_top(prior))
            tasks.pop(); // their ends were not told
        // The program's function of a part gives back what is left of the task before it returns itself.
        if (tasks.pop())
            record::end_attributed_work(task.place(), 0, is_over(status) ? record::Above::Gone : record::Above::GoesOn);
    }
}

} // namespace vftr::openmp
