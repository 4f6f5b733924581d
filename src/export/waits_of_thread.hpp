// SPDX-License-Identifier: BSD-3-Clause
//
// Which of a run's wait states are those of one thread. They know ranks, and a rank may have several processes: the
// waits are those of the one that called MPI, not of its forked children.
#pragma once

#include "analysis/timeline/run_timeline.hpp"
#include "analysis/timeline/wait_states.hpp"
#include "vfd/format.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <tuple>

namespace vftr::exports {

// `waits` are by rank, thread and begin.
inline std::span<const analysis::Wait> waits_of_thread(const analysis::RunTimeline& run,
                                                       const analysis::RunThread& thread,
                                                       std::span<const analysis::Wait> waits) {
    const analysis::RunProcess& process = run.processes()[thread.process];
    const std::uint32_t flags = process.image->header().flags;
    if (!(flags & vfd::FlagMpi) || flags & vfd::FlagForked)
        return {};
    const std::tuple place(process.rank, thread.index);
    const auto place_of = [](const analysis::Wait& wait) { return std::tuple(wait.rank, wait.thread); };
    return {std::ranges::lower_bound(waits, place, {}, place_of), std::ranges::upper_bound(waits, place, {}, place_of)};
}

} // namespace vftr::exports
