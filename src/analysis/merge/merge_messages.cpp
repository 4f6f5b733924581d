// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/merge/merge_messages.hpp"

#include "analysis/merge/unite.hpp"

#include <algorithm>

namespace vftr::analysis {
namespace {

void unite(Profile& profile) {
    unite(
        profile.messages, [](const PathMessages& entry) { return entry.node; },
        [](PathMessages& into, const PathMessages& from) {
            into.sent.add(from.sent);
            into.received.add(from.received);
        });
    unite(
        profile.matrix, [](const MatrixCell& cell) { return cell.pair; },
        [](MatrixCell& into, const MatrixCell& from) { into.sum.add(from.sum); });
}

// Whether path a comes before b, compared by names from the callee outwards, as indices depend on the order of merging,
// and names do not.
bool path_before(const Profile& profile, std::uint32_t a, std::uint32_t b) {
    while (a != b) {
        int order = profile.names[profile.nodes[a].name].compare(profile.names[profile.nodes[b].name]);
        if (order != 0)
            return order < 0;
        if (a == 0 || b == 0)
            return a == 0;
        a = profile.nodes[a].parent;
        b = profile.nodes[b].parent;
    }
    return false;
}

bool heavier(const Profile& profile, const MatrixCell& a, const MatrixCell& b) {
    if (a.sum.bytes != b.sum.bytes)
        return a.sum.bytes > b.sum.bytes;
    if (a.sum.messages != b.sum.messages)
        return a.sum.messages > b.sum.messages;
    if (a.pair.from != b.pair.from)
        return a.pair.from < b.pair.from;
    if (a.pair.to != b.pair.to)
        return a.pair.to < b.pair.to;
    if (a.pair.got != b.pair.got)
        return b.pair.got;
    return path_before(profile, a.pair.node, b.pair.node);
}

} // namespace

void add_messages(Profile& into, const Profile& from, const std::vector<std::uint32_t>& place) {
    into.messages.reserve(into.messages.size() + from.messages.size());
    for (PathMessages entry : from.messages) {
        entry.node = place[entry.node];
        into.messages.push_back(entry);
    }
    into.matrix.reserve(into.matrix.size() + from.matrix.size());
    for (MatrixCell cell : from.matrix) {
        cell.pair.node = place[cell.pair.node];
        into.matrix.push_back(cell);
    }
    unite(into);
    into.lighter_pairs.pairs += from.lighter_pairs.pairs;
    into.lighter_pairs.sum.add(from.lighter_pairs.sum);
}

void renumber_messages(Profile& profile, const std::vector<std::uint32_t>& place) {
    for (PathMessages& entry : profile.messages)
        entry.node = place[entry.node];
    for (MatrixCell& cell : profile.matrix)
        cell.pair.node = place[cell.pair.node];
    unite(profile);
}

void keep_heaviest_pairs(Profile& profile) {
    if (profile.world_size <= ExactRanks || profile.matrix.size() <= HeaviestPairs)
        return;
    auto end_of_kept = profile.matrix.begin() + HeaviestPairs;
    std::nth_element(profile.matrix.begin(), end_of_kept, profile.matrix.end(),
                     [&](const MatrixCell& a, const MatrixCell& b) { return heavier(profile, a, b); });
    for (auto cell = end_of_kept; cell != profile.matrix.end(); ++cell)
        profile.lighter_pairs.sum.add(cell->sum);
    profile.lighter_pairs.pairs += static_cast<std::uint64_t>(profile.matrix.end() - end_of_kept);
    profile.matrix.erase(end_of_kept, profile.matrix.end());
    std::sort(profile.matrix.begin(), profile.matrix.end(),
              [](const MatrixCell& a, const MatrixCell& b) { return a.pair < b.pair; });
    profile.matrix.shrink_to_fit();
}

} // namespace vftr::analysis
