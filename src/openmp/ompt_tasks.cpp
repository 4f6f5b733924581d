// SPDX-License-Identifier: BSD-3-Clause
//
// Explicit tasks: what is done in them belongs below the path where they were made, whoever executes them and wherever
// that one stands (in a barrier, at a taskwait).
//
// Tasks nest on a thread's stack. The runtime says that it goes from one to another, but not whether that one begins
// (on top of the stack) or is the one below. It is the one below when the first is complete, and where the first is
// untied and just this part of it ends. The next part of such a task may begin on another thread, or deeper on this
// one, before this part has returned: so what stands on a stack is known to its thread alone.
#include "openmp/ompt_callbacks.hpp"
#include "openmp/open_construct.hpp"
#include "openmp/runtimes.hpp"
#include "openmp/work_context.hpp"
#include "record/constructs.hpp"

namespace vftr::openmp {

namespace {

// The tasks on this thread's stack. Only the innermost ones are known; of those farther out, that they are there.
class Tasks {
public:
    void push(const ompt_data_t* task, bool attributed) {
        known_[depth_ % Known] = task;
        const std::uint64_t bit = std::uint64_t{1} << depth_ % 64;
        attached_ = attributed ? attached_ | bit : attached_ & ~bit;
        ++depth_;
    }
    // Whether its thread worked for the task that stood on top.
    bool pop() { return depth_ != 0 && (attached_ >> --depth_ % 64 & 1); }
    bool second(const ompt_data_t* task) const { return depth_ >= 2 && known_[(depth_ - 2) % Known] == task; }

private:
    static constexpr unsigned Known = 16;
    const ompt_data_t* known_[Known];
    std::uint64_t attached_;
    std::uint32_t depth_;
};
constinit __thread Tasks tasks __attribute__((tls_model("initial-exec"))) = {};

bool is_over(ompt_task_status_t status) {
    return status == ompt_task_complete || status == ompt_task_cancel || status == ompt_task_detach;
}

WorkContext handed_to(const ompt_data_t* task) {
    return WorkContext(task ? __atomic_load_n(&task->value, __ATOMIC_RELAXED) : 0);
}

// Implicit tasks, which are not ours, do not begin this way.
bool begins(const ompt_data_t* prior, ompt_task_status_t status, const ompt_data_t* next) {
    if (is_over(status) || !handed_to(next).is_ours())
        return false;
    return status == ompt_task_yield || !handed_to(prior).is(WorkContext::Untied) || !tasks.second(next);
}

// The tasks of a taskloop are made where that stands.
std::uint64_t key_of(const void* code) {
    if (left_to_ompt(code))
        if (const std::uint64_t loop = open_construct(vfd::Construct::Taskloop))
            code = reinterpret_cast<const void*>(vfd::address_of(loop, vfd::NodeKind::OpenMp));
    return record::construct_key(vfd::Construct::Task, in_the_program(code));
}

} // namespace

void on_task_create(ompt_data_t*, const ompt_frame_t* frame, ompt_data_t* created, int flags, int, const void* code) {
    record::CallPlace place{vfd::NoThread, vfd::NoNode, 0};
    if (flags & ompt_task_explicit && !(flags & ompt_task_taskwait))
        place = record::place_of_construct(key_of(code), stack_pointer_of(frame));
    if (!created)
        return;
    const WorkContext task(place);
    created->value = (flags & ompt_task_untied ? task.with(WorkContext::Untied) : task).value();
}

void on_task_schedule(ompt_data_t* prior, ompt_task_status_t status, ompt_data_t* next) {
    if (status == ompt_task_early_fulfill || status == ompt_task_late_fulfill)
        return; // nobody goes anywhere
    if (begins(prior, status, next)) {
        const WorkContext task = handed_to(next);
        if (!task.is(WorkContext::Started))
            __atomic_store_n(&next->value, task.with(WorkContext::Started).value(), __ATOMIC_RELAXED);
        tasks.push(next,
                   task.has_place() && record::begin_attributed_work(task.place(), task.is(WorkContext::Started)));
    } else if (const WorkContext task = handed_to(prior); task.is_ours() && tasks.pop()) {
        // The program's function of a part gives back what is left of the task before it returns itself.
        record::end_attributed_work(task.place(), 0, is_over(status) ? record::Above::Gone : record::Above::GoesOn);
    }
}

} // namespace vftr::openmp
