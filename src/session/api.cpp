// SPDX-License-Identifier: BSD-3-Clause
//
// The public C API (include/vftrace.h) and what MPI_Pcontrol calls.
#include "vftrace.h"

#include "base/compiler.hpp"
#include "base/errno_preserved.hpp"
#include "base/message.hpp"
#include "base/own_stack.hpp"
#include "record/entries/named.hpp"
#include "record/hot/reentrancy_guard.hpp"
#include "record/hot/slow_path.hpp"
#include "record/pause.hpp"
#include "record/recorder.hpp"
#include "session/call_stack.hpp"
#include "session/results/snapshot.hpp"
#include "session/session.hpp"

#include <atomic>
#include <cstdlib>
#include <string>

using vftr::record::Left;
using vftr::vfd::NodeKind;

namespace {

void report_region_once(const char* name, const char* trouble) {
    static std::atomic_flag reported = ATOMIC_FLAG_INIT;
    if (!reported.test_and_set())
        vftr::base::warn("vftrace_region_end(\"", name ? name : "", "\"): ", trouble,
                         " (further ones are not reported)");
}

constexpr std::size_t StackToCopy = 8 << 20; // bytes

struct SnapshotJob {
    const char* path;
    std::string problem;
};
void write_snapshot(void* data) {
    auto& job = *static_cast<SnapshotJob*>(data);
    job.problem = vftr::session::write_snapshot(job.path);
}

} // namespace

extern "C" {

VFTR_PUBLIC void vftrace_region_begin(const char* name) {
    if (std::uint64_t key = vftr::record::intern(name, NodeKind::Region))
        vftr::record::enter_named(key, NodeKind::Region, reinterpret_cast<std::uint64_t>(__builtin_dwarf_cfa()));
}

VFTR_PUBLIC void vftrace_region_end(const char* name) {
    std::uint64_t key = vftr::record::intern(name, NodeKind::Region);
    if (key == 0)
        return;
    Left left = vftr::record::leave_named(key);
    if (left == Left::NotOpen)
        report_region_once(name, "no such region is open on this thread");
    else if (left == Left::Crossed)
        report_region_once(name, "regions that began later are still open");
}

VFTR_PUBLIC char* vftrace_get_stack(void) { return vftr::base::preserving_errno(vftr::session::current_call_path); }

VFTR_PUBLIC int vftrace_snapshot(const char* path) {
    using namespace vftr;
    if (!path || !*path)
        return VFTRACE_INVALID;
    if (!session::running() || record::embedded() || !record::recorder.writer.created())
        return VFTRACE_OFF;
    const base::ErrnoPreserved preserved;
    SnapshotJob job{path, ""};
    {
        record::HeldGuard held;
        base::on_own_stack(StackToCopy, base::Signals::Blocked, write_snapshot, &job);
    }
    if (job.problem.empty())
        return VFTRACE_OK;
    base::warn("vftrace_snapshot: ", job.problem);
    return VFTRACE_CANNOT_WRITE;
}

VFTR_PUBLIC void vftrace_pause(void) { vftr::session::pause(); }

VFTR_PUBLIC void vftrace_resume(void) { vftr::session::resume(); }

} // extern "C"

namespace vftr::session {

void pause() {
    if (!running())
        return;
    record::pause_all();
    record::pause_here();
}

void resume() {
    if (!running())
        return;
    record::resume_all();
    record::resume_here();
}

void flush() {
    if (running())
        record::refresh_clock();
}

} // namespace vftr::session
