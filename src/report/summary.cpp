// SPDX-License-Identifier: BSD-3-Clause
//
// The head of the log: what ran and when; and, below what matters, how long it took, what the recording cost, and what
// was lost. What else a user must know about the data stands below the tables.
#include "report/head_time.hpp"
#include "report/notes.hpp"
#include "report/number_text.hpp"
#include "report/section.hpp"
#include "symbols/qualified_name.hpp"

#include "config.h"

#include <algorithm>

namespace vftr::report {
namespace {

using analysis::RankTimes;
using analysis::Summary;

// Adds a line with label and value; values are right-aligned in one column.
void add_line(std::string& out, const std::string& label, const std::string& value, const std::string& unit = "") {
    constexpr std::size_t ValueEnd = 30;
    out += label;
    std::size_t used = label.size() + value.size();
    out.append(used < ValueEnd ? ValueEnd - used : 1, ' ');
    out += value + unit + '\n';
}

void add_seconds(std::string& out, const std::string& label, double ns) { add_line(out, label, shown(ns), " s"); }

// Of the application time, as what hooks took is not known exactly.
std::string uncertainty(const analysis::Profile& profile) {
    const double ns = profile.average(profile.summary.times.sum.hook_uncertainty);
    return shows_as_nothing(ns) ? "" : " (±" + shown(ns) + " s)";
}

// Adds the times: of several ranks the averages, so that they are the tables' sums over the number of ranks.
void add_times(std::string& out, const analysis::Profile& profile) {
    const Summary& s = profile.summary;
    const RankTimes& all = s.times.sum;
    const auto add = [&](const char* label, std::uint64_t sum) { add_seconds(out, label, profile.average(sum)); };
    const bool ranks = profile.rank_count > 1;
    add_seconds(out, "Total runtime:", static_cast<double>(s.times.longest));
    if (ranks && shown(profile.average(all.runtime)) != shown(s.times.longest))
        add("Average of the ranks:", all.runtime);
    add_line(out, "Application time:", shown(profile.average(all.application())), " s" + uncertainty(profile));
    add("Overhead:", all.overhead());
    add("   Function hooks:", all.hook_overhead);
    add("   MPI wrappers:", all.mpi_overhead);
    if (!shows_as_nothing(profile.average(all.one_time_work)))
        add("   One-time work:", all.one_time_work);
    if (s.cpu != 0) // otherwise it is not known
        add("Waiting for a core:", all.waiting);
    if (ranks)
        add_line(out, "Slowest rank:", shown(s.times.slowest.lost()),
                 " s lost (rank " + std::to_string(s.times.slowest_rank) + ")");
    if (s.cpu != 0)
        add_seconds(out, "CPU time:", static_cast<double>(s.cpu));
    if (s.threads > 1)
        add_seconds(out, "Sum of t_excl:", static_cast<double>(s.runtime_sum));
}

// Of ranks with different programs each with its ranks: "reader (rank 2), solver (ranks 0, 1)".
std::string applications(const analysis::Profile& profile) {
    constexpr std::size_t MostCharacters = 256, MostApplications = 16;
    const analysis::Applications& all = profile.applications;
    if (all.size() < 2)
        return fit(profile.application, MostCharacters);
    const auto brief = [](const analysis::Application& of) { return symbols::shown_qualifier(of.name, 0); };
    std::string text;
    for (std::size_t i = 0; i < std::min(all.size(), MostApplications); ++i) {
        const bool shared = std::ranges::count(all, brief(all[i]), brief) > 1;
        text += (i == 0 ? "" : ", ") +
                fit(shared ? symbols::shown_qualifier(all[i].name, 1) : brief(all[i]), MostCharacters) + " (" +
                ranks_text(all[i].ranks) + ')';
    }
    return all.size() > MostApplications ? text + ", and " + std::to_string(all.size() - MostApplications) + " more"
                                         : text;
}

std::string title_text(Context& context) {
    const Summary& s = context.profile.summary;
    std::string out = "Vftrace " PACKAGE_VERSION "\n";
    out += "Runtime profile for application: " + applications(context.profile) + '\n';
    out += "Start Date: " + date(s.start_realtime_ns) + '\n';
    return out + "End Date:   " + date(s.end_realtime_ns) + '\n';
}

std::string as_notes(const std::vector<std::string>& sentences) {
    std::string text;
    for (const std::string& sentence : sentences)
        text += "Note: " + sentence + ".\n";
    return text;
}

std::string summary_text(Context& context) {
    const analysis::Profile& profile = context.profile;
    const Summary& s = profile.summary;
    std::string out;
    const std::uint64_t ranks =
        of_one_rank(profile) ? profile.world_size : profile.rank_count + profile.missing_ranks.count();
    add_line(out, "Nr. of MPI ranks:", std::to_string(ranks));
    if (of_one_rank(profile))
        add_line(out, "Rank of this log:", std::to_string(profile.first_rank));
    if (s.processes > profile.rank_count)
        add_line(out, "Nr. of processes:", std::to_string(s.processes));
    if (s.threads > std::max<std::uint64_t>(s.processes, profile.rank_count))
        add_line(out, "Nr. of threads:", std::to_string(s.threads));
    add_times(out, profile);
    add_line(out, "Vftrace used memory:", fixed(static_cast<double>(s.memory_bytes) / (1024 * 1024), 2), " MiB");
    const std::string lost = as_notes(losses(profile, context.config));
    return out + (lost.empty() ? "" : "\n") + lost;
}

std::string doubts_text(Context& context) { return as_notes(doubts(context.profile, context.hooks_told)); }

} // namespace

extern const Section section_title{"", "", [](const Context&) { return true; }, append<title_text>};
extern const Section section_summary{"", "", [](const Context&) { return true; }, append<summary_text>};
extern const Section section_doubts{"", "", [](const Context&) { return true; }, append<doubts_text>};

} // namespace vftr::report
