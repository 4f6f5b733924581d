// SPDX-License-Identifier: BSD-3-Clause
#include "record/entries/entry_names.hpp"

#include "base/fnv.hpp"
#include "base/signal_mask.hpp"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <new>

namespace vftr::record {

using vfd::NameRecord;
using vfd::NodeKind;

namespace {

constexpr std::size_t SegmentBytes = 4096 - sizeof(vfd::SegmentHeader);
constexpr std::size_t MaxName = 4096; // longer names are cut

std::string_view name_of(const NameRecord& record) { return {reinterpret_cast<const char*>(&record + 1), record.size}; }

std::uint64_t hash(std::string_view name, NodeKind kind) {
    base::Fnv1a64 hash;
    hash.add(static_cast<std::uint64_t>(kind));
    hash.add(name);
    return hash.value() ^ (hash.value() >> 32);
}
std::uint64_t hash_of_record(const NameRecord& record) { return hash(name_of(record), record.kind); }

} // namespace

void Names::create(vfd::Writer* writer) {
    writer_ = writer;
    table_ = {};
    sequence_ = 0;
    segment_ = nullptr;
    room_ = 0;
    lock_.unlock();
}

const NameRecord* Names::append(std::string_view name, NodeKind kind, std::uint64_t key) {
    std::size_t bytes = (sizeof(NameRecord) + name.size() + 7) / 8 * 8;
    if (!segment_ || segment_->used + bytes > room_) {
        std::size_t wanted = std::max(bytes, SegmentBytes);
        segment_ = writer_->allocate(vfd::SegmentKind::Names, 0, sequence_++, wanted);
        if (!segment_)
            return nullptr;
        room_ = segment_->capacity - segment_->payload_offset;
    }
    auto* record = reinterpret_cast<NameRecord*>(vfd::payload<std::byte>(segment_) + segment_->used);
    *record = {key, static_cast<std::uint32_t>(name.size()), 0, kind, 0};
    std::memcpy(record + 1, name.data(), name.size());
    std::atomic_ref(segment_->used).store(segment_->used + bytes, std::memory_order_release);
    return record;
}

std::uint64_t Names::known(std::string_view name, NodeKind kind) const {
    name = name.substr(0, MaxName);
    const NameRecord* record = table_.find(
        hash(name, kind), [&](const NameRecord& known) { return known.kind == kind && name_of(known) == name; });
    return record ? record->key : 0;
}

std::uint64_t Names::intern(std::string_view name, NodeKind kind) {
    name = name.substr(0, MaxName);
    if (std::uint64_t key = known(name, kind))
        return key;
    // A signal handler that jumps out would leave the lock held.
    base::InterruptionsDeferred blocked;
    std::lock_guard guard(lock_);
    std::uint64_t key = insert(name, kind, vfd::NamedKey | count_);
    count_ += key == (vfd::NamedKey | count_);
    return key;
}

std::uint64_t Names::adopt(std::string_view name, NodeKind kind, std::uint64_t key) {
    base::InterruptionsDeferred blocked;
    std::lock_guard guard(lock_);
    return insert(name.substr(0, MaxName), kind, key);
}

// Returns the key of the name, which becomes `new_key` if it has none yet.
std::uint64_t Names::insert(std::string_view name, NodeKind kind, std::uint64_t new_key) {
    if (std::uint64_t key = known(name, kind))
        return key;
    if (!table_.make_room(hash_of_record))
        return 0;
    const NameRecord* record = append(name, kind, new_key);
    if (!record)
        return 0;
    table_.insert(hash(name, kind), record);
    return record->key;
}

std::string_view Names::text(std::uint64_t key) const {
    std::string_view text;
    table_.for_each([&](const NameRecord& record) {
        if (record.key == key)
            text = name_of(record);
    });
    return text;
}

} // namespace vftr::record
