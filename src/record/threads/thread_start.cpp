// SPDX-License-Identifier: BSD-3-Clause
#include "record/threads/thread_start.hpp"

#include "base/clock.hpp"
#include "base/compiler.hpp"
#include "base/wiped_on_fork.hpp"
#include "record/hot/count_only_call.hpp"
#include "record/hot/thread_state.hpp"
#include "record/recorder.hpp"
#include "record/threads/thread_lifetime.hpp"

#include <atomic>

namespace vftr::record {

namespace {

// ThreadStarts lie in blocks of BlockSize, each of which is mapped when it is first needed.
constexpr std::uint32_t BlockSize = 256, MostBlocks = 64;

struct Block {
    ThreadStart at[BlockSize];
};
base::WipedOnFork<Block> blocks[MostBlocks];
std::atomic<std::uint32_t> handed_out{0}; // numbers up to this one are in use or free
// Number of the first free one in the low half, and a count of changes in the high half: a thread that was stopped
// between reading and changing this then notices what happened meanwhile.
std::atomic<std::uint64_t> first_free{0};

constexpr std::uint64_t Change = std::uint64_t{1} << 32;

ThreadStart& at(std::uint32_t number) { return blocks[(number - 1) / BlockSize]->at[(number - 1) % BlockSize]; }

ThreadStart* take_free() {
    std::uint64_t first = first_free.load(std::memory_order_acquire);
    while (std::uint32_t number = static_cast<std::uint32_t>(first)) {
        std::uint32_t next = std::atomic_ref(at(number).next_free).load(std::memory_order_relaxed);
        if (first_free.compare_exchange_weak(first, ((first & ~(Change - 1)) + Change) | next,
                                             std::memory_order_acq_rel))
            return &at(number);
    }
    return nullptr;
}

ThreadStart* take_new_start() {
    std::uint32_t before = handed_out.load();
    do {
        if (before == BlockSize * MostBlocks)
            return nullptr;
        if (!blocks[before / BlockSize].make())
            return nullptr;
    } while (!handed_out.compare_exchange_weak(before, before + 1));
    ThreadStart& fresh = at(before + 1);
    fresh.number = before + 1;
    return &fresh;
}

vfd::ThreadOrigin origin_here(const void* function) {
    vfd::ThreadOrigin origin{vfd::NoThread, vfd::NoNode, reinterpret_cast<std::uint64_t>(function), base::read_ticks()};
    const ThreadState& creator = *materialized_thread();
    if (creator.guard != GuardOff) {
        origin.thread = creator.record->index;
        origin.node = creator.top->node;
        // The creator has no record; the path that it comes from itself is the best available.
    } else if (const ThreadStart* own = creator.thread_start) {
        origin.thread = own->origin.thread;
        origin.node = own->origin.node;
    }
    return origin;
}

} // namespace

ThreadStart* create_thread_start(const void* function, StartRoutine start, void* argument) {
    if (!ends_are_reported())
        return nullptr;
    ThreadStart* thread_start = take_free();
    if (!thread_start && !(thread_start = take_new_start()))
        return nullptr;
    thread_start->state.thread_start = thread_start;
    thread_start->state.exit_rounds = 0;
    thread_start->origin = origin_here(function);
    thread_start->start = start;
    thread_start->argument = argument;
    return thread_start;
}

void cancel_thread_start(ThreadStart* thread_start) {
    std::uint64_t first = first_free.load(std::memory_order_relaxed);
    do
        std::atomic_ref(thread_start->next_free).store(static_cast<std::uint32_t>(first), std::memory_order_relaxed);
    while (!first_free.compare_exchange_weak(first, ((first & ~(Change - 1)) + Change) | thread_start->number,
                                             std::memory_order_acq_rel));
}

// A signal handler may have begun the thread already. Then its origin is lost, and so is the ThreadStart, as it cannot
// be returned this early.
VFTR_BEFORE_SANITIZERS EnteredThread enter_thread(ThreadStart* thread_start) {
    ThreadState* nobody = &closed_state;
#if VFTR_THREAD_SANITIZER
    if (current == nobody) {
        current = &thread_start->state;
#else
    if (__atomic_compare_exchange_n(&current, &nobody, &thread_start->state, false, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED)) {
#endif
        dispatch_end_of(&thread_start->state);
    }
    return {thread_start->start, thread_start->argument};
}

vfd::ThreadOrigin take_origin() {
    ThreadStart* thread_start = current->thread_start;
    if (!thread_start)
        return {vfd::NoThread, vfd::NoNode, 0, 0};
    current = &refused_state;
    vfd::ThreadOrigin origin = thread_start->origin;
    cancel_thread_start(thread_start);
    return origin;
}

void forget_thread_starts() {
    for (base::WipedOnFork<Block>& block : blocks)
        block.forget();
    handed_out = 0;
    first_free = 0;
}

} // namespace vftr::record
