// SPDX-License-Identifier: BSD-3-Clause
//
// What each kind of hook pair costs here and now (vfd::HookCosts): the hooks themselves, called on a thread state made for it.
#include "base/clock.hpp"
#include "base/memory.hpp"
#include "record/events.hpp"
#include "record/frames.hpp"
#include "record/gate.hpp"
#include "record/recorder.hpp"

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <iterator>
#include <utility>

extern "C" void __cyg_profile_func_enter(void*, void*);
extern "C" void __cyg_profile_func_exit(void*, void*);

namespace vftr::record {

namespace {

constexpr int Pairs = 500;

// What a call that is only counted costs in a program, where the hooks share caches and branch predictors with everything else, as a multiple of what
// it costs here, where all that it needs is at hand. (Of a call that is timed the readings of the clock are most, and these cost the same
// everywhere.) As found with eight programs and two compilers (bench/figures/totals.sh): 1.1 to 1.6.
constexpr double InPrograms = 1.3;

constexpr std::size_t StreamBytes = Pairs * 2 * vfd::MaxEventBytes;

struct Scratch {
    ThreadState state;
    vfd::ThreadRecord record;
    vfd::Frame frames[4];
    vfd::Node nodes[3];
    ChildTable children;
    vfd::SegmentHeader stream;
    std::uint64_t keys[Pairs]; // of the functions that are called
    volatile std::uint64_t stores[16];
    vfd::Foretelling foretelling;
    std::uint8_t events[StreamBytes];
};

// Node 1 is called by the root and has been called before, and does next to nothing or more than that (Long); or it is running, and calls
// itself; or it is called and now and then calls node 2, neither being timed; or it is called untimed, and now and then node 2 is called instead, which
// is timed; or one of the two is called, untimed, and nothing tells which (Either); or it is excluded.
enum class Kind { Timed, Long, Folded, Untimed, Nested, Rare, Either, Excluded };
constexpr std::size_t Kinds = 8;
constexpr std::uint64_t Keys[] = {0, 1, 2};

void reset(Scratch& scratch, Kind kind) {
    ThreadState& state = scratch.state;
    state = {};
    for (std::size_t i = 0; i < std::size(scratch.nodes); ++i) {
        scratch.nodes[i] = {};
        scratch.nodes[i].key = Keys[i];
        if ((i == 1 && (kind == Kind::Untimed || kind == Kind::Rare)) || (i != 0 && (kind == Kind::Nested || kind == Kind::Either)))
            scratch.nodes[i].skip = 2 * Pairs;
        else if (i != 0 && kind == Kind::Excluded)
            scratch.nodes[i].skip = vfd::SkipExcluded;
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
    state.due = every_event ? 0 : TopOfStack;
    state.refresh_due = TopOfStack;
    state.stream = every_event ? StreamAll : StreamNone;
    state.event_segment = &scratch.stream;
    state.foretelling = &scratch.foretelling;
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

VFTR_INLINE std::uint64_t scramble(std::uint64_t x) {
    return x * 6364136223846793005u + 1442695040888963407u; // Knuth, MMIX
}

// What the program does between two hooks. They cost next to nothing where the processor waits for the program's own instructions, one after
// the other, and most where it has always something to do: as in an interpreter (Lua), where this costs what it costs here. Some
// arithmetic, a store, and now and then a branch that cannot be foreseen.
VFTR_INLINE std::uint64_t work(std::uint64_t x, volatile std::uint64_t (&stores)[16]) {
    x = scramble(x);
    stores[x >> 60] = x;
    if (x >> 60 == 0)
        asm volatile("" : "+r"(x));
    else
        asm volatile("nop" : "+r"(x));
    return x;
}

// What takes longer than reading the clock, and branches in a way that the processor cannot foresee, as searching and sorting do. (The empty
// statements keep the compiler from making conditional moves of the branches.)
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

template <bool hooks>
VFTR_INLINE void enter(std::uint64_t function) {
    if (hooks)
        enter_hook(reinterpret_cast<void*>(function), nullptr);
}
template <bool hooks>
VFTR_INLINE void leave(std::uint64_t function) {
    if (hooks)
        exit_hook(reinterpret_cast<void*>(function), nullptr);
}

// Of node 2 one call in sixteen on average, or in two, of which nothing tells the processor.
void choose_keys(Scratch& scratch, Kind kind) {
    const int bits = kind == Kind::Rare ? 4 : kind == Kind::Either || kind == Kind::Nested ? 1 : 63;
    std::uint64_t x = base::read_ticks();
    for (std::uint64_t& key : scratch.keys) {
        x = scramble(x);
        key = Keys[x >> (64 - bits) == 0 ? 2 : 1];
    }
}

// A function of its own.
template <bool hooks, std::uint64_t key>
__attribute__((noinline)) std::uint64_t call(std::uint64_t x, volatile std::uint64_t (&stores)[16]) {
    enter<hooks>(key);
    x = work(x + key, stores);
    leave<hooks>(key);
    return x;
}

// Ticks of all the pairs.
template <bool hooks, Kind kind>
std::uint64_t time_pairs(Scratch& scratch) {
    std::uint64_t x = base::read_ticks(), begin = x;
    for (std::uint64_t key : scratch.keys) {
        x = work(x, scratch.stores);
        if (kind == Kind::Either) {
            x = key == Keys[1] ? call<hooks, Keys[1]>(x, scratch.stores) : call<hooks, Keys[2]>(x, scratch.stores);
            continue;
        }
        const std::uint64_t outer = kind == Kind::Nested ? Keys[1] : key;
        enter<hooks>(outer);
        x = kind == Kind::Long ? long_work(x, scratch.stores) : work(x, scratch.stores);
        if (kind == Kind::Nested && key == Keys[2])
            x = call<hooks, Keys[2]>(x, scratch.stores);
        leave<hooks>(outer);
    }
    asm volatile("" : : "r"(x));
    return base::read_ticks() - begin;
}

// Ticks of all pairs, the least of several rounds.
struct Times {
    std::uint64_t with = ~std::uint64_t{0}, without = with;
    std::uint64_t measured = 0;  // by the hooks of the calls that are timed
    std::uint64_t timed = Pairs; // calls
    std::uint64_t nested = 0;    // calls in calls
    double pair() const { return std::max(0.0, static_cast<double>(with) - static_cast<double>(without)) / Pairs; }
    // What lies between the two readings of the clock, but for the work in between.
    double inside(double work) const { return std::max(static_cast<double>(measured) / static_cast<double>(timed) - work, 0.0); }
    // What a call costs more that calls somebody, where all calls cost so much.
    double nesting(double each) const {
        return std::max((pair() * Pairs - each * static_cast<double>(Pairs + nested)) / static_cast<double>(std::max<std::uint64_t>(nested, 1)), 0.0);
    }
    // Of a pair that is timed among others that cost so much.
    double timed_among(double others) const {
        return std::max(pair() * Pairs - others * static_cast<double>(Pairs - timed), 0.0) / static_cast<double>(timed);
    }
};

template <Kind kind>
void time_once(Scratch& scratch, Times& least) {
    reset(scratch, kind);
    choose_keys(scratch, kind);
    ThreadState* before = current;
    current = &scratch.state;
    const std::uint64_t with = time_pairs<true, kind>(scratch);
    current = before;
    if (with < least.with) {
        least.with = with;
        const vfd::Node& node = scratch.nodes[kind == Kind::Rare ? 2 : 1];
        least.measured = node.exclusive;
        least.timed = std::max<std::uint64_t>(node.calls, 1);
        least.nested = static_cast<std::uint64_t>(std::count(std::begin(scratch.keys), std::end(scratch.keys), Keys[2]));
    }
    least.without = std::min(least.without, time_pairs<false, kind>(scratch));
}

template <std::size_t... kinds>
void time_all(Scratch& scratch, Times (&least)[Kinds], std::index_sequence<kinds...>) {
    (time_once<static_cast<Kind>(kinds)>(scratch, least[kinds]), ...);
}

vfd::HookCosts costs_of(const Times (&least)[Kinds]) {
    auto of = [&](Kind kind) -> const Times& { return least[static_cast<std::size_t>(kind)]; };
    const double some_work = static_cast<double>(of(Kind::Timed).without) / 2 / Pairs;
    const double more_work = static_cast<double>(of(Kind::Long).without) / Pairs - some_work;
    const double timed = of(Kind::Timed).pair(), timed_long = of(Kind::Long).pair(), untimed = of(Kind::Untimed).pair();
    const double timed_rare = of(Kind::Rare).timed_among(untimed), apart = of(Kind::Either).pair(), nesting = of(Kind::Nested).nesting(untimed);
    return {.timed = timed,
            .inside = std::min(of(Kind::Timed).inside(some_work), timed),
            .timed_long = timed_long,
            .inside_long = std::min(of(Kind::Long).inside(more_work), timed_long),
            .timed_rare = timed_rare,
            .inside_rare = std::min(of(Kind::Rare).inside(some_work), timed_rare),
            .folded = of(Kind::Folded).pair(),
            .untimed = InPrograms * untimed,
            .untimed_apart = InPrograms * apart,
            .nesting = InPrograms * nesting,
            .excluded = of(Kind::Excluded).pair()};
}

} // namespace

void measure_hook_cost(int rounds) {
    auto* scratch = static_cast<Scratch*>(base::map_anonymous(sizeof(Scratch)));
    if (!scratch || !scratch->children.create())
        return;
    scratch->children.insert(0, Keys[1], 1);
    scratch->children.insert(0, Keys[2], 2);
    scratch->children.insert(1, Keys[1], 1);
    scratch->children.insert(1, Keys[2], 2);
    // A signal handler's hooks must not find a thread state that is none.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    Times least[Kinds];
    for (int i = 0; i < rounds; ++i)
        time_all(*scratch, least, std::make_index_sequence<Kinds>{});
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    scratch->children.destroy();
    base::unmap(scratch, sizeof(Scratch));
    recorder.writer.header().costs = costs_of(least);
}

} // namespace vftr::record
