// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/profile/rank_list.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

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

void RankList::remove(std::int32_t rank) {
    const std::vector<Range> before = std::exchange(ranges_, {});
    for (const Range& range : before) {
        if (rank < range.first || rank > range.last) {
            ranges_.push_back(range);
            continue;
        }
        if (range.first < rank)
            ranges_.push_back({range.first, rank - 1});
        if (rank < range.last)
            ranges_.push_back({rank + 1, range.last});
    }
}

bool RankList::contains(std::int32_t rank) const {
    return std::any_of(ranges_.begin(), ranges_.end(),
                       [rank](const Range& range) { return range.first <= rank && rank <= range.last; });
}

std::uint64_t RankList::count() const {
    std::uint64_t ranks = 0;
    for (const Range& range : ranges_)
        ranks += static_cast<std::uint64_t>(std::int64_t{range.last} - range.first + 1);
    return ranks;
}

RankList ranks_without(std::span<const std::int32_t> there, std::int32_t size) {
    RankList missing;
    std::int64_t next = 0;
    for (const std::int32_t rank : there) {
        if (rank > next)
            missing.add(static_cast<std::int32_t>(next), rank - 1);
        next = std::int64_t{rank} + 1;
    }
    if (next < size)
        missing.add(static_cast<std::int32_t>(next), size - 1);
    return missing;
}

} // namespace vftr::analysis
