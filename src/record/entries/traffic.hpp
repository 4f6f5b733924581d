// SPDX-License-Identifier: BSD-3-Clause
//
// What a thread adds up by call path: messages, the teams that it forked, estimates of sampled paths, and durations.
#pragma once

#include "record/entries/sum_table.hpp"
#include "vfd/format.hpp"

#include <cstddef>
#include <cstdint>

namespace vftr::record {

// The first two words of a Traffic record, which identify it.
struct TrafficKey {
    std::uint64_t origin, target;
    bool operator==(const TrafficKey&) const = default;
};
static_assert(offsetof(vfd::Traffic, transfers) == sizeof(TrafficKey));

inline TrafficKey traffic_key(std::uint32_t thread, std::uint32_t node, std::uint32_t target, vfd::Direction direction,
                              vfd::Span span) {
    return {thread | std::uint64_t{node} << 32,
            target | static_cast<std::uint64_t>(direction) << 32 | static_cast<std::uint64_t>(span) << 40};
}

// Multiplication by odd constants; the high bits are folded down (Fibonacci hashing, Knuth).
inline std::uint64_t hash_of(const TrafficKey& key) {
    std::uint64_t h = (key.origin * 0x9e3779b97f4a7c15u ^ (key.origin >> 29)) + key.target;
    h *= 0xbf58476d1ce4e5b9u;
    return h ^ (h >> 32);
}

struct TeamKey {
    std::uint32_t thread, node;
    bool operator==(const TeamKey&) const = default;
};
static_assert(offsetof(vfd::Team, largest) == sizeof(TeamKey));

inline std::uint64_t hash_of(const TeamKey& key) {
    return hash_of(TrafficKey{key.thread | std::uint64_t{key.node} << 32, 0});
}

struct EstimateKey {
    std::uint32_t node;
    bool operator==(const EstimateKey&) const = default;
};
static_assert(offsetof(vfd::Estimate, stride) == sizeof(EstimateKey));

inline std::uint64_t hash_of(const EstimateKey& key) { return hash_of(TrafficKey{key.node, 0}); }

static_assert(offsetof(vfd::UnseenCalls, reserved) == sizeof(EstimateKey));

struct DurationKey {
    std::uint32_t node, octave;
    bool operator==(const DurationKey&) const = default;
};
static_assert(offsetof(vfd::CallDurations, shortest) == sizeof(DurationKey));

inline std::uint64_t hash_of(const DurationKey& key) {
    return hash_of(TrafficKey{key.node | std::uint64_t{key.octave} << 32, 0});
}

using TrafficTable = SumTable<vfd::Traffic, TrafficKey, vfd::SegmentKind::Traffic>;
using TeamTable = SumTable<vfd::Team, TeamKey, vfd::SegmentKind::Teams>;
using EstimateTable = SumTable<vfd::Estimate, EstimateKey, vfd::SegmentKind::Estimates>;
using DurationTable = SumTable<vfd::CallDurations, DurationKey, vfd::SegmentKind::Durations>;
using UnseenTable = SumTable<vfd::UnseenCalls, EstimateKey, vfd::SegmentKind::Unseen>;

} // namespace vftr::record
