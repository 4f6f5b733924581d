// SPDX-License-Identifier: BSD-3-Clause
//
// Where the time of all threads went, by activity, and the efficiencies.
#include "analysis/profile/waits_for_cores.hpp"
#include "export/tables/rank_stat_columns.hpp"
#include "export/tables/tables.hpp"

namespace vftr::exports {

namespace {

using analysis::Activity;
using analysis::Breakdown;

const char* activity_name(Activity activity) {
    switch (activity) {
    case Activity::Computation:
        return "computation";
    case Activity::PointToPoint:
        return "mpi_point_to_point";
    case Activity::Collective:
        return "mpi_collective";
    case Activity::Synchronisation:
        return "mpi_synchronisation";
    case Activity::OneSided:
        return "mpi_one_sided";
    case Activity::MpiFiles:
        return "mpi_files";
    case Activity::MpiBeginEnd:
        return "mpi_begin_end";
    case Activity::OtherMpi:
        return "mpi_other";
    case Activity::OpenMpWait:
        return "openmp_wait";
    case Activity::OpenMpIdle:
        return "openmp_idle";
    case Activity::Blocked:
        return "blocked";
    case Activity::Overhead:
        return "overhead";
    case Activity::NoCore:
        return "waiting_for_core";
    case Activity::Paused:
        return "paused";
    }
    return "";
}

constexpr auto BreakdownColumns = quantity_columns("activity", "_ns");

void put_breakdown(const TablePart& part, TableSink& sink) {
    const Breakdown& breakdown = part.profile.breakdown;
    for (std::size_t i = 0; i < analysis::ActivityCount; ++i)
        if (breakdown.times[i].sum != 0)
            put_row(BreakdownColumns, Quantity{activity_name(static_cast<Activity>(i)), breakdown.times[i]}, sink);
}

struct Efficiencies {
    explicit Efficiencies(const analysis::Profile& profile)
        : ranks(profile.rank_count > 1), teams(profile.breakdown.team != 0),
          balance(profile.breakdown.load_balance(profile.rank_count)),
          communication(profile.breakdown.communication_efficiency()), openmp(profile.breakdown.openmp_efficiency()),
          waits(analysis::waits_for_cores(profile)) {}

    bool ranks, teams; // whether there are several
    double balance, communication, openmp;
    analysis::WaitsForCores waits;
};

template <auto part>
void put_wait(const Efficiencies& row, Cell& cell) {
    if (row.waits.matter)
        cell.number(row.waits.*part);
}

constexpr Column<Efficiencies> EfficiencyColumns[] = {
    {"parallel_efficiency",
     [](const Efficiencies& row, Cell& cell) {
         if (row.ranks || row.teams)
             cell.real(row.balance * row.communication * (row.teams ? row.openmp : 1));
     }},
    {"load_balance",
     [](const Efficiencies& row, Cell& cell) {
         if (row.ranks)
             cell.real(row.balance);
     }},
    {"communication_efficiency",
     [](const Efficiencies& row, Cell& cell) {
         if (row.ranks)
             cell.real(row.communication);
     }},
    {"openmp_efficiency",
     [](const Efficiencies& row, Cell& cell) {
         if (row.teams)
             cell.real(row.openmp);
     }},
    {{"shared_cores", "mpi_ns"}, put_wait<&analysis::WaitsForCores::mpi>},
    {{"shared_cores", "owed_to_ranks_without_core_at_most_ns"}, put_wait<&analysis::WaitsForCores::at_most>},
    {{"shared_cores", "owed_if_at_the_same_times_ns"}, put_wait<&analysis::WaitsForCores::together>},
    {{"shared_cores", "communication_efficiency_at_best"},
     [](const Efficiencies& row, Cell& cell) {
         if (row.waits.matter)
             cell.real(row.waits.communication_efficiency);
     }},
};

void put_efficiencies(const TablePart& part, TableSink& sink) {
    if (part.profile.breakdown.sum() != 0)
        put_row(EfficiencyColumns, Efficiencies(part.profile), sink);
}

} // namespace

constexpr Table breakdown_table{"breakdown", "an activity, with its time", names_of<BreakdownColumns>, put_breakdown};
constexpr Table efficiencies_table{"efficiencies", "the parallel efficiency and its factors",
                                   names_of<EfficiencyColumns>, put_efficiencies};

} // namespace vftr::exports
