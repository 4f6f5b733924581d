// SPDX-License-Identifier: BSD-3-Clause
//
// The breakdown of one process's time (breakdown.hpp), thread by thread.
#pragma once

#include "analysis/profile/breakdown.hpp"
#include "analysis/recording/naming.hpp"
#include "analysis/recording/thread_times.hpp"
#include "vfd/image.hpp"

#include <array>
#include <cstdint>
#include <string_view>
#include <unordered_map>

namespace vftr::analysis {

// The activity of an MPI function such as "MPI_Allreduce". The large-count and Fortran forms differ from that name by a
// suffix only.
Activity activity_of_mpi(std::string_view function);

// Image and names must outlive it.
class ProcessBreakdown {
public:
    ProcessBreakdown(const vfd::Image& image, Names& names) : image_(image), names_(names) {}

    // Threads are added one after the other: begin(), then add() once for each node, then end().
    void begin(const vfd::ThreadView& thread, const ThreadTimes& times);
    void add(std::uint32_t id, const vfd::Node& node) {
        const std::uint64_t exclusive = times_->of[id].exclusive;
        overhead_ += static_cast<std::int64_t>(times_->of[id].raw_exclusive - exclusive);
        ticks_[node.kind == vfd::NodeKind::Function ? Activity::Computation : activity_of(id, node)] += exclusive;
    }
    void end();

    Breakdown finish() const;

private:
    Activity activity_of(std::uint32_t id, const vfd::Node& node);
    void find_blocked();
    std::uint64_t team_part();

    struct Ticks {
        std::array<std::uint64_t, ActivityCount> of{};
        std::uint64_t& operator[](Activity activity) { return of[static_cast<std::size_t>(activity)]; }
        std::uint64_t mpi() const;
    };

    const vfd::Image& image_;
    Names& names_;
    std::unordered_map<std::uint64_t, Activity> of_key_; // activities of MPI functions, by node key
    // State of the thread that is being added.
    const vfd::ThreadView* thread_ = nullptr;
    const ThreadTimes* times_ = nullptr;
    bool worker_ = false;
    Ticks ticks_;
    std::int64_t overhead_ = 0;
    // The sums over all threads so far.
    Ticks all_;
    // Times of the process's first thread, which is added first.
    std::uint64_t outside_mpi_ = 0, in_mpi_ = 0, first_worked_ = 0;
    double outside_part_ = 1; // the part outside of MPI of its life without MPI's begin and end and one-time work
    std::uint64_t workers_team_ = 0, workers_worked_ = 0;
};

// The breakdown of one recording. Throws vfd::Error.
Breakdown breakdown_of(const vfd::Image& image);

} // namespace vftr::analysis
