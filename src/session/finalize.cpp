// SPDX-License-Identifier: BSD-3-Clause
//
// From a recording to results: symbols into the store, the profile, the logs. Run at MPI_Finalize (rank 0 has the other ranks'
// profiles then) and at the end of the process, where nothing may fail loudly: the program has done its work.
#include "session/finalize.hpp"

#include "analysis/naming.hpp"
#include "analysis/profile.hpp"
#include "analysis/serialize.hpp"
#include "base/cancellation.hpp"
#include "base/clock.hpp"
#include "base/message.hpp"
#include "base/own_stack.hpp"
#include "record/gate.hpp"
#include "record/pause.hpp"
#include "record/recorder.hpp"
#include "report/report.hpp"
#include "report/text.hpp"
#include "session/interrupted.hpp"
#include "session/modules.hpp"
#include "session/rank_files.hpp"
#include "session/session.hpp"
#include "session/state.hpp"
#include "symbols/store.hpp"
#include "vfd/compact.hpp"
#include "vfd/image.hpp"
#include "vfd/merged_file.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <exception>

namespace vftr::session {

using record::Phase;
using record::recorder;

namespace {

constexpr std::size_t StackToEnd = 8 << 20;

int exit_status = -1; // not known

// Other threads may still record. The caller holds a Writer::Reading as long as the image.
vfd::Image live_image() {
    std::vector<vfd::Segment> segments;
    recorder.writer.for_each([&](const vfd::SegmentHeader& header, const std::byte* payload) {
        segments.push_back({&header, {payload, __atomic_load_n(&header.used, __ATOMIC_ACQUIRE)}});
    });
    return vfd::Image::of_memory(recorder.writer.header(), std::move(segments), recorder.writer.path());
}

// What this process has recorded up to now. Its file is not sealed yet; that is no trouble to report.
analysis::Profile live_profile() {
    vfd::Writer::Reading reading(recorder.writer);
    analysis::Profile profile = analysis::profile_of(live_image());
    profile.summary.unfinished = 0;
    return profile;
}

// A child of a recorded process has no merged profile: its recording tells the same, and of thousands of children one file each is
// enough. Of an MPI job the merged profile is what there is, as everywhere.
bool keeps_recording_alone(const Session& s) { return s.descent.is_child() && s.size == 0; }

// Of a program's own process everything is in the log and the merged profile; its file stays only where it holds a timeline or what
// rank 0 may not have.
bool recording_is_kept(const Session& s) {
    return keeps_recording_alone(s) || s.loaded.config.sampling_active || (s.size > 1 && !s.collated);
}

// Names of all functions into the symbol store beside the recording, so that it needs no executable any more.
void store_symbols(const Session& s) {
    std::vector<symbols::Module> modules;
    {
        vfd::Writer::Reading reading(recorder.writer);
        modules = analysis::modules_in_use(live_image());
    }
    symbols::SymbolStore store(s.output.path(symbols::store_folder_name));
    for (const symbols::Module& module : modules)
        if (store.put(module) == symbols::SymbolStore::Result::Failed)
            return base::warn_of_output("cannot write ", store.failed_path(), ": ", base::error_text(store.error()),
                                        "; names will come from the programs' own files");
}

void update_totals() {
    record::refresh_clock();
    vfd::FileHeader& header = recorder.writer.header();
    header.memory_bytes = recorder.writer.mapped_bytes();
    header.mpi_calls = recorder.named_calls;
    record::measure_hook_cost(8);
}

void complain(const std::string& path, int error) {
    if (error != 0)
        base::warn_of_output("cannot write ", path, ": ", base::error_text(error));
}

bool writes_logs(const Session& s) { return !s.descent.is_child() || s.loaded.config.processes_logs == "all"; }

void write_log(const Session& s, const std::string& stem, const analysis::Profile& profile) {
    for (const report::LogFile& file : report::make_log(profile, s.loaded.config, s.loaded.source)) {
        std::string path = s.output.path(stem + file.suffix + ".log");
        complain(path, replace_file(path, file.text.data(), file.text.size()));
    }
}

// Beside the file of the recording, as small as it can be. False: nothing has changed.
bool write_compact(const std::string& path) {
    constexpr std::uint64_t Largest = 64 << 20; // bytes; a copy of more takes longer than its zeros are worth
    const vfd::FileHeader& header = recorder.writer.header();
    if (recorder.writer.lost() || header.file_end > Largest)
        return false;
    vfd::Writer::Reading reading(recorder.writer);
    // The full segments of an event stream are in the file alone.
    const vfd::Image image = header.flags & vfd::FlagSampling ? vfd::Image::open(recorder.writer.path()) : live_image();
    const vfd::Compact compact(image, header, false);
    return replace_file(path, [&](const FileSink& sink) { return compact.write(sink); }) == 0;
}

// Under the name that it has for good.
void keep_recording(Session& s, const std::string& name) {
    std::string path = s.output.path(name);
    if (!recorder.writer.created())
        return;
    if (keeps_recording_alone(s) && write_compact(path))
        recorder.writer.remove();
    else
        complain(path, recorder.writer.rename(path.c_str()));
}

// Of a child of a recorded process that is no rank of an MPI job.
void write_child_results(Session& s, const analysis::Profile& mine) {
    s.results = claim_child_basename(s.output, recorder.writer.path());
    if (writes_logs(s)) {
        analysis::Profile own = mine;
        analysis::canonicalise(own);
        if (s.loaded.config.logfile_for_ranks.contains(0))
            write_log(s, report::log_stem(s.results, 0, 1), own);
        write_log(s, report::log_stem(s.results, -1, 1), own);
    }
    keep_recording(s, s.results + ".vfd");
}

// ended: this process has gone on since the other ranks' profiles were collated.
void write_results(Session& s, const analysis::Profile& mine, bool ended) {
    if (keeps_recording_alone(s))
        return write_child_results(s, mine);
    DirectoryLock lock(s.output.directory);
    if (s.results.empty())
        s.results = claim_basename(s.output, recorder.writer.header().start.realtime_ns);
    std::int32_t rank = std::max(s.rank, 0), size = std::max(s.size, 1);
    if (writes_logs(s) && s.loaded.config.logfile_for_ranks.contains(rank)) {
        analysis::Profile own = mine;
        analysis::canonicalise(own);
        write_log(s, report::log_stem(s.results, rank, size), own);
    }
    if (rank != 0)
        return;
    analysis::Profile all = mine;
    if (s.others) {
        all.summary.ahead = ended && s.others->rank_count != 0;
        analysis::merge(all, *s.others);
    }
    analysis::canonicalise(all);
    if (writes_logs(s))
        write_log(s, report::log_stem(s.results, -1, size), all);
    std::vector<std::byte> file = vfd::merged_file(recorder.writer.header(), analysis::serialize(all),
                                                   config::print_json(s.loaded.config));
    std::string path = s.output.path(s.results + "_all.vfd");
    complain(path, replace_file(path, file.data(), file.size()));
}

// The end of the file: kept as <basename>_<rank>.vfd where it holds a timeline or what rank 0 may not have, else gone.
void settle_file(Session& s) {
    if (keeps_recording_alone(s))
        return; // done with the results
    vfd::FileHeader& header = recorder.writer.header();
    if (!recording_is_kept(s)) {
        recorder.writer.remove();
        return;
    }
    if (!(header.flags & vfd::FlagMpi)) {
        header.rank = 0;
        header.size = 1;
        keep_recording(s, report::log_stem(s.results, 0, 1) + ".vfd");
    }
}

void stop_clock() {
    base::Moment end = base::read_moment();
    recorder.writer.header().end = {end.ticks, end.monotonic_ns, end.realtime_ns};
}

void write_exit_status() {
    if (exit_status < 0)
        return;
    vfd::FileHeader& header = recorder.writer.header();
    header.exit_status = exit_status;
    std::atomic_ref(header.flags).fetch_or(vfd::FlagExitStatus);
}

// From here on the file needs nothing from its process any more.
void seal() {
    std::atomic_ref(recorder.writer.header().state).store(vfd::FileState::Sealed, std::memory_order_release);
}

void finish(void* data) {
    Session& s = *static_cast<Session*>(data);
    try {
        update_totals();
        stop_clock();
        write_exit_status();
        if (recording_is_kept(s))
            store_symbols(s);
        seal();
        write_results(s, live_profile(), true);
        settle_file(s);
    } catch (const std::exception& error) {
        base::warn("no profile is written: ", error.what(), "; the recording is in ", recorder.writer.path());
    }
}

} // namespace

void keep_exit_status(int status) { exit_status = status & 0xff; }

void finalize() {
    base::CancellationLater whole;
    if (!running())
        return;
    Phase phase = Phase::Running;
    if (!recorder.phase.compare_exchange_strong(phase, Phase::Ended))
        return;
    int saved = errno;
    {
        record::ClosedGate gate;
        record::book_pause_here();
    }
    record::close_current_thread();
    if (allocator_is_interrupted())
        base::warn("no profile is written: exit was called by a signal handler within malloc; the recording is in ",
                   recorder.writer.path());
    else
        base::on_own_stack(StackToEnd, base::Signals::AsTheyAre, finish, session);
    errno = saved;
}

void set_rank(std::int32_t rank, std::int32_t size) {
    base::CancellationLater whole;
    if (!running() || session->size != 0)
        return;
    record::ClosedGate gate;
    Session& s = *session;
    s.rank = rank;
    s.size = size;
    vfd::FileHeader& header = recorder.writer.header();
    header.rank = rank;
    header.size = size;
    std::atomic_ref(header.flags).fetch_or(vfd::FlagMpi);
    record::refresh_clock(); // shows that the file is of this run
    if (!recorder.writer.created())
        return;
    const bool job_below = s.descent.is_child() && s.descent.followed();
    std::string name = job_below ? job_basename(s.output, s.descent.lineage, rank, size) : rank_basename(s.output, rank, size);
    if (job_below || name == s.output.basename)
        s.rank_files = name;
    // Rank 0 sees at its end whether another run's results are there; for the others they may be this job's own.
    if (job_below || name != s.output.basename || rank != 0)
        s.results = name;
    keep_recording(s, report::log_stem(name, rank, size) + ".vfd");
}

analysis::Profile snapshot_profile() {
    base::CancellationLater whole;
    if (!running())
        return {};
    record::ClosedGate gate;
    record::book_pause_here();
    try {
        update_totals();
        if (session->loaded.config.sampling_active) // the others of the job find them there when they name theirs
            store_symbols(*session);
        return live_profile();
    } catch (const std::exception& error) {
        base::warn("this rank's profile is not collated: ", error.what());
    }
    return {};
}

void set_clock_offset(int index, const vfd::ClockOffset& offset) {
    if (running())
        recorder.writer.header().clock_offset[index] = offset;
}

void enter_finalize() {
    if (running())
        std::atomic_ref(recorder.writer.header().flags).fetch_or(vfd::FlagInFinalize);
}

namespace {

// What the ranks' own files still tell of those that did not come.
void find_missing(const Session& s, analysis::Profile& others) {
    using Clock = std::chrono::steady_clock;
    const double timeout = s.loaded.config.mpi_collate_timeout;
    if (!s.rank_files.empty()) // else the files of these names are another job's
        add_rank_files(others, {s.output.directory, s.rank_files}, recorder.writer.header(),
                       Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                          std::chrono::duration<double>(std::min(timeout, 10.0))));
    if (!others.late_ranks.empty())
        base::warn(report::ranks_text(others.late_ranks), " did not come to MPI_Finalize within ",
                   report::plain(timeout), " s; the profile has what they had recorded until then");
    if (!others.missing_ranks.empty())
        base::warn("the profile lacks ", report::ranks_text(others.missing_ranks),
                   ", not collated in time; vftr report reads the ranks' files: ",
                   s.rank_files.empty() ? s.results : s.rank_files, "_<rank>.vfd");
}

} // namespace

void collated(analysis::Profile others, bool complete) {
    base::CancellationLater whole;
    if (!running())
        return;
    record::ClosedGate gate;
    try {
        if (!others.missing_ranks.empty())
            find_missing(*session, others);
        session->collated = complete;
        session->others = std::make_unique<analysis::Profile>(std::move(others));
        write_results(*session, live_profile(), false);
    } catch (const std::exception& error) {
        base::warn("no profile is written: ", error.what());
    }
}

} // namespace vftr::session
