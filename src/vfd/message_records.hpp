// SPDX-License-Identifier: BSD-3-Clause
//
// Reads the records of groups, MPI types and sums of messages.
#pragma once

#include "vfd/source.hpp"

#include <algorithm>
#include <vector>

namespace vftr::vfd {

// A group with more members counts as damage: no machine has that many ranks, and readers expand groups.
inline constexpr std::uint64_t MostRanks = std::uint64_t{1} << 24;

// These append the records of the segment to `out`. They throw Error for damaged records.
void read_groups(const Segment& segment, const Source& source, std::vector<GroupView>& out);
void read_types(const Segment& segment, const Source& source, std::vector<TypeView>& out);
std::span<const Traffic> read_traffic(const Segment& segment, const Source& source);

// Throws Error if two of them have the same id.
template <class View>
void order_by_id(std::vector<View>& views, const Source& source) {
    std::sort(views.begin(), views.end(), [](const View& a, const View& b) { return a.id < b.id; });
    auto same = [](const View& a, const View& b) { return a.id == b.id; };
    source.require(std::adjacent_find(views.begin(), views.end(), same) == views.end(), source.bytes().data(),
                   "two groups or types of one id");
}

// Finds a view by its id among views that are in order of ids.
template <class View>
const View* with_id(const std::vector<View>& views, std::uint32_t id) {
    auto at = std::lower_bound(views.begin(), views.end(), id,
                               [](const View& view, std::uint32_t wanted) { return view.id < wanted; });
    return at != views.end() && at->id == id ? &*at : nullptr;
}

} // namespace vftr::vfd
