// SPDX-License-Identifier: BSD-3-Clause
//
// What all threads of the process share while it is recorded. The session writes the settings before the first thread
// is recorded; the rest is written seldom. The event path only reads this, and only in its slow parts.
#pragma once

#include "base/memory.hpp"
#include "record/entries/entry_names.hpp"
#include "record/entries/interned.hpp"
#include "record/hot/changed_functions.hpp"
#include "record/modules/modules.hpp"
#include "vfd/writer.hpp"

#include <atomic>
#include <cstdint>
#include <span>

namespace vftr::record {

struct ThreadState;

enum class Phase : std::uint32_t {
    Idle,     // no hook has run yet, or main has not begun
    Starting, // the session is setting up the recording
    Running,
    // In these phases nothing is recorded.
    Off, // because of VFTR_OFF, the option "off", or a failed start
    Ended,
};

// Which functions are recorded, and how. The room that decides is above this one (src/filter).
enum Decision : std::uint8_t {
    DecisionPrecise = 1,
    DecisionExcluded = 2,
    DecisionTrigger = 4, // calls of the function may start or stop the recording
};
enum class TriggerAction : std::uint8_t { None, Start, Stop };

struct Settings {
    bool sampling = false;
    bool all_events = false;    // sampling with interval 0
    double sample_interval = 0; // seconds
    std::size_t event_buffer_bytes = 0;
    bool compress = false; // compress full segments of events
    // Keep only the latest events of each thread: those of so many seconds; 0: no limit by time.
    double keep_seconds = 0;
    std::uint64_t keep_bytes = 0; // likewise in bytes; 0: no limit by size
    std::uint32_t max_call_paths = 262144;
    std::uint32_t max_recursion = 4;
    // See off_cpu.hpp. Useless where the kernel does not see the program's threads as they are (Valgrind).
    bool cuts_preemptions_out = true;
    double timing_error = 0.01; // bound of the relative error of a path's time that adaptive timing causes
    // Called once for a path with very many calls that take less than their hooks, with the guard held.
    void (*too_hot)(std::uint64_t function) = nullptr;
    // For functions that are to be windowed: searches the text for their hook calls and takes them out. False: this is
    // not possible in this process; a line on stderr says why.
    bool (*take_hook_calls_out)(std::span<const std::uint64_t> functions) = nullptr;
    // Puts the hook calls of windowed functions back, or takes them out again.
    void (*switch_hook_calls)(std::span<const std::uint64_t> functions, bool in) = nullptr;
    std::uint64_t sample_cpu_ns = 0; // between two samples of a thread's CPU time (samples/samples.hpp); 0: none
    bool samples_adapt = false;      // or longer, where samples cost much (samples/sample_cost.hpp)
    bool constructs = true;          // record constructs of parallel programming models, see constructs.hpp
    // Returns how this function is recorded, as bits of Decision. Called once per pair of caller and callee, with the
    // thread's guard held. Null: all functions are recorded in the same way.
    std::uint8_t (*decision_on)(std::uint64_t address) = nullptr;
    // The same for a function that was called while it was in the module of this id. The module may be about to be
    // unloaded, so the function must not read its memory.
    std::uint8_t (*decision_before)(std::uint64_t address, std::uint16_t module) = nullptr;
    // Returns whether the functions of the thread with this ThreadRecord::index are recorded. Null: those of all
    // threads are.
    bool (*records_thread)(std::uint32_t index) = nullptr;
    // Called for a function that is not recorded: it was called from this caller (if that is a function) by a hook call
    // that returns to an address with these low bits, or it has ended there (0). True: nothing more has to be known of
    // this pair. False: the next call is reported, too. Null: such calls are not reported.
    bool (*excluded_call)(std::uint64_t caller, std::uint64_t function, std::uint32_t hook_site) = nullptr;
    // Called for a function with DecisionTrigger; returns what its call does to the recording. Null: there are no
    // triggers.
    TriggerAction (*trigger_called)(std::uint64_t address) = nullptr;
    std::uint32_t max_depth = 0; // largest number of functions on a path; 0: no limit
    bool durations = false;      // of single calls are recorded, see timing/durations.hpp
    double min_duration = 0;     // seconds; shorter calls are left out of a stream of all events
};

// What the recorder has before the session writes the settings: only zeros, so that it lies in .bss with its tables,
// of which a process then uses only the pages that it writes to.
inline constexpr Settings NoSettings = [] {
    Settings none;
    none.max_call_paths = none.max_recursion = 0;
    none.cuts_preemptions_out = none.constructs = false;
    none.timing_error = 0;
    return none;
}();

// How calls are timed: at the begin by the configuration, later also by `vftr ctl`.
struct Timing {
    std::atomic<bool> adaptive{false}; // only some of the short calls are timed, see timing/adaptive.hpp
    // Largest part of the CPU time that recording may take; 0: any (budget/budget.hpp).
    std::atomic<double> budget{0};
};

struct Recorder {
    std::atomic<Phase> phase{Phase::Idle};
    std::atomic<bool> paused{false};
    // Embedded (src/embed): no file is written, and none for the provenance of child processes either.
    std::atomic<bool> without_files{false};
    Settings settings = NoSettings;
    Timing timing;
    vfd::Writer writer;
    Modules modules;
    Names names;
    Interned groups, types;                     // groups and types of messages
    std::atomic<ThreadState*> threads{nullptr}; // list of all threads that were ever recorded
    base::SpinLock thread_lock;                 // held while a thread begins or ends
    std::atomic<std::uint32_t> thread_count{0};
    std::atomic<std::uint64_t> named_calls{0};
    std::atomic<std::uint32_t> sampled_threads{0};   // so many have begun to be
    std::atomic<bool> sampling_is_refused{false};    // the kernel permits no samples
    std::atomic<std::uint64_t> adapted_sample_ns{0}; // what they cost allows; 0: not yet known
    std::atomic<std::uint64_t> refused_threads{0};
    std::atomic<std::uint64_t> threads_without_ring{0}; // there was no memory for one
    std::atomic<std::uint64_t> interval_ticks{0};       // sample_interval in ticks; 0 until the clock's rate is known
    std::atomic<std::uint64_t> min_duration_ticks{0};   // min_duration in ticks; 0 until the clock's rate is known
    std::atomic<std::uint64_t> keep_ticks{0};           // keep_seconds in ticks; 0 until the clock's rate is known
    // Ticks since when a thread has been reading the clocks; 0: no thread is.
    std::atomic<std::uint64_t> clock_reader_since{0};
    ChangedFunctions decision_changes;
    // Ticks when the recording was about to begin, until its first thread takes them as its own begin.
    std::atomic<std::uint64_t> beginning{0};
    std::uint64_t pause_key = 0;
};

extern Recorder recorder;

// True if no file is written for this process and only callbacks are called (src/embed). False until that is decided.
inline bool embedded() { return recorder.without_files.load(std::memory_order_relaxed); }

} // namespace vftr::record
