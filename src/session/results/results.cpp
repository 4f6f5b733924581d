// SPDX-License-Identifier: BSD-3-Clause
#include "session/results/results.hpp"

#include "analysis/merge/remainder.hpp"
#include "analysis/merge/serialize.hpp"
#include "analysis/recording/inlined_functions.hpp"
#include "analysis/recording/naming.hpp"
#include "analysis/recording/recording_summary.hpp"
#include "base/clock.hpp"
#include "base/message.hpp"
#include "base/process.hpp"
#include "base/replaced_file.hpp"
#include "filter/filter.hpp"
#include "output/later_calls.hpp"
#include "output/previous_log.hpp"
#include "patch/patch.hpp"
#include "record/header_totals.hpp"
#include "record/hot/slow_path.hpp"
#include "record/hot/thread_state.hpp"
#include "record/recorder.hpp"
#include "record/samples/samples.hpp"
#include "record/stream/shrink.hpp"
#include "record/timing/hook_costs.hpp"
#include "record/used_memory.hpp"
#include "report/report.hpp"
#include "symbols/store.hpp"
#include "vfd/compact.hpp"
#include "vfd/image.hpp"
#include "vfd/merged_file.hpp"
#include "vfd/metadata_note.hpp"

#include <algorithm>
#include <chrono>
#include <climits>
#include <cstring>
#include <functional>
#include <set>
#include <unistd.h>
#include <utility>
#include <vector>

namespace vftr::session {

using record::recorder;

vfd::Image live_image() {
    std::vector<vfd::Segment> segments;
    recorder.writer.for_each([&](const vfd::SegmentHeader& header, const std::byte* payload) {
        segments.push_back({&header, {payload, __atomic_load_n(&header.used, __ATOMIC_ACQUIRE)}});
    });
    return vfd::Image::of_memory(recorder.writer.header(), std::move(segments), recorder.writer.path());
}

bool add_segment(vfd::SegmentKind kind, const std::vector<std::byte>& bytes) {
    vfd::SegmentHeader* segment = bytes.empty() ? nullptr : recorder.writer.allocate(kind, 0, 0, bytes.size());
    if (!segment)
        return bytes.empty();
    std::memcpy(vfd::payload<std::byte>(segment), bytes.data(), bytes.size());
    __atomic_store_n(&segment->used, bytes.size(), __ATOMIC_RELEASE);
    return true;
}

// Other threads may be in their hooks meanwhile: their counts are read without synchronisation, as they are at the
// moment.
__attribute__((no_sanitize("thread"))) std::uint64_t recorded_calls() {
    std::uint64_t calls = 0;
    for (const record::ThreadState* thread = recorder.threads.load(); thread; thread = thread->next) {
        const std::uint32_t count = __atomic_load_n(&thread->record->node_count, __ATOMIC_ACQUIRE);
        for (std::uint32_t id = 1; id < count; ++id)
            calls += thread->nodes[id].flags & vfd::NodeUnrecorded
                         ? 0
                         : __atomic_load_n(&thread->nodes[id].calls, __ATOMIC_RELAXED);
    }
    return calls;
}

namespace {

// A child of a recorded process writes no merged profile: its recording has the same data, and one file is enough for
// each of possibly thousands of children. An MPI job that a recorded process starts has a merged profile like any
// other.
bool keeps_recording_alone(const Session& s) { return s.origin.is_child() && s.size == 0; }

void complain(const std::string& path, int error) {
    if (error != 0)
        base::warn_of_output("cannot write ", path, ": ", base::error_text(error));
}

// With processes.logs "first", children write no logs; but a job of several ranks has its log, like its merged profile.
bool writes_logs(const Session& s) {
    return !s.origin.is_child() || s.loaded.config.processes_logs != "first" || s.size > 1;
}

void write_log(const Session& s, const std::string& stem, const analysis::Profile& profile,
               const std::function<void()>& before_head = {}) {
    bool whole = true;
    for (const report::LogFile& file : report::make_log(profile, s.loaded.config, s.loaded.source, before_head)) {
        std::string path = s.output.path(stem + file.suffix + ".log");
        const int error = base::replace_file(path, file.text.data(), file.text.size());
        complain(path, error);
        whole &= error == 0;
    }
    if (whole)
        output::remove_previous_log(s.output.path(stem));
}

// Writes a copy of the recording that is as small as possible to `path`. Returns false if nothing was written.
bool write_compact(const std::string& path) {
    constexpr std::uint64_t Largest = 64 << 20; // bytes; to copy more takes longer than the saved zeros are worth
    vfd::FileHeader header = recorder.writer.header();
    // The full segments of an event stream are in the file only; everything else is in memory as well.
    const bool from_file = header.flags & vfd::FlagSampling;
    if ((from_file && header.flags & vfd::FlagFileLost) || header.file_end > Largest)
        return false;
    header.flags &= ~static_cast<std::uint32_t>(vfd::FlagFileLost);
    vfd::Writer::Reading reading(recorder.writer);
    const vfd::Image image = from_file ? vfd::Image::open(recorder.writer.path()) : live_image();
    const vfd::Compact compact(image, header);
    return base::replace_file(path, [&](const base::FileSink& sink) { return compact.write(sink); }) == 0;
}

// Adds the time since the clock was stopped: it is part of the run, was spent by vftrace and is charged to it, like the
// memory that was used. Where the process writes one log, of itself alone, that is done when the tables of the log are
// made; otherwise before, as the profile goes into several.
void add_ending(const Session& s, analysis::Profile& mine) {
    vfd::FileHeader& header = recorder.writer.header();
    mine.summary.memory_bytes = header.memory_bytes = record::used_memory();
    if (header.end.monotonic_ns == 0)
        return; // the recording goes on
    header.ending_wait_ns = s.ending.ns();
    header.ending_ns = base::monotonic_ns() - header.end.monotonic_ns;
    analysis::add_ending(mine, header);
}

// Warns where the recording is if the results could not be written to the output directory (after setuid or chroot, or
// if the directory was renamed). The recording is complete all the same, unless its file could not grow.
void say_where_it_is() {
    char buffer[PATH_MAX];
    const char* place = recorder.writer.whereabouts(buffer, sizeof buffer);
    if (place && recorder.writer.header().flags & vfd::FlagFileLost)
        base::warn("what was recorded is in ", place, ", but for what came when it could not grow any more (of ",
                   base::Number(recorded_calls()), " calls)");
    else if (place)
        base::warn("what was recorded is in ", place, " (", base::Number(recorded_calls()), " calls)");
    else if (recorder.writer.created()) // the file was removed; one that could not be created was reported at the start
        base::warn("what was recorded is in no file (", base::Number(recorded_calls()), " calls)");
}

// Gives CPU samples in the code of a function that was inlined to that function. Returns whether there were any.
bool give_samples_to_inlined_functions(const vfd::Image& image) {
    if (std::ranges::all_of(image.threads(), [](const vfd::ThreadView& thread) { return thread.samples.empty(); }))
        return false;
    const auto functions = analysis::find_inlined_functions(image);
    if (!functions.empty())
        record::for_each_sample_record([&](vfd::CpuSample& sample) {
            const auto function = functions.find({sample.module, sample.address});
            if (function == functions.end())
                return;
            sample.address = function->second.address;
            sample.module = function->second.module;
        });
    return !functions.empty();
}

// Adds to the recording what only the debug information tells: the names of OpenMP constructs, and where functions were
// inlined. This is done once, whatever is made of the recording then. Returns whether there was any, so that `image`
// lacks it.
bool add_debug_information(const vfd::Image& image) {
    const std::vector<std::byte> names = analysis::construct_names(image);
    add_segment(vfd::SegmentKind::Names, names);
    return give_samples_to_inlined_functions(image) || !names.empty();
}

} // namespace

analysis::Profile live_profile() {
    vfd::Writer::Reading reading(recorder.writer);
    vfd::Image image = live_image();
    if (add_debug_information(image))
        image = live_image();
    analysis::Profile profile = analysis::profile_of(image);
    profile.summary.unfinished = 0; // the file is not sealed yet, which is not to be reported as a problem
    profile.exited_ranks.add(std::exchange(profile.killed_ranks, {}));
    return profile;
}

namespace {

void note_patching() {
    const patch::Outcome outcome = patch::outcome();
    const char* const obstacle = outcome.obstacle             ? outcome.obstacle
                                 : filter::keeps_hook_calls() ? "filter.live_patching is false"
                                                              : nullptr;
    if (obstacle)
        recorder.names.intern(std::string(vfd::HookCallsStay) + obstacle, vfd::NodeKind::Root);
    else if (outcome.out != 0)
        recorder.names.intern(std::string(vfd::HookCallsOut) + std::to_string(outcome.out), vfd::NodeKind::Root);
    if (outcome.uncertain != 0)
        recorder.names.intern(std::string(vfd::HookCallsUncertain) + std::to_string(outcome.uncertain),
                              vfd::NodeKind::Root);
}

void note_expressions() {
    for (const vfd::ExpressionUse& use : filter::expression_uses())
        recorder.names.intern(vfd::to_metadata_note(use), vfd::NodeKind::Root);
}

void note_threads() {
    if (const std::uint64_t refused = recorder.refused_threads.load())
        recorder.names.intern(std::string(vfd::ThreadsRefused) + std::to_string(refused), vfd::NodeKind::Root);
    if (const std::uint64_t without = recorder.threads_without_ring.load())
        recorder.names.intern(std::string(vfd::ThreadsWithoutRing) + std::to_string(without), vfd::NodeKind::Root);
}

// The hooks of so few calls take less time in total than one more sample of their cost (record/timing/hook_costs.hpp).
constexpr std::uint64_t FewCalls = 1000;

// Other threads may be in their hooks meanwhile: their counts are read without synchronisation, as they are at the
// moment.
__attribute__((no_sanitize("thread"))) bool hook_costs_matter() {
    std::uint64_t calls = 0;
    for (const record::ThreadState* thread = recorder.threads.load(); thread; thread = thread->next) {
        const std::uint32_t count = __atomic_load_n(&thread->record->node_count, __ATOMIC_ACQUIRE);
        for (std::uint32_t id = 1; id < count; ++id)
            if ((calls += __atomic_load_n(&thread->nodes[id].calls, __ATOMIC_RELAXED)) >= FewCalls)
                return true;
    }
    return false;
}

} // namespace

void update_totals() {
    record::refresh_clock();
    record::put_totals(recorder.writer.header());
    if (hook_costs_matter())
        record::put_hook_costs();
    note_patching();
    note_threads();
    note_expressions();
}

namespace {

// Whether this rank has recorded calls after its profile was collated.
bool went_on(const Session& s) { return s.rank > 0 && s.collated && recorded_calls() != s.calls_collated; }

// Whether nobody removes the file: rank 0 does so where it has taken the last calls from it.
bool is_kept_for_good(const Session& s) {
    return keeps_recording_alone(s) || s.loaded.config.sampling_active || (s.size > 1 && !s.collated);
}

} // namespace

// Everything that a process of the user's program has recorded is in the log and the merged profile. Its file is kept
// only if it has a timeline or data that rank 0 may not have.
bool recording_is_kept(const Session& s) { return is_kept_for_good(s) || went_on(s); }

namespace {

// Largest symbol tables of an object, in bytes (some ten thousand functions), that are put into the store as a whole.
// Of larger ones, each process writes the names of the functions that it called into its own recording: otherwise the
// end of a program would have the cost of all functions that it could have called.
constexpr std::uint64_t LargestStored = 5 << 18; // libvftrace.a alone brings a program more than 1 MiB

void name_in_recording(const std::set<std::uint32_t>& modules) {
    vfd::Writer::Reading reading(recorder.writer);
    if (!add_segment(vfd::SegmentKind::Names, analysis::names_of_modules(live_image(), modules)))
        base::warn_of_output("cannot write names of functions to ", recorder.writer.path(),
                             "; they will come from the programs' own files");
}

} // namespace

// All ranks end at the same time. A rank that waits for the one that stores the symbols need not read the program's
// file itself to find its names. The wait is limited, since it may take long until files that another machine has
// written can be seen.
constexpr auto LongestWait = std::chrono::seconds(1);

void store_symbols(const Session& s) {
    std::vector<symbols::Module> modules;
    {
        vfd::Writer::Reading reading(recorder.writer);
        modules = analysis::modules_in_use(live_image());
    }
    std::set<std::uint32_t> large;
    if (!is_kept_for_good(s)) {
        for (const symbols::Module& module : modules)
            large.insert(module.id);
        return name_in_recording(large);
    }
    symbols::SymbolStore store(s.output.path(symbols::store_folder_name), LargestStored);
    const auto deadline = std::chrono::steady_clock::now() + LongestWait;
    bool told = false;
    for (const symbols::Module& module : modules) {
        const auto result = store.put_or_wait(module, deadline);
        if (result == symbols::SymbolStore::Result::Large)
            large.insert(module.id);
        if (result == symbols::SymbolStore::Result::Failed && !std::exchange(told, true))
            base::warn_of_output("cannot write ", store.failed_path(), ": ", store.reason(),
                                 "; names will come from the programs' own files");
    }
    name_in_recording(large);
}

namespace {

// Makes the file smaller if the recording has ended. A rank's file gets its name at MPI_Init already, when it still
// grows.
void shrink_if_ended() {
    if (recorder.phase.load(std::memory_order_relaxed) == record::Phase::Ended)
        record::shrink_file();
}

} // namespace

bool keep_recording(Session& s, const std::string& name) {
    std::string path = s.output.path(name);
    if (!recorder.writer.created())
        return true;
    if (keeps_recording_alone(s) && write_compact(path)) {
        recorder.writer.remove();
        return true;
    }
    shrink_if_ended();
    const int error = recorder.writer.rename(path.c_str());
    complain(path, error);
    return error == 0;
}

namespace {

// Writes the results of a child of a recorded process that is no rank of an MPI job. If it writes no log, its profile
// is not needed and not made: for a short process, that would take most of the time of its end.
void write_child_results(Session& s) {
    output::NameClaim claim;
    if (writes_logs(s)) {
        analysis::Profile own = live_profile();
        analysis::canonicalise(own);
        s.results = output::claim_child_basename(s.output, recorder.writer.path(), claim);
        const bool own_log = s.loaded.config.logfile_for_ranks.contains(0);
        const auto end = [&] { add_ending(s, own); };
        if (own_log)
            write_log(s, report::log_stem(s.results, 0, 1), own, end);
        write_log(s, report::log_stem(s.results, -1, 1), own, own_log ? std::function<void()>() : end);
    } else {
        vfd::Writer::Reading reading(recorder.writer);
        add_debug_information(live_image());
        s.results = output::claim_child_basename(s.output, recorder.writer.path(), claim);
    }
    if (!keep_recording(s, s.results + ".vfd"))
        say_where_it_is();
}

} // namespace

void write_last_results(Session& s) {
    if (keeps_recording_alone(s))
        return write_child_results(s);
    const bool written = write_results(s, true);
    if (written)
        output::remove_taken(s.taken_files);
    settle_file(s, written);
}

bool writes_own_log(const Session& s) {
    return writes_logs(s) && s.loaded.config.logfile_for_ranks.contains(std::max(s.rank, 0));
}

void set_previous_logs_aside(const Session& s) {
    if (s.origin.is_child() || (!s.results.empty() && s.results != s.output.basename))
        return;
    const bool knows_rank = s.size != 0 || !base::launched_as_rank();
    const bool of_all = knows_rank ? s.rank <= 0 : base::prints_job_messages();
    const bool own = knows_rank && writes_own_log(s);
    const std::uint64_t start = recorder.writer.header().start.realtime_ns;
    const auto set_aside = [&](std::int32_t rank, std::int32_t size) {
        const std::string stem = s.output.path(report::log_stem(s.output.basename, rank, size));
        if (output::is_there_a_previous_log(stem, start) && output::would_be_replaced(s.output, start))
            output::set_previous_log_aside(stem, start);
    };
    if (of_all)
        set_aside(-1, 1);
    if (own)
        set_aside(std::max(s.rank, 0), std::max(s.size, 1));
}

namespace {

// Adds what the other ranks have called since the collation to the profile of these ranks. They end at about the same
// time as this process, which waits for them no longer than a second.
void add_later_calls(Session& s) {
    if (s.rank_files.empty() || !s.collated)
        return;
    using Clock = std::chrono::steady_clock;
    const std::chrono::duration<double> patience(std::min(s.loaded.config.mpi_collate_timeout, 1.0));
    output::LaterCalls later =
        output::later_calls({s.output.directory, s.rank_files}, recorder.writer.header(),
                            Clock::now() + std::chrono::duration_cast<Clock::duration>(patience));
    analysis::add_remainders(*s.others, later.remainders);
    s.others->running_ranks.add(later.running_ranks);
    s.taken_files = std::move(later.files);
}

// The profile of all ranks, or of this process if there are no others. The STIDs of its paths do not change afterwards.
analysis::Profile profile_of_all(Session& s, analysis::Profile mine, bool ended) {
    analysis::Profile all = std::move(mine);
    if (s.others) {
        all.summary.ahead = ended && s.others->rank_count != 0;
        if (all.summary.ahead)
            add_later_calls(s);
        analysis::merge(all, *s.others);
    }
    analysis::canonicalise(all, s.numbering);
    if (s.numbering.first_free == 0 && !ended)
        s.numbering = analysis::numbering_of(all);
    return all;
}

} // namespace

bool write_results(Session& s, bool ended) {
    if (keeps_recording_alone(s))
        return true; // its results are written at its end only
    const std::int32_t rank = std::max(s.rank, 0), size = std::max(s.size, 1);
    output::NameClaim claim;
    if (s.results.empty())
        s.results = output::claim_basename(s.output, recorder.writer.header().start.realtime_ns, claim);
    else if (rank == 0)
        output::claim_results(s.output, s.results, claim);
    if (rank != 0 &&
        !writes_own_log(s)) { // its data are in rank 0's profile or in its own file, which gets the names here
        if (recording_is_kept(s)) {
            vfd::Writer::Reading reading(recorder.writer);
            add_debug_information(live_image());
        }
        return true;
    }
    const bool own_log = writes_own_log(s);
    // The others' profiles are merged with this one before any log is made.
    const bool ends_late = ended && size == 1 && !s.others && !own_log && writes_logs(s);
    analysis::Profile mine = live_profile(), all;
    if (!ends_late)
        add_ending(s, mine);
    if (rank == 0)
        all = profile_of_all(s, own_log ? mine : std::move(mine),
                             ended); // moved where possible: to copy many paths costs as much as to make them
    if (own_log) {
        analysis::canonicalise(mine, s.numbering);
        write_log(s, report::log_stem(s.results, rank, size), mine);
    }
    if (rank != 0)
        return true;
    if (writes_logs(s))
        write_log(s, report::log_stem(s.results, -1, size), all, [&] {
            if (ends_late)
                add_ending(s, all);
        });
    const std::vector<std::byte> bytes = analysis::serialize(all);
    const std::string path = s.output.path(s.results + "_all.vfd"), config_text = config::print_json(s.loaded.config);
    const int error = base::replace_file(path, [&](const base::FileSink& sink) {
        return vfd::write_merged_file(recorder.writer.header(), bytes, config_text, sink);
    });
    complain(path, error);
    return error == 0;
}

void settle_file(Session& s, bool told) {
    if (keeps_recording_alone(s))
        return; // write_child_results() has done it
    vfd::FileHeader& header = recorder.writer.header();
    if (!recording_is_kept(s) && told) {
        recorder.writer.remove();
        return;
    }
    if (!(header.flags & vfd::FlagMpi)) {
        header.rank = 0;
        header.size = 1;
        told &= keep_recording(s, report::log_stem(s.results, 0, 1) + ".vfd");
    } else
        shrink_if_ended();
    if (!told)
        say_where_it_is();
}

} // namespace vftr::session
