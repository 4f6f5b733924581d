// SPDX-License-Identifier: BSD-3-Clause
//
// A recorder without a session: its file lies in a directory of its own, threads begin by begin_thread(), and tests
// play the compiler with stack pointers of their choice.
#pragma once

#include "base/temporary_folder.hpp"
#include "record/entries/named.hpp"
#include "record/hot/enter_leave.hpp"
#include "record/hot/reentrancy_guard.hpp"
#include "record/hot/thread_state.hpp"
#include "record/pause.hpp"
#include "record/recorder.hpp"
#include "record/stream/ring_buffer.hpp"
#include "record/threads/thread_lifetime.hpp"
#include "record/threads/thread_records.hpp"
#include "vfd/image.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

extern "C" void __cyg_profile_func_enter(void*, void*);
extern "C" void __cyg_profile_func_exit(void*, void*);

namespace vftr::record::test {

class Recording {
public:
    explicit Recording(Settings settings = {}) {
        if (settings.event_buffer_bytes == 0)
            settings.event_buffer_bytes = 1 << 20;
        // The time that an emulator takes between two instructions of the program is no preemption of it.
        settings.cuts_preemptions_out = settings.cuts_preemptions_out && !std::getenv("EMULATED");
        recorder.settings = settings;
        REQUIRE(recorder.writer.create(folder_.file("run.tmpvfd").c_str()) == 0);
        base::Moment now = base::read_moment();
        vfd::FileHeader& header = recorder.writer.header();
        header.start = header.last[0] = header.last[1] = {now.ticks, now.monotonic_ns, now.realtime_ns};
        header.clock = vfd::ClockKind::Monotonic;
        header.flags |= (settings.sampling ? vfd::FlagSampling : 0u) | (settings.all_events ? vfd::FlagAllEvents : 0u) |
                        (uses_ring_buffer() ? vfd::FlagRingBuffer : 0u) | (settings.compress ? vfd::FlagPacked : 0u);
        recorder.names.create(&recorder.writer);
        recorder.modules.create(&recorder.writer);
        recorder.groups.create(&recorder.writer, vfd::SegmentKind::Groups);
        recorder.types.create(&recorder.writer, vfd::SegmentKind::Types);
        recorder.pause_key = recorder.names.intern("vftrace_pause", vfd::NodeKind::Pause);
        recorder.phase = Phase::Running;
    }
    ~Recording() {
        close_current_thread();
        recorder.phase = Phase::Idle;
        recorder.writer.remove();
        recorder.writer.abandon();
        forget_records();
        recorder.paused = false;
        recorder.interval_ticks = recorder.keep_ticks = 0;
        recorder.settings = {};
        recorder.timing.adaptive = false;
    }
    Recording(const Recording&) = delete;
    Recording& operator=(const Recording&) = delete;

    std::string path() const { return recorder.writer.path(); }
    vfd::Image live_image() const {
        std::vector<vfd::Segment> segments;
        vfd::Writer::Reading reading(recorder.writer);
        recorder.writer.for_each([&](const vfd::SegmentHeader& header, const std::byte* payload) {
            segments.push_back({&header, {payload, __atomic_load_n(&header.used, __ATOMIC_ACQUIRE)}});
        });
        return vfd::Image::of_memory(recorder.writer.header(), std::move(segments), "live");
    }

private:
    vftr::base::TemporaryFolder folder_;
};

// The calling thread, with a stack that begins at StackHigh.
class Thread {
public:
    static constexpr std::uint64_t StackLow = 0x1000, StackHigh = 0x100000;

    Thread() : state_(begin_thread()) {
        REQUIRE(state_);
        state_->own_stack = {StackLow, StackHigh};
        state_->own_stack_is_sure = true;
        state_->stack_low = StackLow;
        state_->stack_high = state_->frames->stack_pointer = StackHigh;
    }
    ThreadState& state() { return *state_; }

    // What the hooks do.
    void enter(std::uint64_t function, std::uint64_t stack_pointer, std::uint32_t call_site = 100,
               std::uint32_t hook_site = 0) {
        if (hook_site == 0)
            hook_site = static_cast<std::uint32_t>(function) + 4; // one hook call per function
        if (in_count_only_call(*state_))
            materialize_frame(*state_, stack_pointer);
        hold_guard(*state_, stack_pointer);
        record::enter(*state_, function, vfd::NodeKind::Function, {stack_pointer, call_site, hook_site});
    }
    void leave(std::uint64_t function, std::uint64_t stack_pointer, bool jumped = false) {
        if (end_count_only_call(*state_, function))
            return;
        if (in_count_only_call(*state_))
            materialize_frame(*state_, stack_pointer);
        hold_guard(*state_, stack_pointer);
        record::leave(*state_, function, stack_pointer, jumped);
    }
    void end() { end_thread(state_); }
    // All its time is that of functions.
    void end_and_add_up() {
        end();
        CHECK(sum_of_exclusive() == lifetime());
    }

    std::size_t depth() const { return static_cast<std::size_t>(state_->top - state_->frames); }
    std::uint64_t top_key() const { return state_->nodes[state_->top->node].key; }
    // Names of the open functions, outermost first.
    std::vector<std::uint64_t> open_keys() const {
        std::vector<std::uint64_t> keys;
        for (const vfd::Frame* frame = state_->frames + 1; frame <= state_->top; ++frame)
            keys.push_back(state_->nodes[frame->node].key);
        return keys;
    }
    std::uint32_t node_count() const { return state_->record->node_count; }
    const vfd::Node& node(std::uint32_t id) const { return state_->nodes[id]; }
    // Calls of a function over all paths.
    std::uint64_t calls(std::uint64_t key) const {
        std::uint64_t sum = 0;
        for (std::uint32_t id = 0; id < node_count(); ++id)
            sum += state_->nodes[id].key == key ? vfd::calls_of(state_->nodes[id]) : 0;
        return sum;
    }
    std::uint64_t sum_of_exclusive() const {
        std::uint64_t sum = 0;
        for (std::uint32_t id = 0; id < node_count(); ++id)
            sum += state_->nodes[id].exclusive;
        return sum;
    }
    std::uint64_t sum_of_exclusive(std::uint64_t key) const {
        std::uint64_t sum = 0;
        for (std::uint32_t id = 0; id < node_count(); ++id)
            sum += state_->nodes[id].key == key ? state_->nodes[id].exclusive : 0;
        return sum;
    }
    std::uint64_t lifetime() const {
        return state_->record->end - state_->record->begin - state_->record->preempted;
    } // while it had a core

private:
    ThreadState* state_;
};

// What tells us of the end of threads, once for the test program.
inline void know_thread_ends() { REQUIRE((ends_are_reported() || prepare_thread_ends())); }

using Keys = std::vector<std::uint64_t>;

// Waits until the clock has moved on.
inline void spend_time(std::uint64_t ticks = 1000) {
    std::uint64_t begin = base::read_ticks();
    while (base::read_ticks() - begin < ticks) {
    }
}

} // namespace vftr::record::test
