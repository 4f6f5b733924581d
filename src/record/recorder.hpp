// SPDX-License-Identifier: BSD-3-Clause
//
// What all threads of the process share while it is recorded. Written by the session before the first thread is
// recorded (settings), or seldom (the rest); the event path only reads it, and only in its slow parts.
#pragma once

#include "base/memory.hpp"
#include "record/changed_functions.hpp"
#include "record/entry_names.hpp"
#include "record/interned.hpp"
#include "record/modules.hpp"
#include "record/thread_state.hpp"
#include "vfd/writer.hpp"

#include <atomic>
#include <cstdint>

namespace vftr::record {

enum class Phase : std::uint32_t {
    Idle,     // no hook has asked yet, or main has not begun
    Starting, // the session sets things up
    Running,
    // From here on nothing is recorded.
    Off, // VFTR_OFF, "off", or the start failed
    Ended,
};

// Which functions are recorded, and how. The room that decides is above this one (src/filter).
enum Decision : std::uint8_t {
    DecisionPrecise = 1,
    DecisionExcluded = 2,
    DecisionTrigger = 4, // its calls may start or stop the recording
};
enum class TriggerAction : std::uint8_t { None, Start, Stop };

struct Settings {
    bool sampling = false;
    bool all_events = false;    // sampling with interval 0
    double sample_interval = 0; // seconds
    std::size_t event_buffer_bytes = 0;
    bool compress = false;        // full segments of events
    double keep_seconds = 0;      // of each thread's events, the latest only; 0: not limited by time,
    std::uint64_t keep_bytes = 0; // nor by size
    std::uint32_t max_call_paths = 262144;
    std::uint32_t max_recursion = 4;
    bool adaptive = false; // short calls are timed now and then only, see adaptive.hpp
    bool cuts_preemptions_out =
        true; // off_cpu.hpp; of no use where the kernel does not see the program's threads as they are (Valgrind)
    double timing_error = 0.01; // bound of the relative error of a path's time that comes of that
    void (*too_hot)(std::uint64_t function) =
        nullptr;            // called once of a path with very many calls that take less than their hooks, guard held
    bool constructs = true; // of parallel programming models, see constructs.hpp
    // How this function is recorded: bits of Decision. Asked once per caller and callee, with the thread's guard held;
    // null: as any other.
    std::uint8_t (*decision_on)(std::uint64_t address) = nullptr;
    // Likewise of a function that was called when it was in the module of this id. That may be about to be unloaded, so
    // nothing of it is read.
    std::uint8_t (*decision_before)(std::uint64_t address, std::uint16_t module) = nullptr;
    // Whether the functions of the thread with this ThreadRecord::index are recorded; null: of all.
    bool (*records_thread)(std::uint32_t index) = nullptr;
    // A function that is not recorded was called from this caller (if that is a function) by a hook call that returns
    // to an address with these low bits, or has ended there (0). True: that is all that there is to know of the two,
    // false: the next call is told, too. Null: nobody wants to know.
    bool (*excluded_call)(std::uint64_t caller, std::uint64_t function, std::uint32_t hook_site) = nullptr;
    // A function with DecisionTrigger has been called: what is to be done. Null: there are no triggers.
    TriggerAction (*trigger_called)(std::uint64_t address) = nullptr;
    std::uint32_t max_depth = 0; // functions on a path; 0: no limit
    double min_duration = 0;     // seconds, of calls in a stream of all events
};

struct Recorder {
    std::atomic<Phase> phase{Phase::Idle};
    std::atomic<bool> paused{false};
    std::atomic<bool> without_files{
        false}; // embedded (src/embed): no file is written, also none of children's provenance
    Settings settings;
    vfd::Writer writer;
    Modules modules;
    Names names;
    Interned groups, types;                     // of messages
    std::atomic<ThreadState*> threads{nullptr}; // all that ever were
    base::SpinLock thread_lock;                 // when a thread begins or ends
    std::atomic<std::uint32_t> thread_count{0};
    std::atomic<std::uint64_t> named_calls{0};
    std::atomic<std::uint64_t> refused_threads{0};
    std::atomic<std::uint64_t> interval_ticks{0};     // sample_interval; 0 until the clock's rate is known
    std::atomic<std::uint64_t> min_duration_ticks{0}; // Settings::min_duration, likewise
    std::atomic<std::uint64_t> keep_ticks{0};         // keep_seconds, likewise
    std::atomic<std::uint64_t> clock_reader_since{0}; // ticks; 0: nobody reads the clocks
    ChangedFunctions decision_changes;
    std::atomic<std::uint64_t> beginning{
        0}; // ticks when the recording was about to begin, until its first thread has taken them for its own
    std::uint64_t pause_key = 0;
};

extern Recorder recorder;

// True if no file is written for this process, only callbacks are called (src/embed). False before that is decided.
inline bool embedded() { return recorder.without_files.load(std::memory_order_relaxed); }

// Called by the first event of all, of a thread, and of a forked child; see session/begin.cpp.
// True if the caller may record now.
bool begin_if_due();

// --- threads (thread_lifetime.cpp, thread_records.cpp)
// A state for the calling thread, with its root frame. Sets `current`. nullptr without memory, or where
// too many threads live at once: the thread is then refused.
ThreadState* begin_thread();
// Closes the calling thread's frames and gives its record to the idle list.
void end_thread(ThreadState* state);
// The thread with that ThreadRecord::index; nullptr: there is none.
ThreadState* thread_of(std::uint32_t index);
// At the next event of every thread.
void request_slow_path_of_all();
// Once per process, before the first thread: asks the C library to tell us of ending threads.
bool prepare_thread_ends();
bool ends_are_told();
// The calling thread's end is to be told: `state` is what `current` points to.
void dispatch_end_of(ThreadState* state);

// --- the clock (slow_path.cpp)
// Reads all clocks into the file's header, so that ticks can be converted if the process dies.
void refresh_clock();

} // namespace vftr::record
