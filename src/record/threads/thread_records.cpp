// SPDX-License-Identifier: BSD-3-Clause
#include "record/threads/thread_records.hpp"

#include "base/memory.hpp"
#include "base/signal_mask.hpp"
#include "record/hot/call_tree.hpp"
#include "record/hot/frames.hpp"
#include "record/hot/thread_state.hpp"
#include "record/recorder.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <mutex>
#include <utility>

namespace vftr::record {

namespace {

constexpr std::uint32_t ReuseFrom = 64;
// A record takes some mappings. A process may have 65530 of them, and a thread's stack takes two: with more records
// than this, the program itself would run out of mappings.
constexpr std::uint32_t MostRecords = 8192;
constexpr std::uint32_t MostAtOnce = 32;
constexpr std::uint32_t MostLives = 65536; // per process; they take 3 MiB

// By index. After a fork, those of the parent stay until they are replaced; their memory was wiped.
std::atomic<ThreadState*> by_index[MostRecords];
std::atomic<std::uint32_t> lives{0};

// Protected by the lock:
ThreadState* idle = nullptr;     // records of ended threads
ThreadState* prepared = nullptr; // records that were never used, by index
std::uint32_t made = 0;

// Processors fetch pairs of cache lines together.
constexpr std::size_t StateBytes = (sizeof(ThreadState) + 127) / 128 * 128;

// Number of records to make at a time: a program with a second thread will have more.
std::uint32_t next_batch() {
    return std::min(made == 0 ? 1 : std::min(made < 16 ? 3 * made : made, MostAtOnce), MostRecords - made);
}

struct Batch {
    std::uint32_t count;
    std::byte *states, *tables, *trees;
    std::uint32_t nodes; // number of nodes for which a tree has address space
    ThreadState& state(std::uint32_t i) const { return *reinterpret_cast<ThreadState*>(states + i * StateBytes); }
};

// Static, as a thread's stack may be too small for it.
vfd::Writer::Wanted wanted[3 * MostAtOnce];

bool make_segments(const Batch& batch) {
    const std::uint32_t count = batch.count;
    for (std::uint32_t i = 0; i < count; ++i) {
        wanted[i] = {vfd::SegmentKind::Thread, made + i, 0, sizeof(vfd::ThreadRecord), nullptr, nullptr};
        wanted[count + i] = {vfd::SegmentKind::Stack, made + i, 0, FirstStackBytes, nullptr, nullptr};
        wanted[2 * count + i] = {vfd::SegmentKind::Nodes,
                                 made + i,
                                 0,
                                 first_nodes_bytes(),
                                 batch.trees + i * reserved_bytes(batch.nodes),
                                 nullptr};
    }
    if (!recorder.writer.allocate_together({wanted, 3 * count}))
        return false;
    for (std::uint32_t i = 0; i < count; ++i) {
        ThreadState& state = batch.state(i);
        state.record = vfd::payload<vfd::ThreadRecord>(wanted[i].segment);
        state.record->index = made + i;
        create_frames(state, wanted[count + i].segment);
        create_tree(state, wanted[2 * count + i].segment, batch.nodes);
        state.children.create(batch.tables + i * ChildTable::FirstBytes);
    }
    return true;
}

// False: no memory. What was allocated by then is kept: not much more will be recorded.
bool prepare_records(std::uint32_t count) {
    Batch batch{count, nullptr, nullptr, nullptr, full_tree(made == 0)};
    batch.trees = reserve_trees(count, batch.nodes, made == 0);
    while (!batch.trees && (batch.count = 1, batch.nodes /= 2) >= SmallestTree)
        batch.trees = reserve_trees(1, batch.nodes, made == 0);
    batch.states = static_cast<std::byte*>(base::map_wiped_on_fork(batch.count * StateBytes));
    batch.tables = static_cast<std::byte*>(base::map_anonymous(batch.count * ChildTable::FirstBytes));
    if (!batch.trees || !batch.states || !batch.tables)
        return false;
    base::touch(batch.states, batch.count * StateBytes);
    base::touch(batch.tables, batch.count * ChildTable::FirstBytes);
    if (!make_segments(batch))
        return false;
    for (std::uint32_t i = batch.count; i-- > 0; prepared = &batch.state(i))
        batch.state(i).next_idle = prepared;
    made += batch.count;
    return true;
}

ThreadState* take_idle() {
    if (recorder.thread_count.load() < ReuseFrom || !idle)
        return nullptr;
    ThreadState* state = idle;
    idle = state->next_idle;
    return state;
}

ThreadState* take_new() {
    if (!prepared && made < MostRecords)
        prepare_records(next_batch());
    ThreadState* state = prepared;
    if (!state)
        return nullptr;
    prepared = state->next_idle;
    by_index[state->record->index].store(state, std::memory_order_release);
    recorder.thread_count.fetch_add(1);
    return state;
}

void show(ThreadState& state, std::uint64_t now) {
    state.record->begin = now;
    auto* segment =
        reinterpret_cast<vfd::SegmentHeader*>(reinterpret_cast<std::byte*>(state.record) - sizeof(vfd::SegmentHeader));
    std::atomic_ref(segment->used).store(sizeof(vfd::ThreadRecord), std::memory_order_release);
    std::atomic_ref(recorder.writer.header().threads).fetch_add(1);
    ThreadState* first = recorder.threads.load();
    do
        state.next = first;
    while (!recorder.threads.compare_exchange_weak(first, &state));
}

// Keeps the life of the thread that used this record last; its life is over, and another one begins.
void keep_life(ThreadState& state) {
    if (lives.load(std::memory_order_relaxed) >= MostLives)
        return;
    vfd::SegmentHeader* segment = state.lives;
    if (!segment || segment->payload_offset + segment->used + sizeof(vfd::ThreadLife) > segment->capacity) {
        std::uint32_t sequence = segment ? segment->sequence + 1 : 0;
        std::size_t bytes = segment ? 2 * segment->capacity : base::page_size();
        segment =
            recorder.writer.allocate(vfd::SegmentKind::Lives, state.record->index, sequence, bytes - sizeof *segment);
        if (!segment)
            return;
        state.lives = segment;
    }
    lives.fetch_add(1, std::memory_order_relaxed);
    const vfd::ThreadRecord& record = *state.record;
    auto* life = reinterpret_cast<vfd::ThreadLife*>(vfd::payload<std::byte>(segment) + segment->used);
    *life = {record.tid, record.flags, record.begin, record.end, record.origin};
    std::atomic_ref(segment->used).store(segment->used + sizeof *life, std::memory_order_release);
}

} // namespace

TakenRecord take_record(std::uint64_t now) {
    TakenRecord taken{};
    // A signal handler that jumps out would leave the lock held.
    {
        base::InterruptionsDeferred blocked;
        std::lock_guard guard(recorder.thread_lock);
        taken.state = take_idle();
        taken.reused = taken.state != nullptr;
        if (!taken.reused)
            taken.state = take_new();
    }
    if (taken.reused) {
        keep_life(*taken.state);
        taken.state->record->begin = now;
        ++taken.state->record->reused;
    } else if (taken.state)
        show(*taken.state, now);
    return taken;
}

void release_record(ThreadState& state) {
    base::InterruptionsDeferred blocked;
    std::lock_guard guard(recorder.thread_lock);
    state.next_idle = idle;
    idle = &state;
}

ThreadState* take_all_idle() {
    base::InterruptionsDeferred blocked;
    std::lock_guard guard(recorder.thread_lock);
    return std::exchange(idle, nullptr);
}

ThreadState* thread_of(std::uint32_t index) {
    if (index >= recorder.thread_count.load(std::memory_order_relaxed))
        return nullptr;
    ThreadState* state = by_index[index].load(std::memory_order_acquire);
    return state && state->record && state->record->index == index ? state : nullptr;
}

void request_slow_path_of_all() {
    for (ThreadState* state = recorder.threads.load(); state; state = state->next)
        request_slow_path(*state);
}

void forget_records() {
    recorder.threads = nullptr;
    recorder.thread_count = 0;
    recorder.sampled_threads = 0;
    recorder.thread_lock.unlock();
    idle = prepared = nullptr;
    made = 0;
    lives = 0;
}

} // namespace vftr::record
