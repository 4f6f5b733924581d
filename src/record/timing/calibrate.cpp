// SPDX-License-Identifier: BSD-3-Clause
#include "record/timing/calibrate.hpp"

#include "base/clock.hpp"
#include "base/memory.hpp"
#include "record/hot/frames.hpp"
#include "record/hot/reentrancy_guard.hpp"
#include "record/hot/thread_state.hpp"
#include "record/recorder.hpp"
#include "record/stream/events.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <span>
#include <utility>

extern "C" void __cyg_profile_func_enter(void*, void*);
extern "C" void __cyg_profile_func_exit(void*, void*);

namespace vftr::record {

namespace {

constexpr std::size_t MostPairs = 192;

// For Rare, only one call in eight is of the kind that is measured.
constexpr std::size_t pairs_of(PairKind kind) { return kind == PairKind::Rare ? MostPairs : 64; }

constexpr std::size_t StreamBytes = MostPairs * 2 * vfd::MaxEventBytes;

} // namespace

struct Calibration::Scratch {
    ThreadState state;
    vfd::ThreadRecord record;
    vfd::Frame frames[4];
    vfd::Node nodes[3];
    ChildTable children;
    vfd::SegmentHeader stream;
    std::uint64_t keys[MostPairs]; // of the functions to call
    volatile std::uint64_t stores[16];
    vfd::SuccessorPrediction prediction;
    std::uint8_t events[StreamBytes];
};

namespace {

using Scratch = Calibration::Scratch;
using Kind = PairKind;

// Node 1 is called by the root and has been called before; node 2 is the other one.
constexpr std::uint64_t CalibrationKeys[] = {0, 1, 2};

void reset(Scratch& scratch, Kind kind) {
    ThreadState& state = scratch.state;
    state = {};
    for (std::size_t i = 0; i < std::size(scratch.nodes); ++i) {
        scratch.nodes[i] = {};
        scratch.nodes[i].key = CalibrationKeys[i];
        if ((i == 1 && (kind == Kind::CountOnly || kind == Kind::Rare)) ||
            (i != 0 && (kind == Kind::Nested || kind == Kind::Either)))
            scratch.nodes[i].countdown = 2 * MostPairs;
        else if (i != 0 && kind == Kind::Excluded)
            scratch.nodes[i].countdown = vfd::CountdownUnrecorded;
    }
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
    state.slow_path_deadline = every_event ? 0 : TopOfStack;
    state.refresh_deadline = TopOfStack;
    state.stream = every_event ? StreamAll : StreamNone;
    state.event_segment = &scratch.stream;
    state.prediction = &scratch.prediction;
    state.event_next = scratch.events;
    state.event_end = scratch.events + StreamBytes - vfd::MaxEventBytes;
    state.event_unit_bits = unit_bits();
    state.event_units = in_units(state, base::read_ticks());
    state.guard = state.recording_state = GuardReady;
}

// The hooks are called through pointers, as programs call them through their PLT. So all direct calls of the hooks in a
// program with libvftrace.a are the program's own; vftr doctor looks for these.
void (*volatile enter_hook)(void*, void*) = __cyg_profile_func_enter;
void (*volatile exit_hook)(void*, void*) = __cyg_profile_func_exit;

VFTR_INLINE std::uint64_t scramble(std::uint64_t x) {
    return x * 6364136223846793005u + 1442695040888963407u; // constants of MMIX, by Knuth
}

// The program's work between two hooks. Hooks cost next to nothing where the processor waits for instructions of the
// program that depend on one another, and most where it always has something to do. That is the case in an interpreter
// (Lua), where hooks cost the same as with this work: some arithmetic, a store, and now and then an unpredictable
// branch.
VFTR_INLINE std::uint64_t work(std::uint64_t x, volatile std::uint64_t (&stores)[16]) {
    x = scramble(x);
    stores[x >> 60] = x;
    if (x >> 60 == 0)
        asm volatile("" : "+r"(x));
    else
        asm volatile("nop" : "+r"(x));
    return x;
}

// Work that takes longer than reading the clock, with branches that the processor cannot predict, as in searching and
// sorting. (The empty statements keep the compiler from turning the branches into conditional moves.)
VFTR_INLINE std::uint64_t long_work(std::uint64_t x, volatile std::uint64_t (&stores)[16]) {
    for (int i = 0; i < 8; ++i) {
        x = scramble(x);
        if (x >> 63)
            asm volatile("" : "+r"(x));
        else
            asm volatile("nop" : "+r"(x));
        stores[x >> 60] = x;
    }
    return x;
}

enum class Hooks { None, Ours, Clock };

template <Hooks hooks>
VFTR_INLINE void call_hook(void (*volatile& hook)(void*, void*), std::uint64_t function) {
    if (hooks == Hooks::Ours)
        hook(reinterpret_cast<void*>(function), nullptr);
    if (hooks == Hooks::Clock)
        asm volatile("" : : "r"(base::read_ticks()));
}
template <Hooks hooks>
VFTR_INLINE void enter(std::uint64_t function) {
    call_hook<hooks>(enter_hook, function);
}
template <Hooks hooks>
VFTR_INLINE void leave(std::uint64_t function) {
    call_hook<hooks>(exit_hook, function);
}

// The keys of the calls of a sample.
std::span<std::uint64_t> keys_of(Scratch& scratch, Kind kind) { return std::span(scratch.keys).first(pairs_of(kind)); }

// Chooses node 2 for one call in eight on average, or for one in two, in an unpredictable order.
void choose_keys(Scratch& scratch, Kind kind) {
    const int bits = kind == Kind::Rare ? 3 : kind == Kind::Either || kind == Kind::Nested ? 1 : 63;
    std::uint64_t x = base::read_ticks();
    for (std::uint64_t& key : keys_of(scratch, kind)) {
        x = scramble(x);
        key = CalibrationKeys[x >> (64 - bits) == 0 ? 2 : 1];
    }
}

// A call that is not inlined.
template <Hooks hooks, std::uint64_t key>
__attribute__((noinline)) std::uint64_t call(std::uint64_t x, volatile std::uint64_t (&stores)[16]) {
    enter<hooks>(key);
    x = work(x + key, stores);
    leave<hooks>(key);
    return x;
}

// The ticks that all pairs take together.
template <Hooks hooks, Kind kind>
std::uint64_t time_pairs(Scratch& scratch) {
    std::uint64_t x = base::read_ticks(), begin = x;
    for (std::uint64_t key : keys_of(scratch, kind)) {
        x = work(x, scratch.stores);
        if (kind == Kind::Either) {
            x = key == CalibrationKeys[1] ? call<hooks, CalibrationKeys[1]>(x, scratch.stores)
                                          : call<hooks, CalibrationKeys[2]>(x, scratch.stores);
            continue;
        }
        const std::uint64_t outer = kind == Kind::Nested ? CalibrationKeys[1] : key;
        enter<hooks>(outer);
        x = kind == Kind::Long ? long_work(x, scratch.stores) : work(x, scratch.stores);
        if (kind == Kind::Nested && key == CalibrationKeys[2])
            x = call<hooks, CalibrationKeys[2]>(x, scratch.stores);
        leave<hooks>(outer);
    }
    asm volatile("" : : "r"(x));
    return base::read_ticks() - begin;
}

template <Hooks hooks, Kind kind>
std::uint64_t time_on(Scratch& scratch) {
    ThreadState* before = std::exchange(current, &scratch.state);
    const std::uint64_t ticks = time_pairs<hooks, kind>(scratch);
    current = before;
    return ticks;
}

template <Kind kind>
PairTimes time_once(Scratch& scratch) {
    reset(scratch, kind);
    choose_keys(scratch, kind);
    const auto with = static_cast<double>(time_on<(kind == Kind::Clock ? Hooks::Clock : Hooks::Ours), kind>(scratch));
    const vfd::Node& node = scratch.nodes[kind == Kind::Rare ? 2 : 1];
    const std::span<const std::uint64_t> keys = keys_of(scratch, kind);
    return {.pairs = static_cast<double>(keys.size()),
            .with = with,
            .without = static_cast<double>(time_on<Hooks::None, kind>(scratch)),
            .measured = static_cast<double>(node.exclusive),
            .timed = static_cast<double>(node.calls),
            .nested = static_cast<double>(std::count(keys.begin(), keys.end(), CalibrationKeys[2]))};
}

// Returns the middle one of three rounds, to leave out a round in which the processor was interrupted. A round before
// them brings the data into the caches.
template <Kind kind>
PairTimes sample(Scratch& scratch) {
    time_once<kind>(scratch);
    std::array<PairTimes, 3> rounds;
    for (PairTimes& times : rounds)
        times = time_once<kind>(scratch);
    std::nth_element(rounds.begin(), rounds.begin() + 1, rounds.end(),
                     [](const PairTimes& a, const PairTimes& b) { return a.all() < b.all(); });
    return rounds[1];
}

template <std::size_t... kinds>
AllPairTimes sample_all(Scratch& scratch, std::index_sequence<kinds...>) {
    return {sample<static_cast<Kind>(kinds)>(scratch)...};
}

} // namespace

bool Calibration::create() {
    auto* scratch = static_cast<Scratch*>(base::map_anonymous(sizeof(Scratch)));
    if (!scratch || !scratch->children.create())
        return false;
    for (std::uint32_t caller : {0, 1})
        for (std::uint32_t callee : {1, 2})
            scratch->children.insert(caller, CalibrationKeys[callee], callee);
    scratch_ = scratch;
    return true;
}

AllPairTimes Calibration::sample() { return sample_all(*scratch_, std::make_index_sequence<PairKinds>{}); }

} // namespace vftr::record
