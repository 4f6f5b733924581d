// SPDX-License-Identifier: BSD-3-Clause
#include "follow/mark.hpp"

#include "base/compiler.hpp"
#include "follow/process_role.hpp"
#include "record/header_totals.hpp"
#include "record/hot/reentrancy_guard.hpp"
#include "record/hot/thread_state.hpp"
#include "record/pause.hpp"
#include "record/recorder.hpp"

#include <atomic>
#include <cstdint>

namespace vftr::follow {

using record::Phase;
using record::recorder;
using vfd::FileState;

namespace {

// Lower half: how many threads of this process are between mark_executed() and undo_executed(). Upper half: the pid, by
// which a forked child recognises its parent's count and begins at 0.
std::atomic<std::uint64_t> executing{0};

std::uint64_t executing_here(std::uint64_t value) {
    auto process = static_cast<std::uint64_t>(own_pid()) << 32;
    return value >> 32 == process >> 32 ? value : process;
}

// Charges the pause of this thread up to now. Does nothing if the guard is held: then this may run in a signal handler
// that has interrupted a hook, and that hook accounts for the pause itself.
void charge_pause() {
    if (record::current->guard != record::GuardPaused)
        return;
    record::HeldGuard guard;
    record::charge_pause_here();
}

void stop_clock(vfd::FileHeader& header) {
    record::put_end(header);
    record::put_totals(header);
}

std::atomic_ref<FileState> state() { return std::atomic_ref(recorder.writer.header().state); }

void write_mark() {
    stop_clock(recorder.writer.header());
    FileState open = FileState::Open;
    state().compare_exchange_strong(open, FileState::Executed, std::memory_order_release);
}

} // namespace

bool mark_executed() {
    if (recorder.phase.load(std::memory_order_acquire) != Phase::Running || recorder.writer.lost())
        return false;
    charge_pause();
    std::uint64_t before = executing.load();
    while (!executing.compare_exchange_weak(before, executing_here(before) + 1))
        ;
    write_mark();
    return true;
}

void undo_executed() {
    std::uint64_t before = executing.load(), after;
    do
        after = executing_here(before) - 1;
    while (!executing.compare_exchange_weak(before, after));
    if (static_cast<std::uint32_t>(after) != 0 || recorder.phase.load() != Phase::Running)
        return;
    FileState executed = FileState::Executed;
    if (state().compare_exchange_strong(executed, FileState::Open))
        recorder.writer.header().end = {};
    // Another thread may have called mark_executed() meanwhile, and have found the mark that was just removed.
    if (static_cast<std::uint32_t>(executing.load()) != 0)
        write_mark();
}

// Cold, like all code that a forked child runs which ends at once (record/threads/forked_path.cpp).
VFTR_COLD void mark_exited(int status) {
    if (process_role() != ProcessRole::Recorded)
        return;
    vfd::FileHeader& header = recorder.writer.header();
    header.exit_status = status & 0xff;
    std::atomic_ref(header.flags).fetch_or(vfd::FlagExitStatus);
    mark_left();
}

void mark_left() {
    if (process_role() != ProcessRole::Recorded)
        return;
    FileState before = state().load();
    if (before != FileState::Open && before != FileState::Executed)
        return;
    charge_pause();
    stop_clock(recorder.writer.header());
    state().store(FileState::Exited, std::memory_order_release);
}

} // namespace vftr::follow
