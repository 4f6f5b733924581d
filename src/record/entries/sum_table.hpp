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
#include "base/memory.hpp"
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
        if (latest_ && key_of(*latest_) == key)
            return latest_;
        return find(key, owner);
    }
    std::uint32_t size() const { return used_; }

private:
    static constexpr std::uint64_t FirstSlots = 256;
    static constexpr std::size_t FirstSegmentBytes = 4096;
    static constexpr std::uint32_t MostDoublings = 12; // up to segments of 16 MiB, with 400 thousand records each

    static Key key_of(const Record& record) {
        Key key;
        std::memcpy(&key, &record, sizeof key);
        return key;
    }

    Record* find(const Key& key, std::uint32_t owner) {
        if (slots_)
            for (std::uint64_t i = hash_of(key) & mask_; slots_[i]; i = (i + 1) & mask_)
                if (key_of(*slots_[i]) == key)
                    return latest_ = slots_[i];
        Record* record = base::preserving_errno([&] { return make_room() ? append(key, owner) : nullptr; });
        return record ? latest_ = record : nullptr;
    }

    Record* append(const Key& key, std::uint32_t owner) {
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
        put(record, slots_, mask_);
        ++used_;
        return record;
    }

    static void put(Record* record, Record** slots, std::uint64_t mask) {
        std::uint64_t i = hash_of(key_of(*record)) & mask;
        while (slots[i])
            i = (i + 1) & mask;
        slots[i] = record;
    }

    // Without memory to grow, the table may get fuller than intended: lookups then take longer, but still end.
    bool make_room() {
        std::uint64_t wanted = std::uint64_t{used_} + 1;
        return (slots_ && 2 * wanted <= mask_) || grow() || (slots_ && 16 * wanted <= 15 * mask_);
    }

    bool grow() {
        std::uint64_t count = slots_ ? 2 * (mask_ + 1) : FirstSlots;
        auto* bigger = static_cast<Record**>(base::map_anonymous(count * sizeof(Record*)));
        if (!bigger)
            return false;
        Record** old = slots_;
        std::uint64_t old_count = old ? mask_ + 1 : 0;
        for (std::uint64_t n = 0; n < old_count; ++n)
            if (old[n])
                put(old[n], bigger, count - 1);
        slots_ = bigger;
        mask_ = count - 1;
        if (old)
            base::unmap(old, old_count * sizeof(Record*));
        return true;
    }

    Record* latest_;
    Record** slots_; // open addressing, never full
    std::uint64_t mask_;
    std::uint32_t used_;
    std::uint32_t sequence_;
    vfd::SegmentHeader* segment_; // the segment that is being filled
};

} // namespace vftr::record
