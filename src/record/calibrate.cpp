// SPDX-License-Identifier: BSD-3-Clause
//
// What a pair of hooks costs here and now: the hooks themselves, called on a thread state made for it.
#include "base/clock.hpp"
#include "base/memory.hpp"
#include "record/events.hpp"
#include "record/frames.hpp"
#include "record/gate.hpp"
#include "record/recorder.hpp"

#include <algorithm>
#include <csignal>

extern "C" void __cyg_profile_func_enter(void*, void*);
extern "C" void __cyg_profile_func_exit(void*, void*);

namespace vftr::record {

namespace {

constexpr int Pairs = 500;
constexpr std::size_t StreamBytes = Pairs * 2 * vfd::MaxEventBytes;

struct Scratch {
    ThreadState state;
    vfd::ThreadRecord record;
    vfd::Frame frames[4];
    vfd::Node nodes[2];
    ChildTable children;
    vfd::SegmentHeader stream;
    std::uint8_t events[StreamBytes];
};

// The root and one callee that has been called before; or the callee is running, and calls itself.
enum class Kind { Timed, Folded };

void reset(Scratch& scratch, Kind kind) {
    ThreadState& state = scratch.state;
    state = {};
    scratch.nodes[0] = {};
    scratch.nodes[1] = {};
    scratch.nodes[1].key = 1;
    scratch.frames[0] = {TopOfStack, 0, 0, 0, vfd::FrameLogged, 0, 0};
    scratch.frames[1] = {TopOfStack, 0, 0, 1, vfd::FrameLogged, 0, 0};
    state.record = &scratch.record;
    state.nodes = scratch.nodes;
    state.children = scratch.children;
    state.frames = scratch.frames;
    state.top = scratch.frames + (kind == Kind::Folded);
    state.frames_end = scratch.frames + 4;
    state.stack_low = 0;
    state.stack_high = TopOfStack;
    bool every_event = recorder.settings.all_events;
    state.due = every_event ? 0 : TopOfStack;
    state.refresh_due = TopOfStack;
    state.stream = every_event ? StreamAll : StreamNone;
    state.event_segment = &scratch.stream;
    state.event_next = scratch.events;
    state.event_end = scratch.events + StreamBytes - vfd::MaxEventBytes;
    state.event_unit_bits = unit_bits();
    state.event_units = in_units(state, base::read_ticks());
    state.gate = state.open_value = GateReady;
}

// Through pointers, as programs call us through their PLT. And so the direct calls of the hooks in a program with libvftrace.a are all the
// program's own: vftr doctor looks for them.
void (*volatile enter_hook)(void*, void*) = __cyg_profile_func_enter;
void (*volatile exit_hook)(void*, void*) = __cyg_profile_func_exit;

std::uint64_t time_pairs(Scratch& scratch, Kind kind) {
    reset(scratch, kind);
    ThreadState* before = current;
    current = &scratch.state;
    std::uint64_t begin = base::read_ticks();
    for (int i = 0; i < Pairs; ++i) {
        enter_hook(reinterpret_cast<void*>(1), nullptr);
        exit_hook(reinterpret_cast<void*>(1), nullptr);
    }
    std::uint64_t end = base::read_ticks();
    current = before;
    return end - begin;
}

} // namespace

void measure_hook_cost(int rounds) {
    auto* scratch = static_cast<Scratch*>(base::map_anonymous(sizeof(Scratch)));
    if (!scratch || !scratch->children.create())
        return;
    scratch->children.insert(0, 1, 1);
    scratch->children.insert(1, 1, 1);
    // A signal handler's hooks must not find a thread state that is none.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    std::uint64_t timed = ~std::uint64_t{0}, folded = timed;
    for (int i = 0; i < rounds; ++i) {
        timed = std::min(timed, time_pairs(*scratch, Kind::Timed));
        folded = std::min(folded, time_pairs(*scratch, Kind::Folded));
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    scratch->children.destroy();
    base::unmap(scratch, sizeof(Scratch));
    vfd::FileHeader& header = recorder.writer.header();
    header.costs.timed = static_cast<double>(timed) / Pairs;
    header.costs.folded = static_cast<double>(folded) / Pairs;
}

} // namespace vftr::record
