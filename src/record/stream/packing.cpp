// SPDX-License-Identifier: BSD-3-Clause
#include "record/stream/packing.hpp"

#include "base/memory.hpp"
#include "base/signal_mask.hpp"
#include "base/wiped_on_fork.hpp"
#include "record/recorder.hpp"
#include "vfd/packed.hpp"

#include <atomic>
#include <cstring>
#include <memory>

namespace vftr::record {

namespace {

using vfd::SegmentHeader;

constexpr std::uint32_t MostWaiting = 256;
constexpr std::size_t MostSpare = 16;
constexpr std::uint64_t LongestEnd = 1'000'000'000; // ns

struct Packing {
    OwnThread helper;    // it is called when a segment is handed over, or the end is near
    base::SpinLock lock; // protects the queue
    std::uint32_t first, count;
    SegmentHeader* waiting[MostWaiting];
    std::atomic<SegmentHeader*> spare[MostSpare];
};

base::WipedOnFork<Packing> packing;

// What the helper works with. In a forked child of_parent points to what the helper of its parent used: that may have
// been in use at the fork, so it is not freed.
struct Tools {
    vfd::Packer packer;
    Tools* of_parent;
};
Tools* tools = nullptr;

SegmentHeader* next_waiting() {
    packing->lock.lock();
    SegmentHeader* next = nullptr;
    if (packing->count != 0) {
        next = packing->waiting[packing->first];
        packing->first = (packing->first + 1) % MostWaiting;
        --packing->count;
    }
    packing->lock.unlock();
    return next;
}

void make_spare(SegmentHeader* segment) {
    for (std::atomic<SegmentHeader*>& place : packing->spare) {
        SegmentHeader* none = nullptr;
        if (place.compare_exchange_strong(none, segment))
            return;
    }
    recorder.writer.release(segment);
}

// Writes the packed copy to the file. False: the plain segment stays.
bool write_packed(const SegmentHeader& plain, std::span<const std::byte> bytes) {
    SegmentHeader* packed =
        recorder.writer.allocate(vfd::SegmentKind::Packed, plain.thread, plain.sequence, bytes.size());
    if (!packed)
        return false;
    packed->flags = plain.flags;
    packed->arg0 = plain.arg0;
    std::memcpy(vfd::payload<std::byte>(packed), bytes.data(), bytes.size());
    std::atomic_ref(packed->used).store(bytes.size(), std::memory_order_release);
    recorder.writer.retire(packed);
    return true;
}

void pack(vfd::Packer& packer, SegmentHeader* segment, std::span<std::byte> room) {
    const std::size_t used = std::atomic_ref(segment->used).load(std::memory_order_acquire);
    const std::size_t size = packer.pack({vfd::payload<const std::byte>(segment), used}, room);
    if (size == 0 || base::round_to_pages(size + sizeof *segment) >= segment->capacity ||
        !write_packed(*segment, room.first(size)))
        return recorder.writer.retire(segment);
    vfd::Writer::discard(segment);
    make_spare(segment);
}

void work(vfd::Packer& packer, std::span<std::byte> room) {
    for (;;) {
        const std::uint32_t seen = packing->helper.calls.load();
        if (packing->helper.life.load() == OwnThread::Life::Stops)
            return;
        if (SegmentHeader* segment = next_waiting())
            pack(packer, segment, room);
        else if (packing->helper.life.load() != OwnThread::Life::Works)
            return;
        else
            packing->helper.wait_for_call(seen, ~std::uint64_t{0});
    }
}

void* run(void*) {
    OwnThread::has_begun();
    const std::size_t bytes = vfd::Packer::room_for(PackedAtOnce);
    if (auto* room = static_cast<std::byte*>(base::map_anonymous(bytes))) {
        work(tools->packer, {room, bytes});
        base::unmap(room, bytes);
    }
    packing->helper.life = OwnThread::Life::Gone;
    return nullptr;
}

} // namespace

bool begin_packing(CreateThread* create) {
    auto fresh = std::make_unique<Tools>();
    if (!create || !fresh->packer.works())
        return false;
    if (!packing.make())
        return false;
    fresh->of_parent = tools;
    tools = fresh.release();
    return packing->helper.begin(create, run);
}

bool hand_to_packing(SegmentHeader* segment) {
    if (!packing || packing->helper.life.load(std::memory_order_relaxed) != OwnThread::Life::Works)
        return false;
    // A signal handler that jumps out would leave the lock held.
    base::InterruptionsDeferred blocked;
    packing->lock.lock();
    const bool room = packing->count != MostWaiting;
    if (room)
        packing->waiting[(packing->first + packing->count++) % MostWaiting] = segment;
    packing->lock.unlock();
    if (room)
        packing->helper.call();
    return room;
}

SegmentHeader* take_spare_segment(std::size_t payload_bytes) {
    if (!packing)
        return nullptr;
    for (std::atomic<SegmentHeader*>& place : packing->spare) {
        SegmentHeader* segment = place.load(std::memory_order_relaxed) ? place.exchange(nullptr) : nullptr;
        if (segment && segment->capacity >= payload_bytes + sizeof *segment)
            return segment;
        if (segment)
            make_spare(segment);
    }
    return nullptr;
}

void end_packing() {
    if (!packing || !packing->helper.end(LongestEnd)) // segments that still wait then stay unpacked
        return;
    for (std::atomic<SegmentHeader*>& place : packing->spare)
        if (SegmentHeader* segment = place.exchange(nullptr))
            recorder.writer.release(segment);
}

} // namespace vftr::record
