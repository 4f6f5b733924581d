// SPDX-License-Identifier: BSD-3-Clause
#include "record/stream/packing.hpp"

#include "base/clock.hpp"
#include "base/memory.hpp"
#include "base/signal_mask.hpp"
#include "base/system_call.hpp"
#include "base/wiped_on_fork.hpp"
#include "record/hot/thread_state.hpp"
#include "record/recorder.hpp"
#include "vfd/packed.hpp"

#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstring>
#include <linux/futex.h>
#include <memory>
#include <sys/prctl.h>
#include <unistd.h>

namespace vftr::record {

namespace {

using vfd::SegmentHeader;

constexpr std::uint32_t MostWaiting = 256;
constexpr std::size_t MostSpare = 16;
constexpr std::uint64_t LongestEnd = 1'000'000'000; // ns
constexpr std::size_t StackBytes = 256 * 1024;

// Ends: as soon as no segment waits. Stops: at once.
enum class Helper : std::uint32_t { None, Works, Ends, Stops, Gone };

struct Packing {
    std::atomic<Helper> helper;
    // A futex; it changes when a segment is handed over, or the end is near.
    std::atomic<std::uint32_t> calls;
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

// Where the kernel may not be asked to wait (because of a seccomp filter of the program), the helper looks a hundred
// times a second instead, as it would otherwise use up a processor.
void wait_for_change(std::atomic<std::uint32_t>& word, std::uint32_t seen) {
    const long answer = base::system_call(SYS_futex, &word, FUTEX_WAIT_PRIVATE, seen);
    if (answer != 0 && answer != -EAGAIN && answer != -EINTR)
        usleep(10'000);
}

void call_helper() {
    packing->calls.fetch_add(1);
    base::system_call(SYS_futex, &packing->calls, FUTEX_WAKE_PRIVATE, INT_MAX);
}

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
        const std::uint32_t seen = packing->calls.load();
        if (packing->helper.load() == Helper::Stops)
            return;
        if (SegmentHeader* segment = next_waiting())
            pack(packer, segment, room);
        else if (packing->helper.load() != Helper::Works)
            return;
        else
            wait_for_change(packing->calls, seen);
    }
}

void* run(void*) {
    current = &refused_state;
    prctl(PR_SET_NAME, "vftrace");
    const std::size_t bytes = vfd::Packer::room_for(PackedAtOnce);
    if (auto* room = static_cast<std::byte*>(base::map_anonymous(bytes))) {
        work(tools->packer, {room, bytes});
        base::unmap(room, bytes);
    }
    packing->helper = Helper::Gone;
    return nullptr;
}

bool create_helper(CreateThread* create) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0)
        return false;
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_t small = attributes;
    pthread_attr_setstacksize(&small, StackBytes);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_t thread;
    // A program with much thread-local storage needs more stack.
    bool created = create(&thread, &small, run, nullptr) == 0 || create(&thread, &attributes, run, nullptr) == 0;
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    pthread_attr_destroy(&attributes);
    return created;
}

} // namespace

bool begin_packing(CreateThread* create) {
    auto fresh = std::make_unique<Tools>();
    if (!create || !fresh->packer.works())
        return false;
    if (!packing.make())
        return false;
    packing->helper = Helper::Works;
    fresh->of_parent = tools;
    tools = fresh.release();
    if (create_helper(create))
        return true;
    packing->helper = Helper::None;
    return false;
}

bool hand_to_packing(SegmentHeader* segment) {
    if (!packing || packing->helper.load(std::memory_order_relaxed) != Helper::Works)
        return false;
    // A signal handler that jumps out would leave the lock held.
    base::SignalsBlocked blocked;
    packing->lock.lock();
    const bool room = packing->count != MostWaiting;
    if (room)
        packing->waiting[(packing->first + packing->count++) % MostWaiting] = segment;
    packing->lock.unlock();
    if (room)
        call_helper();
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
    Helper works = Helper::Works;
    if (!packing || !packing->helper.compare_exchange_strong(works, Helper::Ends))
        return;
    call_helper();
    const std::uint64_t latest = base::monotonic_ns() + LongestEnd;
    while (packing->helper.load() != Helper::Gone && base::monotonic_ns() < latest)
        usleep(200);
    Helper ends = Helper::Ends;
    packing->helper.compare_exchange_strong(ends, Helper::Stops); // segments that still wait stay unpacked
    for (std::atomic<SegmentHeader*>& place : packing->spare)
        if (SegmentHeader* segment = place.exchange(nullptr))
            recorder.writer.release(segment);
}

} // namespace vftr::record
