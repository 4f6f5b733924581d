// SPDX-License-Identifier: BSD-3-Clause
//
// Where the time of all threads went, and the parallel efficiency. The table is on the first screen of the log, so it
// has no rows for negligible activities.
#include "analysis/profile/waits_for_cores.hpp"
#include "report/number_text.hpp"
#include "report/section.hpp"
#include "report/text_table.hpp"

namespace vftr::report {
namespace {

using analysis::Activity;
using analysis::Breakdown;

const char* name_of(Activity activity) {
    switch (activity) {
    case Activity::Computation:
        return "computation";
    case Activity::PointToPoint:
        return "MPI point to point";
    case Activity::Collective:
        return "MPI collectives";
    case Activity::Synchronisation:
        return "MPI waiting before collectives";
    case Activity::OneSided:
        return "MPI one-sided";
    case Activity::MpiFiles:
        return "MPI file I/O";
    case Activity::MpiBeginEnd:
        return "MPI_Init, MPI_Finalize";
    case Activity::OtherMpi:
        return "MPI, other functions";
    case Activity::OpenMpWait:
        return "OpenMP waiting";
    case Activity::OpenMpIdle:
        return "OpenMP idle threads";
    case Activity::Blocked:
        return "blocked (I/O, lock, sleep)";
    case Activity::Overhead:
        return "overhead of vftrace";
    case Activity::NoCore:
        return "waiting for a core";
    case Activity::Paused:
        return "recording paused";
    }
    return "";
}

// Whether a table with one decimal shows the part as more than 0.0 %.
bool is_something(std::uint64_t part, std::uint64_t whole) { return part > whole / 2000; }

std::string seconds_of(double ns) { return seconds(ns, 3); }

class BreakdownTable {
public:
    explicit BreakdownTable(const Context& context)
        : profile_(context.profile), of_(profile_.breakdown), ranks_(profile_.rank_count > 1) {}

    std::string text() const {
        std::string out = "Where the time went (all threads)\n" + table();
        if (of_.of(Activity::Synchronisation).sum == 0 && is_something(of_.of(Activity::Collective).sum, of_.sum()))
            out +=
                "MPI collectives: with the waits for those that come late; mpi.show_sync_time tells them apart, vftr waits for all of MPI\n";
        return out + efficiencies() + shared_cores();
    }

private:
    std::string table() const {
        std::vector<std::string> titles{"Activity", "time[s]", "time[%]"};
        if (ranks_)
            titles.insert(titles.end(), {"t_min[s]", "on rank", "t_avg[s]", "t_max[s]", "on rank"});
        TextTable table(std::move(titles));
        for (std::size_t i = 0; i < analysis::ActivityCount; ++i)
            if (is_something(of_.times[i].sum, of_.sum()))
                table.add_row(row(name_of(static_cast<Activity>(i)), of_.times[i]));
        return table.to_text();
    }

    std::vector<std::string> row(const char* name, const analysis::RankStat& time) const {
        const auto sum = static_cast<double>(time.sum);
        std::vector<std::string> cells{name, seconds_of(sum), fixed(100 * sum / static_cast<double>(of_.sum()), 1)};
        if (ranks_)
            cells.insert(cells.end(), {seconds_of(static_cast<double>(time.min)), std::to_string(time.min_rank),
                                       seconds_of(profile_.average(time)), seconds_of(static_cast<double>(time.max)),
                                       std::to_string(time.max_rank)});
        return cells;
    }

    // The terms are those of the POP project, see analysis/profile/breakdown.hpp.
    std::string efficiencies() const {
        const bool teams = of_.team != 0; // there are OpenMP workers
        if (!ranks_ && !teams)
            return "";
        const double balance = of_.load_balance(profile_.rank_count), communication = of_.communication_efficiency(),
                     openmp = of_.openmp_efficiency();
        std::string out = "Parallel efficiency " + percent(balance * communication * (teams ? openmp : 1));
        std::string factors;
        if (ranks_)
            factors += "load balance " + percent(balance) + ", communication efficiency " + percent(communication);
        if (teams)
            factors += std::string(ranks_ ? ", " : "") + "OpenMP efficiency " + percent(openmp);
        return out + (ranks_ ? " = " : " (") + factors + (ranks_ ? " (product; POP metrics)" : "; POP metrics)") + '\n';
    }

    // What the efficiencies above are not: those of ranks that had a core each.
    std::string shared_cores() const {
        const analysis::WaitsForCores waits = analysis::waits_for_cores(profile_);
        if (!waits.matter)
            return "";
        const auto text = [](std::uint64_t ns) { return seconds_of(static_cast<double>(ns)); };
        return "Shared cores: of " + text(waits.mpi) + " s in MPI up to " + text(waits.at_most) +
               " s are owed to ranks that had no core (" + text(waits.together) +
               " s if they had none at the same times), which ±[%] of MPI functions includes\n"
               "These efficiencies are those of shared cores: with a core for each rank communication efficiency would be " +
               percent(of_.communication_efficiency()) + " to " + percent(waits.communication_efficiency) + '\n';
    }

    const analysis::Profile& profile_;
    const Breakdown& of_;
    const bool ranks_;
};

// For a single thread the head of the log already shows computation, overhead and waits for a core, so the table is
// only shown if other activities have a relevant part.
bool wants_breakdown(const Context& context) {
    const Breakdown& breakdown = context.profile.breakdown;
    std::uint64_t told = 0;
    for (Activity activity : {Activity::Computation, Activity::Overhead, Activity::NoCore})
        told += breakdown.of(activity).sum;
    const std::uint64_t all = breakdown.sum();
    constexpr unsigned LeastPart = 20; // the least relevant part is one in so many
    return context.config.breakdown_show_table && all != 0 &&
           (context.profile.rank_count > 1 || context.profile.thread_totals.started.records > 0 ||
            all - told > all / LeastPart);
}

std::string breakdown_text(Context& context) { return BreakdownTable(context).text(); }

} // namespace

extern const Section section_breakdown{"", "", wants_breakdown, append<breakdown_text>};

} // namespace vftr::report
