// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/profile/rank_list.hpp"

#include <algorithm>
#include <iterator>

namespace vftr::analysis {

void RankList::add(std::int32_t first, std::int32_t last) {
    auto wide = [](std::int32_t rank) { return std::int64_t{rank}; };
    // Ranges that overlap the new one or are adjacent to it are merged with it.
    auto begin = std::partition_point(ranges_.begin(), ranges_.end(),
                                      [&](const Range& range) { return wide(range.last) + 1 < wide(first); });
    auto end = std::partition_point(begin, ranges_.end(),
                                    [&](const Range& range) { return wide(range.first) <= wide(last) + 1; });
    if (begin != end) {
        first = std::min(first, begin->first);
        last = std::max(last, std::prev(end)->last);
        begin = ranges_.erase(begin, end);
    }
    ranges_.insert(begin, {first, last});
}

void RankList::add(const RankList& other) {
    for (const Range& range : other.ranges_)
        add(range.first, range.last);
}

std::uint64_t RankList::count() const {
    std::uint64_t ranks = 0;
    for (const Range& range : ranges_)
        ranks += static_cast<std::uint64_t>(std::int64_t{range.last} - range.first + 1);
    return ranks;
}

} // namespace vftr::analysis
