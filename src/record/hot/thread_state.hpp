// SPDX-License-Identifier: BSD-3-Clause
//
// What a hook needs of its thread, in two cache lines.
//
// The reentrancy guard. One compare at the start of each hook separates the plain case from all others. The guard is
//  - 0: nothing is recorded for this thread. Recording is off, has not begun or has ended, or the page was wiped
//    because this is a forked child (the state lies in MADV_WIPEONFORK memory).
//  - Ready: events are recorded.
//  - Paused: vftrace_pause is in force.
//  - Shared: as Ready, but each event asks the kernel whether it is the thread's (threads/shared_thread.hpp).
//  - CountOnlyBit and the address of a function: a count-only call of that function is running (count_only_call.hpp).
//  - any other value: the guard is held, as a hook of this thread is running. The value is the stack pointer of the
//    function that called the hook. A hook that finds such a value was called by a signal handler that interrupted the
//    other hook; its event is dropped and counted. If the stack of the interrupted hook is gone (siglongjmp), the guard
//    is released instead and the event is recorded.
//
// The hot data of a thread (nodes, frames, events) lies in the thread's segments of the mapped file; this struct only
// points to it. Other threads write nothing here but `slow_path_deadline` and `refresh_deadline`, with which they
// request the slow path (for a pause, changed decisions, or an unloaded module).
#pragma once

#include "record/entries/traffic.hpp"
#include "record/hot/child_table.hpp"
#include "record/samples/thread_samples.hpp"
#include "record/stream/duration_filter.hpp"
#include "record/subscription.hpp"
#include "vfd/format.hpp"
#include "vfd/successor_prediction.hpp"

#include <cstdint>
#include <type_traits>

namespace vftr::record {

enum Guard : std::uint64_t { GuardOff = 0, GuardReady = 1, GuardPaused = 2, GuardShared = 3 }; // above: held

// Bits: which consumers besides the call tree get the events of a thread. With any of them, direct recursion is timed,
// too.
enum Stream : std::uint64_t {
    StreamNone = 0,
    StreamSamples = 1,         // the event stream in the file, by samples
    StreamAll = 2,             // the event stream in the file, with every event
    StreamDurationFilter = 16, // calls that prove too short are rewound from that stream (duration_filter.hpp)
    StreamFile = StreamSamples | StreamAll | StreamDurationFilter,
    StreamFunctions = 4, // callbacks for functions (subscription.hpp)
    StreamNamed = 8,     // callbacks for all entries that are not functions
    StreamCallbacks = StreamFunctions | StreamNamed,
};

// A deadline in ticks that a thread which pauses the others writes, too. Accesses are plain loads and stores of the
// processor. It converts to no number by itself, since `condition ? 0 : deadline` would be an int.
class SharedDeadline {
public:
    std::uint64_t ticks() const { return __atomic_load_n(&ticks_, __ATOMIC_RELAXED); }
    SharedDeadline& operator=(std::uint64_t ticks) {
        __atomic_store_n(&ticks_, ticks, __ATOMIC_RELAXED);
        return *this;
    }
    // The owner's later loads are not executed before this store.
    void set_before_loads(std::uint64_t ticks) { __atomic_exchange_n(&ticks_, ticks, __ATOMIC_SEQ_CST); }
    SharedDeadline& operator=(const SharedDeadline& other) { return *this = other.ticks(); }

private:
    std::uint64_t ticks_;
};

// Nodes of functions in unloaded modules, see unload.hpp. Zero-initialised; owned and used by one thread.
struct DormantNodes {
    std::uint32_t* nodes; // node ids
    std::uint32_t count, room;
};

// The full event segments of a flight recorder, oldest first, see ring_buffer.hpp. Zero-initialised; owned and used by
// one thread.
struct SegmentRing {
    vfd::SegmentHeader *oldest, *newest;
    std::uint64_t bytes;
};

// What the kernel reported about the thread at the latest query, see off_cpu.hpp.
struct OffCpuClock {
    std::uint64_t latest_slow_path; // ticks of the latest slow path
    std::uint64_t asked;            // ticks of the latest query
    std::uint64_t wall_ns, cpu_ns;
    std::uint64_t run_delay_ns; // time of the thread in the run queue, as far as it is known
    std::uint64_t unsure_ns; // time since then in which it waited and then was in the run queue, nobody knows how long
    long voluntary, involuntary; // context switches
};

struct ThreadStart;

// A range of addresses of a machine stack.
struct StackRange {
    std::uint64_t low, high;
    bool holds(std::uint64_t address) const { return address - low < high - low; }
};

class LeftStacks;

struct ThreadState {
    // --- used by every event
    volatile std::uint64_t guard;
    std::uint64_t recording_state; // value of the guard after an event: Ready, Paused or Shared
    vfd::Frame* top;               // the innermost frame
    vfd::Frame* frames;            // the root's frame
    std::uint64_t stack_low;       // lowest address of the machine stack on which the thread runs
    vfd::Node* nodes;              // all nodes of the thread, contiguous
    vfd::ThreadRecord* record;
    // An event at or after these ticks takes the slow path: a sample, a clock reading or a pause is due.
    SharedDeadline slow_path_deadline;
    std::uint64_t stream; // bits of Stream
    vfd::Frame* frames_end;

    // --- lookup of callees
    ChildTable children;

    // --- event stream
    std::uint8_t* event_next;
    std::uint8_t* event_end;   // up to here there is room for one more record
    std::uint64_t event_units; // time of the latest record
    std::uint32_t event_unit_bits;
    std::uint32_t event_node;
    std::uint32_t event_sequence;
    vfd::SegmentHeader* event_segment;
    vfd::SuccessorPrediction* prediction; // not null where event_segment is not null
    SegmentRing ring;

    // --- bookkeeping
    std::uint32_t path_limit;    // max_call_paths, or less where address space is short
    std::uint32_t node_limit;    // path_limit plus room for overflow nodes
    std::uint32_t node_room;     // nodes that have memory
    std::uint32_t overflow_node; // NoNode until needed
    std::uint32_t node_sequence;
    std::uint32_t dropped_in_a_row; // events dropped without a recorded one in between, see reentrancy_guard.cpp
    std::uint32_t exit_rounds;      // rounds of pthread's key destructors so far
    std::uint64_t dropped_mark;
    std::uint64_t sample_deadline; // ticks of the next sample
    std::uint64_t random;          // state of the random generator, see adaptive.cpp
    OffCpuClock off_cpu;
    SharedDeadline refresh_deadline; // ticks of the next refresh (slow_path.cpp)
    std::uint64_t clock_deadline;    // ticks of the next reading of the other clocks
    std::uint64_t clock_step;
    std::uint64_t paused_since; // ticks of the pause's begin
    std::uint32_t pause_node;
    TrafficTable traffic;    // messages, see message_totals.hpp
    TeamTable teams;         // teams of OpenMP, see constructs.hpp
    EstimateTable estimates; // estimates of sampled paths, see adaptive.hpp
    DurationTable durations; // of single calls, see durations.hpp
    ThreadSamples samples;   // of its CPU time, see samples.hpp
    // Value of Modules::unloads() when `children` was last brought up to date, see unload.hpp.
    std::uint32_t unloads_seen;
    DormantNodes dormant;
    bool pairs_may_be_missing; // in `children`, as a hook was abandoned (call_tree.cpp)
    // Value of Recorder::decision_changes when the tree was last brought up to date, see filter_decisions.hpp.
    std::uint32_t decisions_seen;
    // A function whose present call was counted while the whole process was paused; 0: none.
    std::uint64_t counted_trigger;
    // Machine stacks, see stacks.hpp.
    std::uint64_t stack_high; // end of the stack on which the thread runs
    StackRange own_stack;
    bool own_stack_grows, own_stack_is_sure;
    bool is_shared;     // another process uses this state, too
    LeftStacks* stacks; // nullptr until the thread has left its own stack; reused by the next thread
    vfd::SegmentHeader* stack_segment;
    // The latest segment of lives of threads that used this record before; nullptr: there is none.
    vfd::SegmentHeader* lives;
    ThreadState* next;      // list of all states
    ThreadState* next_idle; // list of states whose thread has ended
    // Only in the closed state of a thread that has not begun: what its creator noted about it (thread_start.hpp).
    ThreadStart* thread_start;
    Subscription subscription;
    EntersAtEnd enters_at_end; // used with StreamDurationFilter
};
static_assert(std::is_trivially_destructible_v<ThreadState>);

// Whether events are recorded, and no hook of the thread is running.
inline bool is_ready(const ThreadState& state) { return state.guard == GuardReady || state.guard == GuardShared; }
// Whether an event that ends now leaves the thread ready for the next one.
inline bool stays_ready(const ThreadState& state) {
    return state.recording_state == GuardReady || state.recording_state == GuardShared;
}

// Makes the next event of the thread take the slow path. Any thread may call it.
inline void request_slow_path(ThreadState& state) {
    state.refresh_deadline = 0;
    state.slow_path_deadline = 0;
}
// While this is true, no count-only call begins: its function may be in an unloaded module, or a new subscription may
// want the call.
inline bool slow_path_is_requested(const ThreadState& state) { return state.slow_path_deadline.ticks() == 0; }

// The state of the calling thread. Before the thread's first event this points to a closed dummy state.
extern __thread ThreadState* current __attribute__((tls_model("initial-exec")));
extern ThreadState closed_state;
// A second dummy, for a thread that must not begin (again): it is just beginning, has ended, or there is no memory for
// it.
extern ThreadState refused_state;

// The state of the calling thread, whose guard is held by HeldGuard; nullptr: it is not recorded now.
inline ThreadState* recorded_thread() {
    ThreadState& state = *current;
    return state.guard != GuardOff && stays_ready(state) ? &state : nullptr;
}

} // namespace vftr::record
