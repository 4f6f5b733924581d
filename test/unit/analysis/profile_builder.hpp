// SPDX-License-Identifier: BSD-3-Clause
//
// Profiles for tests, written down as call paths.
#pragma once

#include "analysis/profile/profile.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>

namespace vftr::test {

constexpr std::uint64_t Ms = 1000000; // in nanoseconds

inline std::uint32_t name_index(analysis::Profile& profile, std::string_view name) {
    auto found = std::find(profile.names.begin(), profile.names.end(), name);
    if (found == profile.names.end())
        found = profile.names.emplace(found, name);
    return static_cast<std::uint32_t>(found - profile.names.begin());
}

// The index of "f<main<init", added with its callers where it is new.
inline std::uint32_t path_index(analysis::Profile& profile, std::string_view path) {
    if (path == "init")
        return 0;
    std::size_t end = path.find('<');
    if (end == path.npos)
        throw std::logic_error("a path ends in init");
    std::uint32_t parent = path_index(profile, path.substr(end + 1));
    std::uint32_t name = name_index(profile, path.substr(0, end));
    for (std::uint32_t i = 1; i < profile.nodes.size(); ++i)
        if (profile.nodes[i].parent == parent && profile.nodes[i].name == name)
            return i;
    analysis::PathNode node;
    node.parent = parent;
    node.name = name;
    node.ranks = 1;
    profile.nodes.push_back(node);
    if (!profile.extremes.empty())
        profile.extremes.push_back(
            {analysis::of_one_rank(0, profile.first_rank), analysis::of_one_rank(0, profile.first_rank)});
    return static_cast<std::uint32_t>(profile.nodes.size() - 1);
}

inline analysis::Profile one_rank(std::int32_t rank) {
    analysis::Profile profile;
    profile.first_rank = rank;
    profile.rank_count = 1;
    profile.names = {"init"};
    analysis::PathNode root;
    root.kind = analysis::NodeKind::Root;
    root.ranks = 1;
    profile.nodes.push_back(root);
    profile.sent_bytes = profile.received_bytes = profile.sent_messages = profile.received_messages =
        analysis::of_one_rank(0, rank);
    return profile;
}

inline void add(analysis::Profile& profile, std::string_view path, std::uint64_t calls, std::uint64_t exclusive_ns,
                std::uint64_t inclusive_ns) {
    analysis::PathNode& node = profile.nodes[path_index(profile, path)];
    node.calls += calls;
    node.exclusive = exclusive_ns;
    node.inclusive = inclusive_ns;
    profile.summary.runtime_sum += exclusive_ns;
}

inline void add_to(analysis::RankStat& stat, std::uint64_t value) { stat.sum = stat.min = stat.max = stat.sum + value; }

inline analysis::PathMessages& messages_at(analysis::Profile& profile, std::uint32_t node) {
    auto place = std::find_if(profile.messages.begin(), profile.messages.end(),
                              [&](const analysis::PathMessages& entry) { return entry.node >= node; });
    if (place == profile.messages.end() || place->node != node)
        place = profile.messages.insert(place, {node, {}, {}});
    return *place;
}

// Messages of a profile of one rank to another, on a path. got: one-sided, from the other to this one.
inline void add_sent(analysis::Profile& profile, std::string_view path, std::uint32_t to,
                     const analysis::MessageSum& sum, bool got = false, bool per_path = false) {
    const std::uint32_t node = path_index(profile, path);
    auto rank = static_cast<std::uint32_t>(profile.first_rank);
    (got ? messages_at(profile, node).received : messages_at(profile, node).sent).add(sum);
    add_to(got ? profile.received_bytes : profile.sent_bytes, sum.bytes);
    add_to(got ? profile.received_messages : profile.sent_messages, sum.messages);
    analysis::RankPair pair{got ? to : rank, got ? rank : to, per_path ? node : 0, got};
    auto cell = std::find_if(profile.matrix.begin(), profile.matrix.end(),
                             [&](const analysis::MatrixCell& other) { return other.pair >= pair; });
    if (cell == profile.matrix.end() || cell->pair != pair)
        cell = profile.matrix.insert(cell, {pair, {}});
    cell->sum.add(sum);
}

inline void add_received(analysis::Profile& profile, std::string_view path, const analysis::MessageSum& sum) {
    messages_at(profile, path_index(profile, path)).received.add(sum);
    add_to(profile.received_bytes, sum.bytes);
    add_to(profile.received_messages, sum.messages);
}

// A thread of a profile of one rank, created by thread 0 on a path ("": not known).
inline analysis::ThreadRow& add_thread(analysis::Profile& profile, std::uint32_t index, std::string_view created_on,
                                       std::uint64_t in_functions_ns, std::uint64_t life_ns) {
    analysis::ThreadRow row;
    row.id = {profile.first_rank, 100 + static_cast<std::uint32_t>(profile.first_rank), index};
    row.tid = row.id.process + index;
    if (!created_on.empty()) {
        row.parent = 0;
        row.node = path_index(profile, created_on);
    }
    row.end = row.life = life_ns;
    row.in_functions = in_functions_ns;
    profile.thread_totals.add(row);
    profile.threads.push_back(row);
    return profile.threads.back();
}

inline const analysis::PathNode& at(const analysis::Profile& profile, const std::string& path) {
    for (std::uint32_t i = 0; i < profile.nodes.size(); ++i)
        if (analysis::call_path(profile, i) == path)
            return profile.nodes[i];
    throw std::runtime_error("no path " + path);
}

inline std::uint32_t index_at(const analysis::Profile& profile, const std::string& path) {
    return static_cast<std::uint32_t>(&at(profile, path) - profile.nodes.data());
}
inline analysis::RankStat exclusive_at(const analysis::Profile& profile, const std::string& path) {
    return profile.exclusive(index_at(profile, path));
}
inline analysis::RankStat inclusive_at(const analysis::Profile& profile, const std::string& path) {
    return profile.inclusive(index_at(profile, path));
}

inline bool has(const analysis::Profile& profile, const std::string& path) {
    for (std::uint32_t i = 0; i < profile.nodes.size(); ++i)
        if (analysis::call_path(profile, i) == path)
            return true;
    return false;
}

} // namespace vftr::test
