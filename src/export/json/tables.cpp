// SPDX-License-Identifier: BSD-3-Clause
#include "export/json/tables.hpp"

#include "analysis/profile/waits_for_cores.hpp"
#include "vfd/format.hpp"

namespace vftr::exports {

namespace {

using analysis::Activity;
using analysis::MessageSum;
using analysis::Profile;
using analysis::RankStat;

const char* json_activity(Activity activity) {
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

void members_of(const RankStat& stat, JsonWriter& json) {
    json.member("sum", stat.sum);
    json.member("min", stat.min);
    json.member("min_rank", std::int64_t{stat.min_rank});
    json.member("max", stat.max);
    json.member("max_rank", std::int64_t{stat.max_rank});
}

void members_of(const MessageSum& sum, JsonWriter& json) {
    json.member("messages", sum.messages);
    json.member("bytes", sum.bytes);
    json.member("message_time_ns", sum.ns);
}

void members_of(const analysis::ThreadSums& sums, JsonWriter& json) {
    json.member("records", sums.records);
    json.member("threads", sums.threads);
    json.member("life_ns", sums.life);
    json.member("cpu_ns", sums.cpu);
    json.member("waiting_for_core_ns", sums.waiting);
    json.member("in_functions_ns", sums.in_functions);
    json.member("calls", sums.calls);
}

template <class Values>
void object_of(std::string_view name, const Values& values, JsonWriter& json) {
    json.key(name);
    json.object([&] { members_of(values, json); });
}

// A rank of MPI_COMM_WORLD, or one of another job.
void message_rank(const char* name, const char* of_other_job, std::uint32_t rank, JsonWriter& json) {
    json.member(name, std::uint64_t{rank & ~vfd::ForeignRank});
    if (rank & vfd::ForeignRank)
        json.member(of_other_job, true);
}

void write_matrix(const Profile& profile, JsonWriter& json) {
    json.key("message_matrix");
    json.object([&] {
        json.key("cells");
        json.array([&] {
            for (const analysis::MatrixCell& cell : profile.matrix)
                json.object([&] {
                    message_rank("from_rank", "from_other_job", cell.pair.from, json);
                    message_rank("to_rank", "to_other_job", cell.pair.to, json);
                    if (cell.pair.node != 0)
                        json.member("path", std::uint64_t{profile.stid(cell.pair.node)});
                    if (cell.pair.got)
                        json.member("got", true);
                    members_of(cell.sum, json);
                });
        });
        json.key("lighter_pairs");
        json.object([&] {
            json.member("pairs", profile.lighter_pairs.pairs);
            members_of(profile.lighter_pairs.sum, json);
        });
    });
}

void write_thread(const Profile& profile, const report::ShownNames& names, const analysis::ThreadRow& row,
                  JsonWriter& json) {
    json.member("rank", std::int64_t{row.id.rank});
    json.member("process_id", std::uint64_t{row.id.process});
    json.member("thread", std::uint64_t{row.id.index});
    json.member("threads", std::uint64_t{row.threads});
    if (row.threads == 1)
        json.member("thread_id", std::uint64_t{row.tid});
    if (row.parent != vfd::NoThread)
        json.member("started_by", std::uint64_t{row.parent});
    if (row.node != vfd::NoNode)
        json.member("path", std::uint64_t{profile.stid(row.node)});
    if (!row.function.empty())
        json.member("start_function", names.of_text(row.function));
    json.member("openmp_worker", row.worker);
    json.member("begin_ns", row.begin);
    json.member("end_ns", row.end);
    json.member("life_ns", row.life);
    json.member("cpu_ns", row.cpu);
    json.member("waiting_for_core_ns", row.waiting);
    json.member("in_functions_ns", row.in_functions);
    json.member("calls", row.calls);
}

} // namespace

void write_breakdown(const Profile& profile, JsonWriter& json) {
    const analysis::Breakdown& breakdown = profile.breakdown;
    if (breakdown.sum() == 0)
        return;
    const bool ranks = profile.rank_count > 1, teams = breakdown.team != 0;
    const double balance = breakdown.load_balance(profile.rank_count),
                 communication = breakdown.communication_efficiency(), openmp = breakdown.openmp_efficiency();
    json.key("breakdown");
    json.object([&] {
        json.key("time_ns");
        json.object([&] {
            for (std::size_t i = 0; i < analysis::ActivityCount; ++i)
                if (breakdown.times[i].sum != 0)
                    object_of(json_activity(static_cast<Activity>(i)), breakdown.times[i], json);
        });
        if (ranks || teams)
            json.member("parallel_efficiency", balance * communication * (teams ? openmp : 1));
        if (ranks) {
            json.member("load_balance", balance);
            json.member("communication_efficiency", communication);
        }
        if (teams)
            json.member("openmp_efficiency", openmp);
        if (const analysis::WaitsForCores waits = analysis::waits_for_cores(profile); waits.matter) {
            json.key("shared_cores");
            json.object([&] {
                json.member("mpi_ns", waits.mpi);
                json.member("owed_to_ranks_without_core_at_most_ns", waits.at_most);
                json.member("owed_if_at_the_same_times_ns", waits.together);
                json.member("communication_efficiency_at_best", waits.communication_efficiency);
            });
        }
    });
}

void write_messages(const Profile& profile, const report::ShownNames& names, JsonWriter& json) {
    if (!profile.summary.mpi)
        return;
    json.key("messages");
    json.array([&] {
        for (const analysis::PathMessages& messages : profile.messages)
            json.object([&] {
                json.member("path", std::uint64_t{profile.stid(messages.node)});
                json.member("function", names.of(messages.node));
                object_of("sent", messages.sent, json);
                object_of("received", messages.received, json);
                json.member("in_calls_ns", profile.nodes[messages.node].inclusive);
            });
    });
    json.key("messages_by_rank");
    json.object([&] {
        object_of("sent_bytes", profile.sent_bytes, json);
        object_of("received_bytes", profile.received_bytes, json);
        object_of("sent_messages", profile.sent_messages, json);
        object_of("received_messages", profile.received_messages, json);
    });
    if (!profile.matrix.empty())
        write_matrix(profile, json);
}

void write_threads(const Profile& profile, const report::ShownNames& names, JsonWriter& json) {
    json.key("threads");
    json.object([&] {
        object_of("first", profile.thread_totals.first, json);
        object_of("started", profile.thread_totals.started, json);
        json.key("longest");
        json.array([&] {
            for (const analysis::ThreadRow& row : profile.threads)
                json.object([&] { write_thread(profile, names, row, json); });
        });
    });
}

void write_openmp_regions(const Profile& profile, const report::ShownNames& names, JsonWriter& json) {
    if (profile.regions.empty())
        return;
    json.key("openmp_regions");
    json.array([&] {
        for (const analysis::OpenMpRegion& region : profile.regions)
            json.object([&] {
                json.member("path", std::uint64_t{profile.stid(region.node)});
                json.member("function", names.of(region.node));
                json.member("calls", profile.nodes[region.node].calls);
                json.member("largest_team", std::uint64_t{region.threads});
                json.member("region_ns", region.time);
                json.member("team_ns", region.team);
                json.member("wait_ns", region.wait);
                json.member("busiest_ns", region.busiest);
                json.member("average_ns", region.average);
                json.member("imbalance_percent", region.imbalance());
            });
    });
}

} // namespace vftr::exports
