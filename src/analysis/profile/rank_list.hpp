// SPDX-License-Identifier: BSD-3-Clause
//
// A set of ranks, kept as ranges, so that a contiguous quarter of a large job takes no more memory than one rank.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

namespace vftr::analysis {

class RankList {
public:
    struct Range {
        std::int32_t first, last;
        bool operator==(const Range&) const = default;
    };

    RankList() = default;
    RankList(std::initializer_list<std::int32_t> ranks) {
        for (std::int32_t rank : ranks)
            add(rank, rank);
    }

    void add(std::int32_t rank) { add(rank, rank); }
    // Adds the ranks first … last (last >= first), some of which may be in the list already.
    void add(std::int32_t first, std::int32_t last);
    void add(const RankList& other);
    void remove(std::int32_t rank);
    bool contains(std::int32_t rank) const;

    bool empty() const { return ranges_.empty(); }
    std::uint64_t count() const;
    // In ascending order, with a gap of at least one rank between two ranges.
    const std::vector<Range>& ranges() const { return ranges_; }
    bool operator==(const RankList&) const = default;

private:
    std::vector<Range> ranges_;
};

// Those of 0 … size - 1 that are not `there`, which ascend.
RankList ranks_without(std::span<const std::int32_t> there, std::int32_t size);

} // namespace vftr::analysis
