// SPDX-License-Identifier: BSD-3-Clause
//
// Records of a thread that are added up: they lie in segments of the file, with an index in private memory.
//
// Cost of an addition: one compare of the key if it is the same record as the time before; otherwise a hash, the slot,
// and the record to which it points. Only a new record may need a system call.
//
// Order of the stores: a record has its key before `used` covers it, and is published before the index contains it. If
// the work is abandoned in between (a signal handler that jumps away), there is at most a second record with the same
// key; readers add the two up.
#pragma once

#include "base/errno_preserved.hpp"
#include "base/probe_table.hpp"
#include "vfd/writer.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>

namespace vftr::record {

vfd::SegmentHeader* new_sum_segment(vfd::SegmentKind kind, std::uint32_t owner, std::uint32_t sequence,
                                    std::size_t bytes);

// The key is the first bytes of a record, and has a function hash_of. A table belongs to a thread record. All zeros is
// an empty table. Its memory is never returned: it lives as long as the process.
template <class Record, class Key, vfd::SegmentKind kind>
class SumTable {
public:
    // The record of a key, which is made if there is none. `owner`: index of the thread record. nullptr: no memory.
    Record* at(const Key& key, std::uint32_t owner) {
        Record* const latest = same_as_before(key);
        return latest ? latest : find(key, owner);
    }
    // The record of a key if it is the same as the time before; nullptr otherwise.
    Record* same_as_before(const Key& key) const { return latest_ && key_of(*latest_) == key ? latest_ : nullptr; }
    std::uint32_t size() const { return static_cast<std::uint32_t>(table_.size()); }

private:
    static constexpr std::size_t FirstSegmentBytes = 4096;
    static constexpr std::uint32_t MostDoublings = 12; // up to segments of 16 MiB, with 400 thousand records each

    static Key key_of(const Record& record) {
        Key key;
        std::memcpy(&key, &record, sizeof key);
        return key;
    }

    Record* find(const Key& key, std::uint32_t owner) {
        const std::uint64_t hash = hash_of(key);
        if (Record* known = table_.find(hash, [&](const Record& record) { return key_of(record) == key; }))
            return latest_ = known;
        Record* record = base::preserving_errno([&]() -> Record* {
            const bool room = table_.make_room([](const Record& other) { return hash_of(key_of(other)); });
            return room ? append(key, hash, owner) : nullptr;
        });
        return record ? latest_ = record : nullptr;
    }

    Record* append(const Key& key, std::uint64_t hash, std::uint32_t owner) {
        if (!segment_ || segment_->payload_offset + segment_->used + sizeof(Record) > segment_->capacity) {
            // Segments grow with the table, so that a thread with few records takes little space.
            std::size_t bytes = (FirstSegmentBytes << std::min(sequence_, MostDoublings)) - sizeof(vfd::SegmentHeader);
            vfd::SegmentHeader* fresh = new_sum_segment(kind, owner, sequence_, bytes);
            if (!fresh)
                return nullptr;
            segment_ = fresh;
            ++sequence_;
        }
        auto* record = reinterpret_cast<Record*>(vfd::payload<std::byte>(segment_) + segment_->used);
        std::memcpy(static_cast<void*>(record), &key, sizeof key);
        std::atomic_ref(segment_->used).store(segment_->used + sizeof(Record), std::memory_order_release);
        table_.insert(hash, record);
        return record;
    }

    Record* latest_;
    base::ProbeTable<Record, base::Outgrown::Unmapped, 256> table_;
    std::uint32_t sequence_;
    vfd::SegmentHeader* segment_; // the segment that is being filled
};

} // namespace vftr::record
