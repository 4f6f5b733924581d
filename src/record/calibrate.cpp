// SPDX-License-Identifier: BSD-3-Clause
//
// What a pair of hooks costs here and now: the hooks themselves, called on a thread state made for it.
#include "base/clock.hpp"
#include "base/memory.hpp"
#include "record/frames.hpp"
#include "record/gate.hpp"
#include "record/recorder.hpp"

#include <algorithm>

extern "C" void __cyg_profile_func_enter(void*, void*);
extern "C" void __cyg_profile_func_exit(void*, void*);

namespace vftr::record {

namespace {

constexpr int Pairs = 500, Rounds = 8;
constexpr std::size_t StreamBytes = Pairs * 2 * vfd::MaxEventBytes;

struct Scratch {
    ThreadState state;
    vfd::ThreadRecord record;
    vfd::Frame frames[4];
    vfd::Node nodes[2];
    vfd::SegmentHeader stream;
    std::uint8_t events[StreamBytes];
};

// The root and one callee that is its cached child.
void reset(Scratch& scratch) {
    ThreadState& state = scratch.state;
    state = {};
    scratch.nodes[0] = {};
    scratch.nodes[1] = {};
    scratch.nodes[1].key = 1;
    scratch.nodes[0].last_child = scratch.nodes[1].last_child = 1;
    scratch.frames[0] = {TopOfStack, 0, 0, 0, 0, 0, 0};
    state.record = &scratch.record;
    state.nodes = scratch.nodes;
    state.frames = state.top = scratch.frames;
    state.frames_end = scratch.frames + 4;
    state.stack_high = TopOfStack;
    bool every_event = recorder.settings.all_events;
    state.due = every_event ? 0 : TopOfStack;
    state.refresh_due = TopOfStack;
    state.stream = every_event ? StreamAll : StreamNone;
    state.event_segment = &scratch.stream;
    state.event_next = scratch.events;
    state.event_end = scratch.events + StreamBytes - vfd::MaxEventBytes;
    state.event_ticks = base::read_ticks();
    state.gate = state.open_value = GateReady;
}

std::uint64_t time_pairs(Scratch& scratch) {
    reset(scratch);
    ThreadState* before = current;
    current = &scratch.state;
    std::uint64_t begin = base::read_ticks();
    for (int i = 0; i < Pairs; ++i) {
        __cyg_profile_func_enter(reinterpret_cast<void*>(1), nullptr);
        __cyg_profile_func_exit(reinterpret_cast<void*>(1), nullptr);
    }
    std::uint64_t end = base::read_ticks();
    current = before;
    return end - begin;
}

} // namespace

double hook_cost_ticks() {
    auto* scratch = static_cast<Scratch*>(base::map_anonymous(sizeof(Scratch)));
    if (!scratch)
        return 0;
    std::uint64_t best = ~std::uint64_t{0};
    for (int i = 0; i < Rounds; ++i)
        best = std::min(best, time_pairs(*scratch));
    base::unmap(scratch, sizeof(Scratch));
    return static_cast<double>(best) / Pairs;
}

} // namespace vftr::record
