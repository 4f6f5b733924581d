// SPDX-License-Identifier: BSD-3-Clause
//
// What the head of the log says of a run: when and of what it is, its times, and which ranks ran which program. Times
// are sums over ranks, where the log has averages.
#include "base/foreign_text.hpp"
#include "export/tables/tables.hpp"
#include "report/section.hpp"
#include "symbols/qualified_name.hpp"

#include <chrono>
#include <cstdio>
#include <string>

namespace vftr::exports {

namespace {

using analysis::Profile;

// "2026-11-26T15:42:38.000000001Z".
std::string iso_time(std::uint64_t realtime_ns) {
    using namespace std::chrono;
    const sys_time<nanoseconds> time{nanoseconds{realtime_ns}};
    const year_month_day date{floor<days>(time)};
    const hh_mm_ss clock{time - floor<days>(time)};
    char text[64];
    std::snprintf(text, sizeof text, "%04d-%02u-%02uT%02d:%02d:%02d.%09dZ", static_cast<int>(date.year()),
                  static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                  static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
                  static_cast<int>(clock.seconds().count()), static_cast<int>(clock.subseconds().count()));
    return text;
}

std::uint64_t ranks_of_job(const Profile& profile) {
    return report::of_one_rank(profile) ? profile.world_size : profile.rank_count + profile.missing_ranks.count();
}

constexpr Column<Profile> MetadataColumns[] = {
    {"application", [](const Profile& p, Cell& cell) { cell.text(base::foreign_text(p.application)); }},
    {"start_time", [](const Profile& p, Cell& cell) { cell.text(iso_time(p.summary.start_realtime_ns)); }},
    {"start_time_ns", [](const Profile& p, Cell& cell) { cell.number(p.summary.start_realtime_ns); }},
    {"end_time", [](const Profile& p, Cell& cell) { cell.text(iso_time(p.summary.end_realtime_ns)); }},
    {"end_time_ns", [](const Profile& p, Cell& cell) { cell.number(p.summary.end_realtime_ns); }},
    {"ranks", [](const Profile& p, Cell& cell) { cell.number(ranks_of_job(p)); }},
    {"covered_ranks", [](const Profile& p, Cell& cell) { cell.number(p.rank_count); }},
    {"first_rank", [](const Profile& p, Cell& cell) { cell.rank(p.first_rank); }},
    {"mpi", [](const Profile& p, Cell& cell) { cell.flag(p.summary.mpi); }},
    {"processes", [](const Profile& p, Cell& cell) { cell.number(p.summary.processes); }},
    {"threads", [](const Profile& p, Cell& cell) { cell.number(p.summary.threads); }},
    {"missing_ranks", [](const Profile& p, Cell& cell) { cell.ranks(p.missing_ranks); }},
    {"late_ranks", [](const Profile& p, Cell& cell) { cell.ranks(p.late_ranks); }},
    {"exited_ranks", [](const Profile& p, Cell& cell) { cell.ranks(p.exited_ranks); }},
    {"killed_ranks", [](const Profile& p, Cell& cell) { cell.ranks(p.killed_ranks); }},
};

constexpr Column<analysis::Application> ApplicationColumns[] = {
    {"application", [](const analysis::Application& a,
                       Cell& cell) { cell.text(base::foreign_text(symbols::shown_qualifier(a.name, 1))); }},
    {"ranks", [](const analysis::Application& a, Cell& cell) { cell.ranks(a.ranks); }},
};

constexpr Column<analysis::Summary> HeadColumns[] = {
    {"total_runtime_ns", [](const analysis::Summary& s, Cell& cell) { cell.number(s.times.longest); }},
    {"runtime_ns", [](const analysis::Summary& s, Cell& cell) { cell.number(s.times.sum.runtime); }},
    {"application_ns", [](const analysis::Summary& s, Cell& cell) { cell.number(s.times.sum.application()); }},
    {"overhead_ns", [](const analysis::Summary& s, Cell& cell) { cell.number(s.times.sum.overhead()); }},
    {"hook_overhead_ns", [](const analysis::Summary& s, Cell& cell) { cell.number(s.times.sum.hook_overhead); }},
    {"hook_overhead_uncertainty_ns",
     [](const analysis::Summary& s, Cell& cell) { cell.number(s.times.sum.hook_uncertainty); }},
    {"mpi_overhead_ns", [](const analysis::Summary& s, Cell& cell) { cell.number(s.times.sum.mpi_overhead); }},
    {"one_time_work_ns", [](const analysis::Summary& s, Cell& cell) { cell.number(s.times.sum.one_time_work); }},
    {"waiting_for_core_ns", [](const analysis::Summary& s, Cell& cell) { cell.number(s.times.sum.waiting); }},
    {"slowest_rank", [](const analysis::Summary& s, Cell& cell) { cell.rank(s.times.slowest_rank); }},
    {"slowest_rank_lost_ns", [](const analysis::Summary& s, Cell& cell) { cell.number(s.times.slowest.lost()); }},
    {"cpu_ns", [](const analysis::Summary& s, Cell& cell) { cell.number(s.cpu); }},
    {"exclusive_ns", [](const analysis::Summary& s, Cell& cell) { cell.number(s.runtime_sum); }},
    {"memory_bytes", [](const analysis::Summary& s, Cell& cell) { cell.number(s.memory_bytes); }},
};

void put_metadata(const TablePart& part, TableSink& sink) { put_row(MetadataColumns, part.profile, sink); }

void put_applications(const TablePart& part, TableSink& sink) {
    if (part.profile.applications.size() > 1)
        for (const analysis::Application& application : part.profile.applications)
            put_row(ApplicationColumns, application, sink);
}

void put_head(const TablePart& part, TableSink& sink) { put_row(HeadColumns, part.profile.summary, sink); }

} // namespace

constexpr Table metadata_table{"metadata", "when it ran, on how many ranks", names_of<MetadataColumns>, put_metadata};
constexpr Table applications_table{"applications", "a program, where ranks ran several", names_of<ApplicationColumns>,
                                   put_applications};
constexpr Table head_table{"head", "the times of the head of the log", names_of<HeadColumns>, put_head};

} // namespace vftr::exports
