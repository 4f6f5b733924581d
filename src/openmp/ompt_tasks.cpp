// SPDX-License-Identifier: BSD-3-Clause
//
// Explicit tasks: what is done in a task belongs below the path where the task was made, whichever thread executes it
// and wherever that thread stands (in a barrier, at a taskwait).
//
// Tasks nest on a thread's stack. The runtime reports that a thread goes from one task to another, but not whether the
// other one begins (on top of the stack) or is the one below. It is the one below if the first task is complete, or if
// the first task is untied and only this part of it ends. The next part of such a task may begin on another thread, or
// deeper on the stack of this one, before this part has returned; therefore only the thread itself knows which tasks
// are on its stack.
//
// The end of an untied task is reported by the thread of the part that returns last, and this may be an earlier part
// than the last one. That thread then has the task no longer on its stack, and the thread that executed the last part
// gets no report.
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
    WorkContext context; // the value of `data`, which may be freed when the task is over
};

// The tasks on this thread's stack. Only the innermost ones are stored; of the outer ones only the number is known.
class Tasks {
public:
    void push(const Task& task, bool attributed) {
        tasks_[depth_ % Room] = task;
        attached_ = attributed ? attached_ | bit(depth_) : attached_ & ~bit(depth_);
        ++depth_;
        known_ = std::min(known_ + 1, Room);
    }
    // Returns whether the thread was attributed to the task that was on top.
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
        return known_ == 0 && depth_ != 0; // an assumption: the task that ends is the one on top
    }
    // The task on top, if it is stored and the thread is attributed to it.
    const Task* attached_top() const {
        return known_ != 0 && attached_ & bit(depth_ - 1) ? &tasks_[(depth_ - 1) % Room] : nullptr;
    }
    bool has_known() const { return known_ != 0; }

private:
    // Each byte here takes space in every stack of every thread, because the library is loaded with all programs.
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

// Whether this event begins `next` on top of the stack. Implicit tasks have no context of vftrace and do not begin this
// way. If the runtime keeps no queue, a task follows itself: first one of its parts ends, and then the next one begins.
bool begins(const ompt_data_t* prior, ompt_task_status_t status, const ompt_data_t* next) {
    if (is_over(status) || !handed_to(next).is_ours())
        return false;
    if (prior == next)
        return !tasks.is_top(prior);
    return status == ompt_task_yield || !handed_to(prior).is(WorkContext::Untied) || !tasks.second(next);
}

// The tasks of a taskloop are located at the taskloop.
std::uint64_t key_of(const void* code) {
    if (left_to_ompt(code))
        if (const std::uint64_t loop = open_construct(vfd::Construct::Taskloop))
            code = reinterpret_cast<const void*>(vfd::address_of(loop, vfd::NodeKind::OpenMp));
    return record::construct_key(vfd::Construct::Task, in_the_program(code));
}

// Whether the calling thread has left everything that it entered since it was attributed to its present work.
bool is_innermost_attributed_work() {
    const record::ThreadState& state = *record::materialized_thread();
    return record::is_ready(state) && state.nodes[state.top->node].kind == vfd::NodeKind::AttributedWork;
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
    record::end_attributed_work(place, 1); // 1: becomes the time of the latest event, which was the part's
    return true;
}

void on_task_schedule(ompt_data_t* prior, ompt_task_status_t status, ompt_data_t* next) {
    if (status == ompt_task_early_fulfill || status == ompt_task_late_fulfill)
        return; // no thread changes its task
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
            tasks.pop(); // their ends were not reported
        // The runtime reports the end of a part before the program's function for that part has returned, so entries
        // made in it continue.
        if (tasks.pop())
            record::end_attributed_work(task.place(), 0, is_over(status) ? record::Above::Gone : record::Above::GoesOn);
    }
}

} // namespace vftr::openmp
