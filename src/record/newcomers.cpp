// SPDX-License-Identifier: BSD-3-Clause
#include "record/newcomers.hpp"

#include "base/clock.hpp"
#include "base/compiler.hpp"
#include "base/memory.hpp"
#include "record/count_only_call.hpp"
#include "record/recorder.hpp"

#include <atomic>

namespace vftr::record {

namespace {

// Blocks of so many, each mapped when it is needed first.
constexpr std::uint32_t BlockSize = 256, MostBlocks = 64;

std::atomic<Newcomer*> blocks[MostBlocks];
std::atomic<std::uint32_t> handed_out{0}; // numbers up to this one are in use or free
// Number of the first that is free, below a count of changes: a thread that was stopped between its look and its change then
// notices what happened meanwhile.
std::atomic<std::uint64_t> first_free{0};

constexpr std::uint64_t Change = std::uint64_t{1} << 32;

Newcomer& at(std::uint32_t number) {
    return blocks[(number - 1) / BlockSize].load(std::memory_order_acquire)[(number - 1) % BlockSize];
}

Newcomer* take_free() {
    std::uint64_t first = first_free.load(std::memory_order_acquire);
    while (std::uint32_t number = static_cast<std::uint32_t>(first)) {
        std::uint32_t next = std::atomic_ref(at(number).next_free).load(std::memory_order_relaxed);
        if (first_free.compare_exchange_weak(first, ((first & ~(Change - 1)) + Change) | next, std::memory_order_acq_rel))
            return &at(number);
    }
    return nullptr;
}

Newcomer* make_block(std::uint32_t block) {
    auto* fresh = static_cast<Newcomer*>(base::map_wiped_on_fork(BlockSize * sizeof(Newcomer)));
    Newcomer* before = nullptr;
    if (fresh && !blocks[block].compare_exchange_strong(before, fresh)) {
        base::unmap(fresh, BlockSize * sizeof(Newcomer));
        return before;
    }
    return fresh;
}

Newcomer* take_new() {
    std::uint32_t before = handed_out.load();
    do {
        if (before == BlockSize * MostBlocks)
            return nullptr;
        if (!blocks[before / BlockSize].load() && !make_block(before / BlockSize))
            return nullptr;
    } while (!handed_out.compare_exchange_weak(before, before + 1));
    Newcomer& fresh = at(before + 1);
    fresh.number = before + 1;
    return &fresh;
}

vfd::ThreadOrigin origin_here(const void* function) {
    vfd::ThreadOrigin origin{vfd::NoThread, vfd::NoNode, reinterpret_cast<std::uint64_t>(function), base::read_ticks()};
    const ThreadState& creator = *materialized_thread();
    if (creator.guard != GuardOff) {
        origin.thread = creator.record->index;
        origin.node = creator.top->node;
    } else if (const Newcomer* own = creator.newcomer) { // it has no record; the path that it comes from is the best there is
        origin.thread = own->origin.thread;
        origin.node = own->origin.node;
    }
    return origin;
}

} // namespace

Newcomer* announce_thread(const void* function, ThreadStart start, void* argument) {
    if (!ends_are_told())
        return nullptr;
    Newcomer* newcomer = take_free();
    if (!newcomer && !(newcomer = take_new()))
        return nullptr;
    newcomer->state.newcomer = newcomer;
    newcomer->state.exit_rounds = 0;
    newcomer->origin = origin_here(function);
    newcomer->start = start;
    newcomer->argument = argument;
    return newcomer;
}

void withdraw(Newcomer* newcomer) {
    std::uint64_t first = first_free.load(std::memory_order_relaxed);
    do
        std::atomic_ref(newcomer->next_free).store(static_cast<std::uint32_t>(first), std::memory_order_relaxed);
    while (!first_free.compare_exchange_weak(first, ((first & ~(Change - 1)) + Change) | newcomer->number, std::memory_order_acq_rel));
}

// A signal handler may have begun the thread already. Then its origin is lost, and the Newcomer with it: to give that back needs more
// than can be done this early.
VFTR_BEFORE_SANITIZERS Welcomed welcome(Newcomer* newcomer) {
    ThreadState* nobody = &closed_state;
#if VFTR_THREAD_SANITIZER
    if (current == nobody) {
        current = &newcomer->state;
#else
    if (__atomic_compare_exchange_n(&current, &nobody, &newcomer->state, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
#endif
        tell_end_of(&newcomer->state);
    }
    return {newcomer->start, newcomer->argument};
}

vfd::ThreadOrigin take_origin() {
    Newcomer* newcomer = current->newcomer;
    if (!newcomer)
        return {vfd::NoThread, vfd::NoNode, 0, 0};
    current = &refused_state;
    vfd::ThreadOrigin origin = newcomer->origin;
    withdraw(newcomer);
    return origin;
}

void forget_newcomers() {
    for (std::atomic<Newcomer*>& block : blocks)
        block = nullptr;
    handed_out = 0;
    first_free = 0;
}

} // namespace vftr::record
