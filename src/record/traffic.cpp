// SPDX-License-Identifier: BSD-3-Clause
#include "record/traffic.hpp"

#include "base/memory.hpp"
#include "record/recorder.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>

namespace vftr::record {

using vfd::Traffic;

namespace {

constexpr std::uint64_t FirstSlots = 256;
constexpr std::size_t FirstSegmentBytes = 4096;
constexpr std::uint32_t MostDoublings = 12; // segments of 16 MiB, 400 thousand records each

// Multiplication by odd constants, high bits folded down (Fibonacci hashing, Knuth).
std::uint64_t hash(const TrafficKey& key) {
    std::uint64_t h = (key.origin * 0x9e3779b97f4a7c15u ^ (key.origin >> 29)) + key.target;
    h *= 0xbf58476d1ce4e5b9u;
    return h ^ (h >> 32);
}

} // namespace

Traffic* TrafficTable::find(const TrafficKey& key, std::uint32_t owner) {
    if (slots_)
        for (std::uint64_t i = hash(key) & mask_; slots_[i]; i = (i + 1) & mask_)
            if (key_of(*slots_[i]) == key)
                return latest_ = slots_[i];
    int saved = errno;
    Traffic* record = make_room() ? append(key, owner) : nullptr;
    errno = saved;
    return record ? latest_ = record : nullptr;
}

Traffic* TrafficTable::append(const TrafficKey& key, std::uint32_t owner) {
    if (!segment_ ||
        segment_->payload_offset + segment_->used + sizeof(Traffic) > segment_->capacity) {
        // Segments grow with the table: a thread that talks to few does not take much.
        std::size_t bytes =
            (FirstSegmentBytes << std::min(sequence_, MostDoublings)) - sizeof(vfd::SegmentHeader);
        vfd::SegmentHeader* fresh =
            recorder.writer.allocate(vfd::SegmentKind::Traffic, owner, sequence_, bytes);
        if (!fresh)
            return nullptr;
        segment_ = fresh;
        ++sequence_;
    }
    auto* record = reinterpret_cast<Traffic*>(vfd::payload<std::byte>(segment_) + segment_->used);
    std::memcpy(static_cast<void*>(record), &key, sizeof key);
    std::atomic_ref(segment_->used)
        .store(segment_->used + sizeof(Traffic), std::memory_order_release);
    std::uint64_t i = hash(key) & mask_;
    while (slots_[i])
        i = (i + 1) & mask_;
    slots_[i] = record;
    ++used_;
    return record;
}

// Without memory to grow, it may get fuller than it should: lookups take longer then, but still
// end.
bool TrafficTable::make_room() {
    std::uint64_t wanted = std::uint64_t{used_} + 1;
    return (slots_ && 2 * wanted <= mask_) || grow() || (slots_ && 16 * wanted <= 15 * mask_);
}

bool TrafficTable::grow() {
    std::uint64_t count = slots_ ? 2 * (mask_ + 1) : FirstSlots;
    auto* bigger = static_cast<Traffic**>(base::map_anonymous(count * sizeof(Traffic*)));
    if (!bigger)
        return false;
    Traffic** old = slots_;
    std::uint64_t old_count = old ? mask_ + 1 : 0;
    for (std::uint64_t n = 0; n < old_count; ++n)
        if (old[n]) {
            std::uint64_t i = hash(key_of(*old[n])) & (count - 1);
            while (bigger[i])
                i = (i + 1) & (count - 1);
            bigger[i] = old[n];
        }
    slots_ = bigger;
    mask_ = count - 1;
    if (old)
        base::unmap(old, old_count * sizeof(Traffic*));
    return true;
}

} // namespace vftr::record
