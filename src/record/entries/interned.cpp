// SPDX-License-Identifier: BSD-3-Clause
#include "record/entries/interned.hpp"

#include <algorithm>
#include <cstring>
#include <mutex>

namespace vftr::record {

namespace {

constexpr std::uint64_t FirstSlots = 128;
constexpr std::size_t FirstSegmentBytes = 4096;
constexpr std::uint32_t MostDoublings = 8;

static_assert(offsetof(vfd::GroupRecord, run_count) == 4 && offsetof(vfd::GroupRecord, size) == 8);
static_assert(offsetof(vfd::TypeRecord, name_size) == 4 && offsetof(vfd::TypeRecord, size) == 8);

// FNV-1a, 64 bit (Fowler, Noll, Vo).
std::uint64_t hash(std::uint32_t parts, std::uint64_t size, std::span<const std::byte> tail) {
    std::uint64_t h = 0xcbf29ce484222325u;
    auto add = [&h](std::uint64_t value) { h = (h ^ value) * 0x100000001b3u; };
    add(parts);
    add(size);
    for (std::byte b : tail)
        add(static_cast<std::uint64_t>(b));
    return h ^ (h >> 32);
}

} // namespace

void Interned::create(vfd::Writer* writer, vfd::SegmentKind kind) {
    writer_ = writer;
    kind_ = kind;
    slots_ = nullptr;
    mask_ = used_ = 0;
    sequence_ = 0;
    segment_ = nullptr;
    lock_.unlock();
}

void Interned::put(const Slot& slot) {
    std::uint64_t i = slot.hash & mask_;
    while (slots_[i].record)
        i = (i + 1) & mask_;
    slots_[i] = slot;
}

bool Interned::make_room() {
    if (slots_ && 2 * (used_ + 1) <= mask_)
        return true;
    Slot* old = slots_;
    std::uint64_t old_count = old ? mask_ + 1 : 0, count = old ? 2 * old_count : FirstSlots;
    auto* bigger = static_cast<Slot*>(base::map_anonymous(count * sizeof(Slot)));
    if (!bigger)
        return false;
    slots_ = bigger;
    mask_ = count - 1;
    for (std::uint64_t i = 0; i < old_count; ++i)
        if (old[i].record)
            put(old[i]);
    if (old)
        base::unmap(old, old_count * sizeof(Slot));
    return true;
}

Interned::Head* Interned::append(std::uint32_t parts, std::uint64_t size, std::span<const std::byte> tail) {
    std::size_t bytes = (sizeof(Head) + tail.size() + 7) / 8 * 8;
    if (!segment_ || segment_->payload_offset + segment_->used + bytes > segment_->capacity) {
        std::size_t usual = (FirstSegmentBytes << std::min(sequence_, MostDoublings)) - sizeof(vfd::SegmentHeader);
        vfd::SegmentHeader* fresh = writer_->allocate(kind_, 0, sequence_, std::max(bytes, usual));
        if (!fresh)
            return nullptr;
        segment_ = fresh;
        ++sequence_;
    }
    auto* record = reinterpret_cast<Head*>(vfd::payload<std::byte>(segment_) + segment_->used);
    *record = {++count_, parts, size};
    if (!tail.empty())
        std::memcpy(record + 1, tail.data(), tail.size());
    std::atomic_ref(segment_->used).store(segment_->used + bytes, std::memory_order_release);
    return record;
}

std::uint32_t Interned::intern(std::uint32_t parts, std::uint64_t size, std::span<const std::byte> tail) {
    std::uint64_t code = hash(parts, size, tail);
    std::lock_guard guard(lock_);
    if (!writer_ || !make_room())
        return 0;
    for (std::uint64_t i = code & mask_; slots_[i].record; i = (i + 1) & mask_) {
        const Slot& slot = slots_[i];
        if (slot.hash == code && slot.record->parts == parts && slot.record->size == size &&
            slot.tail_bytes == tail.size() &&
            std::equal(tail.begin(), tail.end(), reinterpret_cast<const std::byte*>(slot.record + 1)))
            return slot.record->id;
    }
    const Head* record = append(parts, size, tail);
    if (!record)
        return 0;
    put({code, record, tail.size()});
    ++used_;
    return record->id;
}

std::uint64_t Interned::size_of(std::uint32_t id) {
    std::lock_guard guard(lock_);
    for (std::uint64_t i = 0; slots_ && i <= mask_; ++i)
        if (slots_[i].record && slots_[i].record->id == id)
            return slots_[i].record->size;
    return 0;
}

} // namespace vftr::record
