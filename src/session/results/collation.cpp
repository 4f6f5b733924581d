// SPDX-License-Identifier: BSD-3-Clause
//
// What the session gets from MPI: the rank of this process in its job and, at MPI_Finalize, what the other ranks have
// recorded.
#include "analysis/merge/serialize.hpp"
#include "base/cancellation.hpp"
#include "base/message.hpp"
#include "base/own_descriptors.hpp"
#include "filter/filter.hpp"
#include "output/job_claim.hpp"
#include "output/rank_files.hpp"
#include "record/hot/reentrancy_guard.hpp"
#include "record/hot/slow_path.hpp"
#include "record/pause.hpp"
#include "record/recorder.hpp"
#include "record/timing/off_cpu.hpp"
#include "record/timing/one_time_work_scope.hpp"
#include "record/used_memory.hpp"
#include "report/number_text.hpp"
#include "report/report.hpp"
#include "session/results/results.hpp"
#include "session/session.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <memory>
#include <utility>

namespace vftr::session {

using record::recorder;

void set_rank(std::int32_t rank, std::int32_t size) {
    base::CancellationDeferred deferred;
    if (!running() || session->size != 0)
        return;
    record::HeldGuard guard;
    Session& s = *session;
    s.rank = rank;
    s.size = size;
    vfd::FileHeader& header = recorder.writer.header();
    header.rank = rank;
    header.size = size;
    std::atomic_ref(header.flags).fetch_or(vfd::FlagMpi);
    filter::set_rank(rank);
    record::refresh_clock(); // the times show that the file is of this run
    if (!recorder.writer.created() || record::embedded())
        return;
    const bool job_below = s.origin.is_child() && s.origin.followed();
    const auto [name, of_all_ranks] =
        job_below ? output::JobName{output::job_basename(s.output, s.origin.provenance, rank, size), true}
                  : output::job_wide_basename(s.output, header);
    if (of_all_ranks || name == s.output.basename)
        s.rank_files = name;
    // Rank 0 checks at its end whether results of another run have a name that nobody has claimed for the job. Other
    // ranks cannot: the results that they find may be those of this job.
    if (of_all_ranks || name != s.output.basename || rank != 0)
        s.results = name;
    keep_recording(s, report::log_stem(name, rank, size) + ".vfd");
    set_previous_logs_aside(s);
}

namespace {

// The recording keeps what of it goes into the job's profile, so that a reader can tell what came later
// (analysis/merge/remainder.hpp).
void keep_collated(const Session& s, const analysis::Profile& mine) {
    if (s.size < 2 || !recorder.writer.created() || record::embedded())
        return;
    add_segment(vfd::SegmentKind::Profile, analysis::serialize(mine));
}

} // namespace

analysis::Profile snapshot_profile() {
    base::CancellationDeferred deferred;
    if (!running())
        return {};
    const record::OneTimeWork work;
    record::HeldGuard guard;
    record::charge_pause_here();
    record::charge_off_cpu_here();
    record::begin_own_phase();
    try {
        update_totals();
        vfd::ParallelTimes& until_collation = recorder.writer.header().until_collation;
        analysis::Profile mine;
        base::with_own_descriptors([&] {
            if (session->loaded.config.sampling_active &&
                !record::embedded()) // other ranks find the names there when they need them
                store_symbols(*session);
            until_collation = {};
            session->calls_collated = recorded_calls();
            mine = live_profile();
        });
        until_collation = {mine.breakdown.outside_mpi.sum, mine.breakdown.longest, mine.breakdown.team,
                           mine.breakdown.worked};
        keep_collated(*session, mine);
        record::end_own_phase();
        return mine;
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

// Adds the ranks that were not collated, as far as their own files show what they have recorded.
void find_missing(const Session& s, analysis::Profile& others) {
    using Clock = std::chrono::steady_clock;
    const double timeout = s.loaded.config.mpi_collate_timeout;
    if (!s.rank_files.empty()) // otherwise files of these names belong to another job
        output::add_rank_files(others, {s.output.directory, s.rank_files}, recorder.writer.header(),
                               Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                                  std::chrono::duration<double>(std::min(timeout, 10.0))));
    if (!others.late_ranks.empty())
        base::warn(report::ranks_text(others.late_ranks), " did not come to MPI_Finalize within ",
                   report::plain(timeout),
                   others.late_ranks.count() == 1 ? " s; the profile has what it had recorded until then"
                                                  : " s; the profile has what they had recorded until then");
    if (!others.missing_ranks.empty())
        base::warn("the profile lacks ", report::ranks_text(others.missing_ranks),
                   ", not collated in time; vftr report reads the ranks' files: ",
                   s.rank_files.empty() ? s.results : s.rank_files, "_<rank>.vfd");
}

} // namespace

bool writes_rank_log() { return running() && !record::embedded() && writes_own_log(*session) && session->size > 1; }

void collated(analysis::Profile others, bool complete, analysis::Numbering numbering) {
    base::CancellationDeferred deferred;
    if (!running() || record::embedded())
        return;
    const record::OneTimeWork work;
    record::HeldGuard guard;
    try {
        base::with_own_descriptors([&] {
            if (!others.missing_ranks.empty())
                find_missing(*session, others);
            session->collated = complete;
            if (complete)
                std::atomic_ref(recorder.writer.header().flags).fetch_or(vfd::FlagCollated);
            session->others = std::make_unique<analysis::Profile>(std::move(others));
            session->numbering = std::move(numbering);
            write_results(*session, false);
        });
    } catch (const std::exception& error) {
        base::warn("no profile is written: ", error.what());
    }
}

} // namespace vftr::session
