// SPDX-License-Identifier: BSD-3-Clause
#include "record/entries/interned.hpp"

#include "base/fnv.hpp"

#include <algorithm>
#include <cstring>
#include <mutex>

namespace vftr::record {

namespace {

constexpr std::size_t FirstSegmentBytes = 4096;
constexpr std::uint32_t MostDoublings = 8;

static_assert(offsetof(vfd::GroupRecord, run_count) == 4 && offsetof(vfd::GroupRecord, size) == 8);
static_assert(offsetof(vfd::TypeRecord, name_size) == 4 && offsetof(vfd::TypeRecord, size) == 8);

std::uint64_t hash(std::uint64_t size, std::span<const std::byte> parts) {
    base::Fnv1a64 hash;
    hash.add(size);
    for (std::byte b : parts)
        hash.add(static_cast<std::uint64_t>(b));
    return hash.value() ^ (hash.value() >> 32);
}

} // namespace

void Interned::create(vfd::Writer* writer, vfd::SegmentKind kind) {
    writer_ = writer;
    kind_ = kind;
    part_bytes_ = kind == vfd::SegmentKind::Groups ? sizeof(vfd::GroupRun) : 1;
    table_ = {};
    sequence_ = 0;
    segment_ = nullptr;
    lock_.unlock();
}

std::span<const std::byte> Interned::parts_of(const Head& head) const {
    return {reinterpret_cast<const std::byte*>(&head + 1), head.parts * part_bytes_};
}

Interned::Head* Interned::append(std::uint64_t size, std::span<const std::byte> parts) {
    std::size_t bytes = (sizeof(Head) + parts.size() + 7) / 8 * 8;
    if (!segment_ || segment_->payload_offset + segment_->used + bytes > segment_->capacity) {
        std::size_t usual = (FirstSegmentBytes << std::min(sequence_, MostDoublings)) - sizeof(vfd::SegmentHeader);
        vfd::SegmentHeader* fresh = writer_->allocate(kind_, 0, sequence_, std::max(bytes, usual));
        if (!fresh)
            return nullptr;
        segment_ = fresh;
        ++sequence_;
    }
    auto* record = reinterpret_cast<Head*>(vfd::payload<std::byte>(segment_) + segment_->used);
    *record = {++count_, static_cast<std::uint32_t>(parts.size() / part_bytes_), size};
    if (!parts.empty())
        std::memcpy(record + 1, parts.data(), parts.size());
    std::atomic_ref(segment_->used).store(segment_->used + bytes, std::memory_order_release);
    return record;
}

std::uint32_t Interned::intern(std::uint64_t size, std::span<const std::byte> parts) {
    const std::uint64_t code = hash(size, parts);
    std::lock_guard guard(lock_);
    if (!writer_)
        return 0;
    const Head* record = table_.find(
        code, [&](const Head& known) { return known.size == size && std::ranges::equal(parts_of(known), parts); });
    if (record)
        return record->id;
    if (!table_.make_room([this](const Head& known) { return hash(known.size, parts_of(known)); }) ||
        !(record = append(size, parts)))
        return 0;
    table_.insert(code, record);
    return record->id;
}

std::uint64_t Interned::size_of(std::uint32_t id) {
    std::lock_guard guard(lock_);
    std::uint64_t size = 0;
    table_.for_each([&](const Head& record) {
        if (record.id == id)
            size = record.size;
    });
    return size;
}

} // namespace vftr::record
