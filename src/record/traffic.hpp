// SPDX-License-Identifier: BSD-3-Clause
//
// The messages of a thread, added up: Traffic records in segments of the file and an index of them
// in private memory.
//
// Price of an addition: a compare of two words where it is the same record as the time before; else
// a hash, the slot and the record it points to. Only a new record may need a system call.
//
// Order of the stores: a record is complete before `used` covers it, and published before the index
// knows it. Work that is abandoned in between (a signal handler that jumps away) leaves at most a
// second record of the same key; readers add them up.
#pragma once

#include "vfd/format.hpp"

#include <cstring>

namespace vftr::record {

// The first two words of a Traffic record: what makes it another one.
struct TrafficKey {
    std::uint64_t origin, target;
    bool operator==(const TrafficKey&) const = default;
};
static_assert(offsetof(vfd::Traffic, transfers) == sizeof(TrafficKey));

inline TrafficKey traffic_key(std::uint32_t thread, std::uint32_t node, std::uint32_t target,
                              vfd::Direction direction, vfd::Span span) {
    return {thread | std::uint64_t{node} << 32, target |
                                                    static_cast<std::uint64_t>(direction) << 32 |
                                                    static_cast<std::uint64_t>(span) << 40};
}

// Belongs to a thread record. All zeros is an empty one. Its memory is never given back: it lives
// as long as the process.
class TrafficTable {
public:
    // The record of a key, made if there is none; `owner`: index of the thread record. nullptr: no
    // memory.
    vfd::Traffic* at(const TrafficKey& key, std::uint32_t owner) {
        if (latest_ && key_of(*latest_) == key)
            return latest_;
        return find(key, owner);
    }
    std::uint32_t size() const { return used_; }

private:
    static TrafficKey key_of(const vfd::Traffic& record) {
        TrafficKey key;
        std::memcpy(&key, &record, sizeof key);
        return key;
    }
    vfd::Traffic* find(const TrafficKey& key, std::uint32_t owner);
    vfd::Traffic* append(const TrafficKey& key, std::uint32_t owner);
    bool make_room();
    bool grow();

    vfd::Traffic* latest_;
    vfd::Traffic** slots_; // open addressing, never full
    std::uint64_t mask_;
    std::uint32_t used_;
    std::uint32_t sequence_;
    vfd::SegmentHeader* segment_; // the one that is being filled
};

} // namespace vftr::record
