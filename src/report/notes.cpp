// SPDX-License-Identifier: BSD-3-Clause
#include "report/notes.hpp"

#include "analysis/profile/expressions.hpp"
#include "report/head_time.hpp"
#include "report/number_text.hpp"
#include "report/section.hpp"

#include <algorithm>
#include <utility>

namespace vftr::report {
namespace {

using analysis::RankTimes;
using analysis::Summary;

using Notes = std::vector<std::string>;

void add_note(Notes& out, std::string note) { out.push_back(std::move(note)); }

// A number with singular or plural: "1 event was", "3 events were".
std::string counted(std::uint64_t count, const std::string& one, const char* verb_one, const char* verb_many) {
    return std::to_string(count) + ' ' + one + (count == 1 ? " " : "s ") + (count == 1 ? verb_one : verb_many);
}

// Adds the notes about STIDs: in the logs of a job the same call path has the same STID, except where the ranks could
// not agree on one.
void add_stids(Notes& out, const analysis::Profile& profile) {
    if (profile.stids_of_files)
        add_note(
            out,
            "STIDs are of these files: the job's own logs may have others, which its merged profile (_all.vfd) tells where it is given, too");
    if (!of_one_rank(profile) || profile.nodes.empty())
        return;
    if (profile.shared_stids == 0)
        add_note(out, "STIDs are this rank's own: they differ from those of the job's other logs");
    else if (const auto last = static_cast<std::uint32_t>(profile.nodes.size() - 1);
             profile.stid(last) >= profile.shared_stids)
        add_note(
            out,
            "STIDs from " + std::to_string(profile.shared_stids) +
                " on are this rank's own: these call paths came after those of all ranks had been numbered in MPI_Finalize");
}

void add_calls(Notes& out, const analysis::Profile& profile) {
    std::uint64_t calls = 0, estimated = 0;
    for (const analysis::PathNode& node : profile.nodes) {
        calls += node.calls;
        estimated += node.estimated;
    }
    if (estimated)
        add_note(
            out,
            std::to_string(estimated) + " of " + std::to_string(calls) +
                " calls were counted and not timed: their times are estimated from those of other calls on the same call path");
}

// Adds the note that the cost of hooks is not known exactly, if that is more than a few percent of the time in which
// the program ran, and large enough to show in the log.
void add_uncertainty(Notes& out, const analysis::Profile& profile) {
    const RankTimes& all = profile.summary.times.sum;
    const std::uint64_t running = all.runtime - std::min(all.runtime, all.waiting);
    const double uncertain = static_cast<double>(all.hook_uncertainty),
                 known_to = 100 * uncertain / std::max(static_cast<double>(all.hook_overhead + all.mpi_overhead), 1.0);
    if (uncertain <= static_cast<double>(running) / 30 ||
        shows_as_nothing(uncertain / std::max(profile.rank_count, 1U)))
        return;
    const double share = 100 * uncertain / std::max(static_cast<double>(all.application()), 1.0);
    add_note(
        out,
        "what hooks cost depends on the code around them, and is known to " + fixed(known_to, 0) + " %" +
            too_few_samples_text(profile.summary) + ": the application time may be off by " +
            shown(uncertain / std::max(profile.rank_count, 1U)) + " s, " +
            (share > 100 ? "more than all" : fixed(share, 0) + " %") +
            " of it, and that of each function by what ±[%] says; fewer hooks of short functions (vftr flags, vftr filter suggest) make it certain");
    if (all.hook_overhead > running / 3)
        add_note(
            out,
            "functions as small as those called most here are not inlined where they have hooks: without (vftr flags, vftr filter suggest) the program may "
            "take much less than the application time");
}

// A wait of a few percent is normal, as the system has other work, too.
void add_shared_cores(Notes& out, const analysis::Profile& profile) {
    const Summary& s = profile.summary;
    const RankTimes &all = s.times.sum, &slowest = s.times.slowest;
    const auto matters = [](const RankTimes& of, double average) {
        return of.waiting > of.runtime / 50 && !shows_as_nothing(average);
    };
    const double average = profile.average(all.waiting);
    if (!matters(all, average) && !matters(slowest, static_cast<double>(slowest.waiting)))
        return;
    const bool ranks = profile.rank_count > 1;
    add_note(
        out,
        "cores were shared: of " + shown(profile.average(all.runtime)) + (ranks ? " s a rank" : " s the program") +
            " waited " + shown(average) + " s for one" +
            (ranks
                 ? " on average, and rank " + std::to_string(s.times.slowest_rank) + ' ' + shown(slowest.waiting) + " s"
                 : "") +
            "; that time is in no function's, all other times are those that passed while it had one or waited for something else" +
            (s.mpi || !profile.regions.empty() ? "; calls of MPI and waits of OpenMP keep all of theirs" : ""));
}

// Adds a note that says which ranks and threads the times above are those of (analysis/profile/rank_times.hpp and
// lost_time.hpp).
void add_whose_times(Notes& out, const analysis::Profile& profile) {
    const Summary& s = profile.summary;
    if (s.threads <= 1 || s.times.slowest.lost() <= s.times.slowest.runtime / 50)
        return;
    const bool ranks = profile.rank_count > 1, threads = s.threads > profile.rank_count;
    std::string note;
    if (ranks)
        note =
            "application time, overhead and waiting for a core are above those of an average rank; the slowest rank is the one that lost most by overhead and waiting; ";
    if (threads)
        note += std::string("overhead and waiting for a core are ") + (ranks ? "of each rank " : "above ") +
                "those of the threads that lost most, as the program waits for these; ";
    add_note(out, note + "CPU time and the sum of t_excl are those of all threads");
}

bool is_of_names(const vfd::ExpressionUse& use) {
    return use.rule.find(".only_for_") == use.rule.npos && !use.rule.ends_with(".files") &&
           !use.rule.ends_with(".modules");
}

std::string without_effect_text(const vfd::ExpressionUse& use) {
    const std::string expression = '"' + fit(use.expression, 128) + '"', rule = fit(use.rule, 128);
    for (const std::string item : {"rank", "thread"})
        if (use.rule == "filter.only_for_" + item + "s")
            return rule + ": no function is recorded, as no " + item + " of this run is in " + expression;
    const std::string outcome = use.rule.starts_with("filter.triggers") ? " never acted: " : ": ";
    if (use.uses == 0)
        return rule + outcome + "no function that was called matches " + expression;
    return rule + outcome + "what matches " + expression + " was called " + std::to_string(use.uses) +
           (use.uses == 1 ? " time" : " times") + ", and it acts at call " + std::to_string(use.needed);
}

// Adds the notes about expressions that had no effect. They select functions, by their names or by their location.
void add_without_effect(Notes& out, const analysis::Profile& profile) {
    constexpr std::size_t Most = 20;
    const std::vector<vfd::ExpressionUse> uses = analysis::without_effect(profile);
    for (std::size_t i = 0; i < std::min(uses.size(), Most); ++i)
        add_note(out, without_effect_text(uses[i]));
    if (uses.size() > Most)
        add_note(out, "so it is with " + std::to_string(uses.size() - Most) + " more expressions");
    if (std::any_of(uses.begin(), uses.end(),
                    [](const vfd::ExpressionUse& use) { return use.uses == 0 && is_of_names(use); }))
        add_note(
            out,
            "an expression matches any part of a name, ^ and $ being its ends; names are those that the tables show: of a Fortran module's procedure "
            "module::procedure (and __module_MOD_procedure matches as well), of a C++ function the full one with its arguments, also where a table shortens it");
}

// Returns " (about 4.1 ns a call)", or nothing where it was not measured.
std::string cost_text(const Summary& s) {
    return s.excluded_call_ps == 0
               ? ""
               : " (about " + fixed(static_cast<double>(s.excluded_call_ps) / 1000, 1) + " ns a call)";
}

std::string patched_text(const Summary& s) {
    std::string text = s.hook_calls_out == 0 ? "no hook call of an excluded function was"
                                             : counted(s.hook_calls_out, "hook call", "of an excluded function was",
                                                       "of excluded functions were");
    text += " taken out of the running program";
    if (s.hook_calls_uncertain)
        text +=
            "; of " + std::to_string(s.hook_calls_uncertain) +
            " others in that text it is not certain which function they are for: they stay, and what they cost where it is an excluded one" +
            cost_text(s) + " is in its caller's time";
    if (s.hook_calls_out)
        text += "; unless vftr cc, c++ or fc has compiled these functions they are not inlined, and the program takes "
                "longer than without hooks";
    return text;
}

// Adds the notes about what ranks did after MPI_Finalize (analysis/merge/remainder.hpp).
void add_after_finalize(Notes& out, const analysis::Profile& profile) {
    const analysis::RankList &whole = profile.whole_ranks, &running = profile.running_ranks;
    if (profile.summary.ahead && whole.empty())
        add_note(out, "rank 0 is shown to its end, the other ranks to the collation at the beginning of MPI_Finalize: "
                      "the times of MPI_Finalize and of what follows it are rank 0's alone");
    if (profile.summary.ahead && !whole.empty())
        add_note(out, "rank 0 is shown to its end, and so " + std::string(whole.count() == 1 ? "is " : "are ") +
                          ranks_text(whole) + " with calls after MPI_Finalize" +
                          (whole.count() + 1 < profile.rank_count
                               ? "; the other ranks are shown to the collation at the beginning of MPI_Finalize"
                               : "") +
                          "; of threads and OpenMP regions only rank 0's have what came after it");
    if (!running.empty())
        add_note(out,
                 ranks_text(running) +
                     " still ran when rank 0 had ended: what came there after MPI_Finalize is in no table; vftr report "
                     "adds it where it is given the merged profile (_all.vfd) and the " +
                     (running.count() == 1 ? "file of that rank" : "files of these ranks"));
}

// Adds the notes about ranks of which there is nothing, or not all.
void add_incomplete_ranks(Notes& out, const analysis::Profile& profile, const config::Config& config) {
    if (!profile.missing_ranks.empty())
        add_note(out, ranks_text(profile.missing_ranks) + (profile.missing_ranks.count() == 1 ? " is" : " are") +
                          " missing in this profile");
    if (!profile.late_ranks.empty())
        add_note(out, ranks_text(profile.late_ranks) + " did not come to MPI_Finalize within " +
                          plain(config.mpi_collate_timeout) + " s after the others; " +
                          (profile.late_ranks.count() == 1 ? "its profile is" : "their profiles are") +
                          " that up to then");
    if (!profile.exited_ranks.empty())
        add_note(out, ranks_text(profile.exited_ranks) + " ended without MPI_Finalize");
    if (!profile.killed_ranks.empty())
        add_note(out, ranks_text(profile.killed_ranks) +
                          (profile.killed_ranks.count() == 1 ? " was killed or runs on: it has"
                                                             : " were killed or run on: they have") +
                          " not come to MPI_Finalize");
}

// Adds the notes about calls and messages that are in no table.
void add_missing(Notes& out, const Summary& s) {
    if (s.refused_threads)
        add_note(out, "calls of " + counted(s.refused_threads, "thread", "are", "are") +
                          " missing: there were too many threads at once, or no memory for more");
    if (s.dropped)
        add_note(out, counted(s.dropped, "call", "is", "are") +
                          " in no table: what a signal handler calls while it interrupts a hook is only counted");
    if (s.shared_calls)
        add_note(out, counted(s.shared_calls, "call", "is", "are") +
                          " in no table: those of a process that shares memory and thread-local data with its creator "
                          "(clone) are only counted");
    if (s.unfinished)
        add_note(out, counted(s.unfinished, "recording", "was", "were") +
                          " not closed (the process runs on or was killed); what had not returned "
                          "counts up to the latest known moment");
    if (s.recovered)
        add_note(out, counted(s.recovered, "recording", "is of a process that was", "are of processes that were") +
                          " killed; what had not returned counts up to the latest known moment");
    if (s.messages_lost)
        add_note(out, "a process had no memory for some messages: they are in no table");
    if (s.file_lost)
        add_note(out, "a recording could not grow (disk, quota or file size limit): its file is "
                      "incomplete");
}

} // namespace

std::string too_few_samples_text(const Summary& summary) {
    return summary.lacks_samples() ? ", as there were too few CPU samples to tell (vftr doctor)" : "";
}

std::vector<std::string> losses(const analysis::Profile& profile, const config::Config& config) {
    Notes out;
    add_incomplete_ranks(out, profile, config);
    add_missing(out, profile.summary);
    return out;
}

std::vector<std::string> doubts(const analysis::Profile& profile, bool hooks_told) {
    const Summary& s = profile.summary;
    Notes out;
    if (of_one_rank(profile))
        add_note(out, "this is rank " + std::to_string(profile.first_rank) + " alone, of " +
                          std::to_string(profile.world_size) + " ranks");
    add_stids(out, profile);
    add_shared_cores(out, profile);
    add_whose_times(out, profile);
    add_calls(out, profile);
    if (!hooks_told)
        add_uncertainty(out, profile);
    if (s.threads_without_ring)
        add_note(out, counted(s.threads_without_ring, "thread", "was", "were") +
                          " not sampled: the kernel permits no more memory for that (kernel.perf_event_mlock_kb, "
                          "ulimit -l), so that the times of tiny functions are there what their hooks tell");
    if (s.hook_calls_out || s.hook_calls_uncertain)
        add_note(out, patched_text(s));
    if (!profile.hook_calls_stay.empty())
        add_note(out, "hook calls of excluded functions stayed in the running program, and what they cost" +
                          cost_text(s) + " is in the times of the callers: " + fit(profile.hook_calls_stay, 128));
    add_without_effect(out, profile);
    if (s.overflow_calls)
        add_note(out, std::to_string(s.overflow_calls) + " calls on call paths beyond" +
                          (s.short_of_space ? " what limited address space (ulimit -v) has room for, less than" : "") +
                          " max_call_paths = " + std::to_string(s.max_call_paths) + (s.short_of_space ? "," : "") +
                          " are counted per function only");
    if (s.unmatched)
        add_note(out,
                 counted(s.unmatched, "end", "was", "were") + " ignored: no function or region of that name had begun");
    add_after_finalize(out, profile);
    return out;
}

std::vector<std::string> notes(const analysis::Profile& profile, const config::Config& config) {
    Notes out = losses(profile, config);
    for (std::string& doubt : doubts(profile))
        out.push_back(std::move(doubt));
    return out;
}

} // namespace vftr::report
