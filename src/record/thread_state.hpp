// SPDX-License-Identifier: BSD-3-Clause
//
// What a hook needs of its thread, in two cache lines.
//
// The guard. One compare at the start of each hook decides everything that is not the plain case:
//   0       nothing is recorded for this thread: off, not begun, ended, or the page was wiped because this is a
//           forked child (the state lies in MADV_WIPEONFORK memory)
//   Ready   record
//   Paused  vftrace_pause is in force
//   with CountOnlyBit: a call passes that is counted only (count_only_call.hpp); the other bits are its function's
//   address else    a hook of this thread runs: the value is the stack pointer of the function that called it. A hook
//   that
//           finds this was called by a signal handler that interrupted the other hook (the event is dropped and
//           counted), unless the interrupted hook's stack is gone (siglongjmp): then the thread is taken up again.
//
// The hot data of a thread (nodes, frames, events) lies in its segments of the mapped file; this struct only points
// there. Nothing here is written by another thread but `slow_path_deadline` and `refresh_deadline`, by which it asks
// for the slow path (a pause, new decisions, a module that is gone).
#pragma once

#include "record/child_table.hpp"
#include "record/duration_filter.hpp"
#include "record/subscription.hpp"
#include "record/traffic.hpp"
#include "vfd/format.hpp"
#include "vfd/successor_prediction.hpp"

#include <cstdint>
#include <type_traits>

namespace vftr::record {

enum Guard : std::uint64_t { GuardOff = 0, GuardReady = 1, GuardPaused = 2 };

// Who wants the events of a thread, besides its call tree: bits. With any, direct recursion is timed too.
enum Stream : std::uint64_t {
    StreamNone = 0,
    StreamSamples = 1,         // the event stream of the file, now and then
    StreamAll = 2,             // or each event
    StreamDurationFilter = 16, // of these, calls that prove too short are rewound (duration_filter.hpp)
    StreamFile = StreamSamples | StreamAll | StreamDurationFilter,
    StreamFunctions = 4, // callbacks (subscription.hpp)
    StreamNamed = 8,     // likewise, of all entries that are no functions
    StreamCallbacks = StreamFunctions | StreamNamed,
};

// Ticks that a thread which pauses all others writes too. A plain load and store for the processor.
class SharedDeadline {
public:
    operator std::uint64_t() const { return __atomic_load_n(&ticks_, __ATOMIC_RELAXED); }
    SharedDeadline& operator=(std::uint64_t ticks) {
        __atomic_store_n(&ticks_, ticks, __ATOMIC_RELAXED);
        return *this;
    }
    // What the owner loads after this is loaded after it.
    void set_before_loads(std::uint64_t ticks) { __atomic_exchange_n(&ticks_, ticks, __ATOMIC_SEQ_CST); }
    SharedDeadline& operator=(const SharedDeadline& other) { return *this = std::uint64_t(other); }

private:
    std::uint64_t ticks_;
};

// Of modules that were unloaded, see unload.hpp. Zero-initialised; owned and used by one thread.
struct DormantNodes {
    std::uint32_t* nodes; // ids
    std::uint32_t count, room;
};

// Full event segments of a flight recorder, oldest first, see ring_buffer.hpp. Zero-initialised; owned and used by one
// thread.
struct SegmentRing {
    vfd::SegmentHeader *oldest, *newest;
    std::uint64_t bytes;
};

// What the kernel said of the thread when it was asked last, see off_cpu.hpp.
struct OffCpuClock {
    std::uint64_t latest_slow_path; // ticks of the latest slow path
    std::uint64_t asked;            // ticks
    std::uint64_t wall_ns, cpu_ns;
    std::uint64_t run_delay_ns;  // of the thread, as far as it is known
    long voluntary, involuntary; // context switches
};

struct ThreadStart;

// Addresses of a machine stack.
struct StackRange {
    std::uint64_t low, high;
    bool holds(std::uint64_t address) const { return address - low < high - low; }
};

class LeftStacks;

struct ThreadState {
    // --- touched by every event
    volatile std::uint64_t guard;
    std::uint64_t recording_state; // what the guard becomes after an event: Ready, or Paused
    vfd::Frame* top;               // innermost frame
    vfd::Frame* frames;            // the root's frame
    std::uint64_t stack_low;       // lowest address of the machine stack that the thread is on
    vfd::Node* nodes;              // all nodes of the thread, contiguous
    vfd::ThreadRecord* record;
    SharedDeadline slow_path_deadline; // ticks from which on an event gets the slow path: a sample, the clock, a pause
    std::uint64_t stream;              // Stream
    vfd::Frame* frames_end;

    // --- lookup of callees
    ChildTable children;

    // --- event stream
    std::uint8_t* event_next;
    std::uint8_t* event_end;   // room for one more record up to here
    std::uint64_t event_units; // time of the latest record
    std::uint32_t event_unit_bits;
    std::uint32_t event_node;
    std::uint32_t event_sequence;
    vfd::SegmentHeader* event_segment;
    vfd::SuccessorPrediction* prediction; // there is one where there is a segment
    SegmentRing ring;

    // --- bookkeeping
    std::uint32_t path_limit;    // max_call_paths, or less where address space is short
    std::uint32_t node_limit;    // that and room for overflow nodes
    std::uint32_t node_room;     // nodes that have memory
    std::uint32_t overflow_node; // NoNode until needed
    std::uint32_t node_sequence;
    std::uint32_t dropped_in_a_row; // with nothing recorded in between, see reentrancy_guard.cpp
    std::uint32_t exit_rounds;      // of pthread's key destructors
    std::uint64_t dropped_mark;
    std::uint64_t sample_deadline; // ticks of the next sample
    std::uint64_t random;          // state of the generator, see adaptive.cpp
    OffCpuClock off_cpu;
    SharedDeadline refresh_deadline; // ticks of the next look around (slow_path.cpp)
    std::uint64_t clock_deadline;    // ticks of the next reading of the other clocks
    std::uint64_t clock_step;
    std::uint64_t paused_since; // ticks
    std::uint32_t pause_node;
    TrafficTable traffic;       // messages, see message_totals.hpp
    TeamTable teams;            // see constructs.hpp
    EstimateTable estimates;    // see adaptive.hpp
    std::uint32_t unloads_seen; // Modules::unloads() when `children` was looked through, see unload.hpp
    DormantNodes dormant;
    std::uint32_t
        decisions_seen; // of Recorder::decision_changes when the tree was brought up to date, see filter_decisions.hpp
    std::uint64_t counted_trigger; // a function whose present call has been counted while all was paused; 0: none
    // Machine stacks, see stacks.hpp.
    std::uint64_t stack_high; // end of the one that the thread is on
    StackRange own_stack;
    bool own_stack_grows, own_stack_is_sure;
    LeftStacks* stacks; // nullptr until the thread has left its own stack; kept for the next thread
    vfd::SegmentHeader* stack_segment;
    vfd::SegmentHeader* lives; // the latest, of threads that used the record before; nullptr: none
    ThreadState* next;         // all threads
    ThreadState* next_idle;    // those whose thread has ended
    ThreadStart* thread_start; // of the closed state of a thread that has not begun: what its creator knows of it
                               // (thread_start.hpp)
    Subscription subscription;
    EntersAtEnd enters_at_end; // with StreamDurationFilter
};
static_assert(std::is_trivially_destructible_v<ThreadState>);

// At the next event. Any thread.
inline void request_slow_path(ThreadState& state) {
    state.refresh_deadline = 0;
    state.slow_path_deadline = 0;
}
// Then no call passes: it may be of a function that is not there any more, or of one that somebody wants to know of.
inline bool slow_path_is_requested(const ThreadState& state) { return state.slow_path_deadline == 0; }

// The calling thread's state; a closed dummy before the first event.
extern __thread ThreadState* current __attribute__((tls_model("initial-exec")));
extern ThreadState closed_state;
// The same for a thread that does not begin (again): it begins just now, has ended, or there is no memory for it.
extern ThreadState refused_state;

} // namespace vftr::record
