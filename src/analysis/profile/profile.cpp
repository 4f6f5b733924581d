// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/profile/profile.hpp"

#include <algorithm>
#include <cmath>

namespace vftr::analysis {

namespace {

// Drops the sign of a value that a table shows as 0.
double below_average(double percent) {
    constexpr double Smallest = 0.005;
    return percent < Smallest ? percent : -percent;
}

} // namespace

Imbalance imbalance(const Profile& profile, const RankStat& s, bool everywhere) {
    if (s.sum == 0 || profile.rank_count == 0)
        return {0, s.max_rank};
    // Both sides are multiplied by the number of ranks, so that the comparison is exact.
    using Wide = __int128;
    Wide above = static_cast<Wide>(s.max) * profile.rank_count - s.sum;
    Wide below = static_cast<Wide>(s.sum) - static_cast<Wide>(s.min) * profile.rank_count;
    // The smallest value may be that of a rank that has nothing to measure, whose -100 % would hide all other ranks.
    if (above >= below || !everywhere)
        return {100 * static_cast<double>(above) / static_cast<double>(s.sum), s.max_rank};
    return {below_average(100 * static_cast<double>(below) / static_cast<double>(s.sum)), s.min_rank};
}

double Uncertainty::percent() const {
    const double by_chance = 2 * 1000 * std::sqrt(static_cast<double>(variance));
    return exclusive == 0 ? 0
                          : 100 * std::hypot(by_chance, static_cast<double>(unknown)) / static_cast<double>(exclusive);
}

double thread_imbalance(const PathNode& node) {
    if (node.exclusive == 0 || node.threads == 0)
        return 0;
    const double average = static_cast<double>(node.exclusive) / node.threads;
    return std::max(0.0, 100 * (static_cast<double>(node.longest_thread) / average - 1));
}

std::string call_path(const Profile& profile, std::uint32_t node) {
    std::string path = profile.names[profile.nodes[node].name];
    while (node != 0) {
        node = profile.nodes[node].parent;
        path += '<';
        path += profile.names[profile.nodes[node].name];
    }
    return path;
}

} // namespace vftr::analysis
