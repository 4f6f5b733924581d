// SPDX-License-Identifier: BSD-3-Clause
//
// The log as JSON, for scripts: one document with a profile for each part. What each member means is told by its
// schema, share_src/vftrace-export.schema.json, which a test holds against real exports. Numbers are those that the
// tables are made from, in whole nanoseconds, and nothing is left out because it is small. Members that only some
// profiles have, such as minima over ranks, are absent in others.
//
// Names of members are kept when a later version adds some; a change of what one means raises the version.
#include "base/foreign_text.hpp"
#include "export/depth_first.hpp"
#include "export/format.hpp"
#include "export/json/document.hpp"
#include "export/json/findings.hpp"
#include "export/json/tables.hpp"
#include "export/json_writer.hpp"
#include "export/kind_name.hpp"
#include "report/function_groups.hpp"
#include "report/number_text.hpp"
#include "report/section.hpp"
#include "report/shown_names.hpp"

#include "config.h"

#include <chrono>
#include <cmath>
#include <cstdio>

namespace vftr::exports {

namespace {

using analysis::Profile;

constexpr std::uint64_t JsonSchemaVersion = 1;

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

// As pairs of the first and the last one.
void write_ranks(const char* name, const analysis::RankList& ranks, JsonWriter& json) {
    json.key(name);
    json.array([&] {
        for (const analysis::RankList::Range& range : ranks.ranges())
            json.array([&] {
                json.value(std::int64_t{range.first});
                json.value(std::int64_t{range.last});
            });
    });
}

void write_metadata(const Profile& profile, JsonWriter& json) {
    const analysis::Summary& summary = profile.summary;
    json.key("metadata");
    json.object([&] {
        json.member("application", base::foreign_text(profile.application));
        json.member("start_time", iso_time(summary.start_realtime_ns));
        json.member("start_time_ns", summary.start_realtime_ns);
        json.member("end_time", iso_time(summary.end_realtime_ns));
        json.member("end_time_ns", summary.end_realtime_ns);
        json.member("ranks",
                    std::uint64_t{report::of_one_rank(profile) ? profile.world_size
                                                               : profile.rank_count + profile.missing_ranks.count()});
        json.member("covered_ranks", std::uint64_t{profile.rank_count});
        json.member("first_rank", std::int64_t{profile.first_rank});
        json.member("mpi", summary.mpi);
        json.member("processes", summary.processes);
        json.member("threads", summary.threads);
        write_ranks("missing_ranks", profile.missing_ranks, json);
        write_ranks("late_ranks", profile.late_ranks, json);
        write_ranks("exited_ranks", profile.exited_ranks, json);
        write_ranks("killed_ranks", profile.killed_ranks, json);
        if (profile.applications.size() < 2)
            return;
        json.key("applications");
        json.array([&] {
            for (const analysis::Application& application : profile.applications)
                json.object([&] {
                    json.member("application", base::foreign_text(symbols::shown_qualifier(application.name, 1)));
                    write_ranks("ranks", application.ranks, json);
                });
        });
    });
}

// Sums over ranks, where the log has averages.
void write_head(const Profile& profile, JsonWriter& json) {
    const analysis::Summary& summary = profile.summary;
    const analysis::RankTimes& all = summary.times.sum;
    json.key("head");
    json.object([&] {
        json.member("total_runtime_ns", summary.times.longest);
        json.member("runtime_ns", all.runtime);
        json.member("application_ns", all.application());
        json.member("overhead_ns", all.overhead());
        json.member("hook_overhead_ns", all.hook_overhead);
        json.member("mpi_overhead_ns", all.mpi_overhead);
        json.member("one_time_work_ns", all.one_time_work);
        json.member("waiting_for_core_ns", all.waiting);
        json.member("slowest_rank", std::int64_t{summary.times.slowest_rank});
        json.member("slowest_rank_lost_ns", summary.times.slowest.lost());
        json.member("cpu_ns", summary.cpu);
        json.member("exclusive_ns", summary.runtime_sum);
        json.member("memory_bytes", summary.memory_bytes);
    });
}

// How near numbers are that were not all measured.
void write_doubts(const report::Calls& calls, std::uint64_t untimed, const analysis::Uncertainty& uncertainty,
                  JsonWriter& json) {
    if (untimed != 0)
        json.member("untimed_calls", untimed);
    if (calls.unseen != 0) {
        json.member("estimated_calls", calls.unseen);
        json.member("estimated_calls_error", calls.unseen_error);
    }
    if (const double percent = uncertainty.percent(); percent > 0 && std::isfinite(percent)) {
        const std::string text = report::fixed(percent, 3);
        json.key("exclusive_uncertainty_percent");
        json.number(text.data(), static_cast<int>(text.size()));
    }
}

void write_function(const Subject& subject, const Profile& profile, const report::ShownNames& names,
                    const report::FunctionGroup& function, JsonWriter& json) {
    const std::uint32_t path = function.first_path;
    json.member("function", names.of(path));
    json.member("kind", kind_name(profile.nodes[path].kind));
    if (const auto module = symbols::parse_qualified(profile.names[profile.nodes[path].name]).qualifier;
        !module.empty() && !module.starts_with('/'))
        json.member("module", symbols::shown_qualifier(module, 0));
    if (const SourcePlace* place = subject.place_of(profile, path)) {
        json.member("file", place->file);
        json.member("line", std::uint64_t{place->line});
    }
    json.member("waits", function.waits);
    json.member("calls", function.calls.number);
    json.member("exclusive_ns", function.exclusive);
    json.member("inclusive_ns", function.inclusive);
    json.member("call_paths", std::uint64_t{function.paths});
    write_doubts(function.calls, 0, function.uncertainty, json);
}

void write_extremes(const char* time, const analysis::RankStat& stat, JsonWriter& json) {
    const std::string name(time);
    json.member(name + "_min_ns", stat.min);
    json.member(name + "_min_rank", std::int64_t{stat.min_rank});
    json.member(name + "_max_ns", stat.max);
    json.member(name + "_max_rank", std::int64_t{stat.max_rank});
}

void write_path(const Profile& profile, const report::ShownNames& names, Visit visit, JsonWriter& json) {
    const analysis::PathNode& node = profile.nodes[visit.node];
    json.member("id", std::uint64_t{profile.stid(visit.node)});
    if (visit.depth != 0)
        json.member("parent", std::uint64_t{profile.stid(node.parent)});
    json.member("depth", std::uint64_t{visit.depth});
    json.member("function", names.of(visit.node));
    json.member("kind", kind_name(node.kind));
    json.member("calls", node.calls);
    json.member("exclusive_ns", node.exclusive);
    json.member("inclusive_ns", node.inclusive);
    json.member("overhead_ns", node.overhead);
    json.member("ranks", std::uint64_t{node.ranks});
    json.member("threads", std::uint64_t{node.threads});
    if (node.threads > 1)
        json.member("exclusive_longest_thread_ns", node.longest_thread);
    if (profile.rank_count > 1) {
        write_extremes("exclusive", profile.exclusive(visit.node), json);
        write_extremes("inclusive", profile.inclusive(visit.node), json);
    }
    report::Calls calls;
    calls.add(node);
    analysis::Uncertainty uncertainty;
    uncertainty.add(node);
    write_doubts(calls, node.estimated, uncertainty, json);
}

void write_profile(const Subject& subject, const Part& part, CallPaths call_paths, JsonWriter& json) {
    const Profile& profile = part.profile;
    const report::ShownNames names(profile);
    json.member("title", part.title);
    if (part.thread)
        json.member("thread", std::uint64_t{*part.thread});
    write_metadata(profile, json);
    write_head(profile, json);
    write_breakdown(profile, json);
    write_findings(profile, names, json);
    json.key("functions");
    json.array([&] {
        for (const report::FunctionGroup& function : report::function_groups(profile, 0))
            json.object([&] { write_function(subject, profile, names, function, json); });
    });
    if (call_paths == CallPaths::Inside) {
        json.key("call_paths");
        json.array([&] {
            for (const Visit visit : depth_first(profile))
                json.object([&] { write_path(profile, names, visit, json); });
        });
    }
    write_messages(profile, names, json);
    write_threads(profile, names, json);
    write_openmp_regions(profile, names, json);
}

} // namespace

void write_document(const Subject& subject, CallPaths call_paths, JsonWriter& json) {
    json.object([&] {
        json.member("schema", "vftrace-export");
        json.member("schema_version", JsonSchemaVersion);
        json.member("vftrace_version", PACKAGE_VERSION);
        json.member("application", subject.application);
        json.key("remarks");
        json.array([&] {
            for (const std::string& remark : subject.remarks)
                json.value(remark);
        });
        json.key("profiles");
        json.array([&] {
            for (const Part& part : subject.parts)
                json.object([&] { write_profile(subject, part, call_paths, json); });
        });
    });
}

void write_json(const Subject& subject, const Options&, Sink& sink) {
    JsonWriter json(sink);
    write_document(subject, CallPaths::Inside, json);
    sink.character('\n');
}

} // namespace vftr::exports
