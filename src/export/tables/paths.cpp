// SPDX-License-Identifier: BSD-3-Clause
//
// The call paths, depth first.
#include "export/depth_first.hpp"
#include "export/kind_name.hpp"
#include "export/tables/doubts.hpp"
#include "export/tables/module_cell.hpp"
#include "export/tables/tables.hpp"

namespace vftr::exports {

namespace {

struct PathRow {
    PathRow(const TablePart& its_part, Visit its_visit)
        : part(its_part), visit(its_visit), node(part.profile.nodes[visit.node]),
          place(part.subject.place_of(part.profile, visit.node)),
          durations(analysis::durations_of(part.profile.durations, visit.node)),
          several_ranks(part.profile.rank_count > 1) {
        doubts.calls.add(node);
        doubts.exclusive.add(node);
        if (several_ranks) {
            exclusive = part.profile.exclusive(visit.node);
            inclusive = part.profile.inclusive(visit.node);
        }
    }

    const TablePart& part;
    const Visit visit;
    const analysis::PathNode& node;
    const SourcePlace* const place;
    const analysis::DurationHistogram* const durations; // nullptr: they are not known
    const bool several_ranks;
    analysis::RankStat exclusive, inclusive;
    Doubts doubts;
};

// Of a time of one rank, where there are several.
template <analysis::RankStat PathRow::*time, std::uint64_t analysis::Extremes::*value>
void put_extreme(const PathRow& row, Cell& cell) {
    if (row.several_ranks)
        cell.number((row.*time).*value);
}
template <analysis::RankStat PathRow::*time, std::int32_t analysis::Extremes::*rank>
void put_rank_of_extreme(const PathRow& row, Cell& cell) {
    if (row.several_ranks)
        cell.rank((row.*time).*rank);
}

template <std::uint64_t (analysis::DurationHistogram::*value)() const>
void put_of_durations(const PathRow& row, Cell& cell) {
    if (row.durations)
        cell.number((row.durations->*value)());
}
template <int percent>
void put_quantile(const PathRow& row, Cell& cell) {
    if (row.durations)
        cell.number(row.durations->quantile(percent / 100.0));
}

constexpr Column<PathRow> PathColumns[] = {
    {"id", [](const PathRow& row, Cell& cell) { cell.number(row.part.profile.stid(row.visit.node)); }},
    {"parent",
     [](const PathRow& row, Cell& cell) {
         if (row.visit.depth != 0)
             cell.number(row.part.profile.stid(row.node.parent));
     }},
    {"depth", [](const PathRow& row, Cell& cell) { cell.number(row.visit.depth); }},
    {"function", [](const PathRow& row, Cell& cell) { cell.text(row.part.names.of(row.visit.node)); }},
    {"calls", [](const PathRow& row, Cell& cell) { cell.number(row.node.calls); }},
    {"exclusive_ns", [](const PathRow& row, Cell& cell) { cell.number(row.node.exclusive); }},
    {"inclusive_ns", [](const PathRow& row, Cell& cell) { cell.number(row.node.inclusive); }},
    {"overhead_ns", [](const PathRow& row, Cell& cell) { cell.number(row.node.overhead); }},
    {"ranks", [](const PathRow& row, Cell& cell) { cell.number(row.node.ranks); }},
    {"threads", [](const PathRow& row, Cell& cell) { cell.number(row.node.threads); }},
    {"file",
     [](const PathRow& row, Cell& cell) {
         if (row.place)
             cell.text(row.place->file);
     }},
    {"line",
     [](const PathRow& row, Cell& cell) {
         if (row.place)
             cell.number(row.place->line);
     }},
    {"kind", [](const PathRow& row, Cell& cell) { cell.text(kind_name(row.node.kind)); }},
    {"exclusive_longest_thread_ns",
     [](const PathRow& row, Cell& cell) {
         if (row.node.threads > 1)
             cell.number(row.node.longest_thread);
     }},
    {"exclusive_min_ns", put_extreme<&PathRow::exclusive, &analysis::Extremes::min>},
    {"exclusive_min_rank", put_rank_of_extreme<&PathRow::exclusive, &analysis::Extremes::min_rank>},
    {"exclusive_max_ns", put_extreme<&PathRow::exclusive, &analysis::Extremes::max>},
    {"exclusive_max_rank", put_rank_of_extreme<&PathRow::exclusive, &analysis::Extremes::max_rank>},
    {"inclusive_min_ns", put_extreme<&PathRow::inclusive, &analysis::Extremes::min>},
    {"inclusive_min_rank", put_rank_of_extreme<&PathRow::inclusive, &analysis::Extremes::min_rank>},
    {"inclusive_max_ns", put_extreme<&PathRow::inclusive, &analysis::Extremes::max>},
    {"inclusive_max_rank", put_rank_of_extreme<&PathRow::inclusive, &analysis::Extremes::max_rank>},
    {"untimed_calls",
     [](const PathRow& row, Cell& cell) {
         if (row.node.estimated != 0)
             cell.number(row.node.estimated);
     }},
    {"estimated_calls", [](const PathRow& row, Cell& cell) { row.doubts.put_estimated_calls(cell); }},
    {"estimated_calls_error", [](const PathRow& row, Cell& cell) { row.doubts.put_estimated_calls_error(cell); }},
    {"exclusive_uncertainty_percent", [](const PathRow& row, Cell& cell) { row.doubts.put_exclusive_percent(cell); }},
    {"module", [](const PathRow& row, Cell& cell) { put_module(row.part, row.visit.node, cell); }},
    {"timed_calls", put_of_durations<&analysis::DurationHistogram::count>},
    {"shortest_call_ns", put_of_durations<&analysis::DurationHistogram::shortest>},
    {"median_call_ns", put_quantile<50>},
    {"p90_call_ns", put_quantile<90>},
    {"p99_call_ns", put_quantile<99>},
    {"longest_call_ns", put_of_durations<&analysis::DurationHistogram::longest>},
};

void put_paths(const TablePart& part, TableSink& sink) {
    for (const Visit visit : depth_first(part.profile))
        put_row(PathColumns, PathRow(part, visit), sink);
}

} // namespace

constexpr Table paths_table{"paths", "a call path, callers before what they call", names_of<PathColumns>, put_paths};

} // namespace vftr::exports
