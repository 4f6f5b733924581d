// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/profile/lost_time.hpp"

#include <algorithm>
#include <cstddef>

namespace vftr::analysis {

LostTime lost_time(std::vector<ThreadLoss> threads) {
    std::sort(threads.begin(), threads.end(), [](const ThreadLoss& a, const ThreadLoss& b) { return a.end < b.end; });
    std::vector<LostTime> most{{}}; // by n: the largest loss among the first n threads
    for (const ThreadLoss& thread : threads) {
        const auto later = std::upper_bound(
            threads.begin(), threads.begin() + static_cast<std::ptrdiff_t>(most.size()) - 1, thread.begin,
            [](std::uint64_t begin, const ThreadLoss& other) { return begin < other.end; });
        LostTime with = most[static_cast<std::size_t>(later - threads.begin())];
        with.hooks += thread.lost.hooks;
        with.mpi += thread.lost.mpi;
        with.waiting += thread.lost.waiting;
        with.one_time_work += thread.lost.one_time_work;
        with.uncertainty += thread.lost.uncertainty;
        most.push_back(with.sum() > most.back().sum() ? with : most.back());
    }
    return most.back();
}

} // namespace vftr::analysis
