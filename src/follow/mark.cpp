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

// Threads of this process that are between mark and undo, and the process (upper half): a forked child begins at none.
std::atomic<std::uint64_t> executing{0};

std::uint64_t executing_here(std::uint64_t value) {
    auto process = static_cast<std::uint64_t>(own_pid()) << 32;
    return value >> 32 == process >> 32 ? value : process;
}

// A hook that a signal interrupted, in whose handler we may be, has its own view of the pause.
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
    if (static_cast<std::uint32_t>(executing.load()) != 0) // a thread that came meanwhile may have found the old mark
        write_mark();
}

// Cold, as all that a forked child runs that ends at once (record/threads/forked_path.cpp).
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
