// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/recording/breakdown_of.hpp"

#include "analysis/profile/each_node.hpp"
#include "analysis/profile/whole_ns.hpp"
#include "analysis/recording/thread_rows.hpp"

#include <algorithm>
#include <initializer_list>
#include <string>

namespace vftr::analysis {
namespace {

bool begins_with_any(std::string_view name, std::initializer_list<std::string_view> begins) {
    return std::any_of(begins.begin(), begins.end(), [&](std::string_view begin) { return name.starts_with(begin); });
}

bool is_collective(std::string_view name) {
    return begins_with_any(name, {"Barrier", "Bcast", "Gather", "Scatter", "Allgather", "Alltoall", "Reduce",
                                  "Allreduce", "Scan", "Exscan", "Neighbor_"}) &&
           !name.starts_with("Reduce_local");
}

bool is_point_to_point(std::string_view name) {
    return begins_with_any(name, {"Send",   "Bsend",    "Ssend",    "Rsend", "Recv",   "Mrecv", "Isend",
                                  "Ibsend", "Issend",   "Irsend",   "Irecv", "Imrecv", "Psend", "Precv",
                                  "Pready", "Parrived", "Start",    "Wait",  "Test",   "Probe", "Iprobe",
                                  "Mprobe", "Improbe",  "Request_", "Cancel"});
}

bool is_one_sided(std::string_view name) {
    return begins_with_any(name, {"Put", "Get_accumulate", "Accumulate", "Fetch_and_op", "Compare_and_swap", "Rput",
                                  "Rget", "Raccumulate", "Win_"}) ||
           name == "Get" || name == "Get_c";
}

} // namespace

Activity activity_of_mpi(std::string_view function) {
    constexpr std::string_view Prefix = "MPI_";
    const std::string_view name = function.substr(function.starts_with(Prefix) ? Prefix.size() : 0);
    if (name.starts_with("File_"))
        return Activity::MpiFiles;
    if (is_one_sided(name))
        return Activity::OneSided;
    if (is_point_to_point(name))
        return Activity::PointToPoint;
    if (is_collective(name))
        return Activity::Collective;
    if (begins_with_any(name, {"Init", "Finalize", "Session_"}) && !begins_with_any(name, {"Initialized", "Finalized"}))
        return Activity::MpiBeginEnd;
    // MPI_Iallreduce
    if (name.starts_with('I') && name.size() > 1) {
        std::string blocking(name.substr(1));
        blocking.front() = static_cast<char>(blocking.front() - 'a' + 'A');
        if (is_collective(blocking))
            return Activity::Collective;
    }
    return Activity::OtherMpi;
}

void ProcessBreakdown::begin(const vfd::ThreadView& thread, const ThreadTimes& times) {
    thread_ = &thread;
    times_ = &times;
    worker_ = only_workers(thread);
    ticks_ = {};
    overhead_ = static_cast<std::int64_t>(times.one_time_work);
}

Activity ProcessBreakdown::activity_of(std::uint32_t id, const vfd::Node& node) {
    switch (node.kind) {
    case vfd::NodeKind::Mpi: {
        const auto [known, is_new] = of_key_.try_emplace(node.key, Activity::OtherMpi);
        if (is_new)
            known->second = activity_of_mpi(names_.of(node));
        return known->second;
    }
    case vfd::NodeKind::Region: // the region that mpi.show_sync_time adds is below the MPI call
        return id != 0 && thread_->node(node.parent).kind == vfd::NodeKind::Mpi && names_.of(node).ends_with("_sync")
                   ? Activity::Synchronisation
                   : Activity::Computation;
    case vfd::NodeKind::OpenMp:
        return vfd::is_wait(vfd::construct_of(node.key)) ? Activity::OpenMpWait : Activity::Computation;
    case vfd::NodeKind::Pause:
        return Activity::Paused;
    case vfd::NodeKind::Root:
        return worker_ ? Activity::OpenMpIdle : Activity::Computation;
    default:
        return Activity::Computation;
    }
}

// Finds the time that is neither CPU time nor in another activity that may have slept, up to the moment when the kernel
// was asked for the CPU time. One-time work may have waited, too, but it is overhead.
void ProcessBreakdown::find_blocked() {
    const vfd::ThreadRecord& record = *thread_->record;
    const std::uint64_t end = end_of(image_, record), unknown = end > record.cpu_until ? end - record.cpu_until : 0;
    if (record.cpu_ns == 0 || record.cpu_until == 0 || unknown > times_->life)
        return;
    const std::uint64_t may_sleep = ticks_.mpi() + ticks_[Activity::OpenMpWait] + ticks_[Activity::OpenMpIdle] +
                                    ticks_[Activity::Paused] + times_->one_time_work;
    const double slept = static_cast<double>(times_->life - unknown) -
                         static_cast<double>(record.cpu_ns) / image_.clock().ns_per_tick() -
                         static_cast<double>(may_sleep);
    constexpr double LeastNs = 2e6,
                     LeastPart = 0.02; // below these, it may be waits for a core that were too short to be noticed
    const bool is_certain =
        slept * image_.clock().ns_per_tick() > LeastNs && slept > LeastPart * static_cast<double>(times_->life);
    std::uint64_t& computation = ticks_[Activity::Computation];
    const std::uint64_t blocked = is_certain ? std::min(static_cast<std::uint64_t>(slept), computation) : 0;
    computation -= blocked;
    ticks_[Activity::Blocked] = blocked;
}

// The time that a worker could have worked. While the first thread is in MPI or loses time to the recording, workers
// have nothing to do, which says nothing about OpenMP. The part of a worker's life for which this holds is estimated as
// the same part of the first thread's life; the time that the worker spent in its constructs counts in any case.
std::uint64_t ProcessBreakdown::team_part() {
    const std::uint64_t busy = ticks_[Activity::Computation] + ticks_[Activity::OpenMpWait],
                        life = times_->life + thread_->record->preempted;
    const std::uint64_t in_mpi = ticks_.mpi();
    const auto part = static_cast<std::uint64_t>(static_cast<double>(life) * outside_part_);
    return std::max(busy, std::min(part, life > in_mpi ? life - in_mpi : 0));
}

void ProcessBreakdown::end() {
    const std::uint64_t worked = ticks_[Activity::Computation];
    if (thread_->record->index == 0) {
        outside_mpi_ = worked + ticks_[Activity::OpenMpWait];
        in_mpi_ = ticks_.mpi() - ticks_[Activity::MpiBeginEnd];
        first_worked_ = worked;
        const std::uint64_t life = times_->life + thread_->record->preempted,
                            without = ticks_[Activity::MpiBeginEnd] + times_->one_time_work;
        outside_part_ = outside_mpi_ != 0 && life > without
                            ? std::min(static_cast<double>(outside_mpi_) / static_cast<double>(life - without), 1.0)
                            : 1;
    }
    if (worker_) {
        workers_team_ += team_part();
        workers_worked_ += worked;
    }
    find_blocked();
    ticks_[Activity::Overhead] = overhead_ > 0 ? static_cast<std::uint64_t>(overhead_) : 0;
    ticks_[Activity::NoCore] = thread_->record->preempted;
    for (std::size_t i = 0; i < ActivityCount; ++i)
        all_.of[i] += ticks_.of[i];
}

std::uint64_t ProcessBreakdown::Ticks::mpi() const {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < ActivityCount; ++i)
        if (is_mpi(static_cast<Activity>(i)))
            sum += of[i];
    return sum;
}

Breakdown ProcessBreakdown::finish() const {
    const std::int32_t rank = std::max(image_.header().rank, 0);
    auto ns_of = [&](std::uint64_t ticks) {
        return whole_ns(static_cast<double>(ticks) * image_.clock().ns_per_tick());
    };
    auto of_rank = [&](std::uint64_t ticks) { return of_one_rank(ns_of(ticks), rank); };
    Breakdown breakdown;
    std::transform(all_.of.begin(), all_.of.end(), breakdown.times.begin(), of_rank);
    breakdown.outside_mpi = of_rank(outside_mpi_);
    breakdown.longest = ns_of(outside_mpi_ + in_mpi_);
    if (workers_team_ != 0) {
        breakdown.team = ns_of(outside_mpi_ + workers_team_);
        breakdown.worked = ns_of(first_worked_ + workers_worked_);
    }
    if (const vfd::ParallelTimes& until = image_.header().until_collation; until.longest != 0) {
        breakdown.outside_mpi = of_one_rank(until.outside_mpi, rank);
        breakdown.longest = until.longest;
        breakdown.team = until.team;
        breakdown.worked = until.worked;
    }
    return breakdown;
}

Breakdown breakdown_of(const vfd::Image& image) {
    Names names(image, symbols::ModuleIds::Always);
    ProcessBreakdown breakdown(image, names);
    for (const vfd::ThreadView& thread : image.threads()) {
        if (thread.node_count == 0)
            continue;
        const ThreadTimes times = thread_times(thread, image.header().costs, end_of(image, *thread.record));
        breakdown.begin(thread, times);
        for_each_node(thread, [&](std::uint32_t id, const vfd::Node& node) { breakdown.add(id, node); });
        breakdown.end();
    }
    return breakdown.finish();
}

} // namespace vftr::analysis
