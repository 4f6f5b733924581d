// SPDX-License-Identifier: BSD-3-Clause
#include "base/own_stack.hpp"

#include "base/memory.hpp"
#include "base/own_mappings.hpp"
#include "base/signal_mask.hpp"
#include "base/valgrind.hpp"

#include <atomic>
#include <cstdint>
#include <sys/mman.h>
#include <ucontext.h>

extern "C" {
void __asan_init() __attribute__((weak));
void __tsan_init() __attribute__((weak));
void __msan_scoped_disable_interceptor_checks() __attribute__((weak));
void __msan_scoped_enable_interceptor_checks() __attribute__((weak));
}

namespace vftr::base {

namespace {

// These keep books on the stack, and complain of a program that changes it.
// Valgrind's DRD takes the lowest stack pointer ever seen for the thread's, whatever stacks are registered, and fails
// an assertion of its own at the end.
bool stack_is_watched() { return __asan_init || __tsan_init || ask_valgrind(ValgrindRequest::DrdThread) != 0; }

// MemorySanitizer checks what is passed to memcmp, strlen and their like. It has not seen this library write, so that
// it takes our strings for uninitialised. The calling thread's checks wait while one of these lives.
class MemorySanitizerWaits {
public:
    MemorySanitizerWaits() {
        if (__msan_scoped_disable_interceptor_checks)
            __msan_scoped_disable_interceptor_checks();
    }
    ~MemorySanitizerWaits() {
        if (__msan_scoped_enable_interceptor_checks)
            __msan_scoped_enable_interceptor_checks();
    }
    MemorySanitizerWaits(const MemorySanitizerWaits&) = delete;
    MemorySanitizerWaits& operator=(const MemorySanitizerWaits&) = delete;
};

struct Job {
    void (*work)(void*);
    void* data;
};

// makecontext passes integers; a pointer goes in two.
void run(unsigned high, unsigned low) {
    auto* job = reinterpret_cast<Job*>(static_cast<std::uintptr_t>(high) << 32 | low);
    job->work(job->data);
}

// The lowest page stays without access: an overflow is a fault there, not a corruption elsewhere.
char* map_stack(std::size_t bytes) {
    auto* stack = static_cast<char*>(reserve(bytes));
    if (stack && mprotect(stack + page_size(), bytes - page_size(), PROT_READ | PROT_WRITE) != 0) {
        unmap(stack, bytes);
        return nullptr;
    }
    if (stack)
        own_mappings.add(stack, bytes);
    return stack;
}

// Nobody's at the moment. Of a forked child, whose parent had another thread at work on it, it is lost.
std::atomic<char*> kept_stack{nullptr};

void run_on(char* stack, std::size_t bytes, Job job) {
    auto at = reinterpret_cast<std::uintptr_t>(&job);
    ucontext_t here, there;
    getcontext(&there);
    there.uc_stack.ss_sp = stack + page_size();
    there.uc_stack.ss_size = bytes - page_size();
    there.uc_link = &here;
    makecontext(&there, reinterpret_cast<void (*)()>(run), 2, static_cast<unsigned>(at >> 32),
                static_cast<unsigned>(at));
    there
        .uc_stack = {}; // it is no stack of the program, which may have one at this place later (flow/jump_entries.cpp)
    const auto low = reinterpret_cast<std::uintptr_t>(stack + page_size()),
               high = reinterpret_cast<std::uintptr_t>(stack + bytes);
    const std::uint64_t id = ask_valgrind(ValgrindRequest::RegisterStack, low, high - 1);
    swapcontext(&here, &there);
    ask_valgrind(ValgrindRequest::DeregisterStack, id);
}

void run_on_new_stack(std::size_t wanted, Job job) {
    const MemorySanitizerWaits waits;
    const std::size_t bytes = round_to_pages(wanted);
    char* stack = stack_is_watched() ? nullptr : map_stack(bytes);
    if (!stack)
        return job.work(job.data);
    run_on(stack, bytes, job);
    unmap(stack, bytes);
}

void run_on_kept_stack(Job job) {
    const MemorySanitizerWaits waits;
    const std::size_t bytes = round_to_pages(KeptStackBytes);
    char* stack = kept_stack.exchange(nullptr, std::memory_order_acquire);
    if (!stack && !stack_is_watched())
        stack = map_stack(bytes);
    if (!stack)
        return job.work(job.data);
    run_on(stack, bytes, job);
    if (char* const other = kept_stack.exchange(stack, std::memory_order_release))
        unmap(other, bytes);
}

} // namespace

// The signals that have waited come when the caller's stack is back and ours is put away. The C library's return from a
// context lets them in while it still stands on the stack that it leaves: a handler that jumped out there would take
// that stack with it, and hooks in it would take it for a fiber.
void on_own_stack(std::size_t bytes, Signals signals, void (*work)(void*), void* data) {
    if (signals == Signals::AsTheyAre)
        return run_on_new_stack(bytes, {work, data});
    const SignalsBlocked whole;
    run_on_new_stack(bytes, {work, data});
}

// Helgrind would take what one thread after the other does there for races: it does not know by what they hand it on.
void on_kept_stack(void (*work)(void*), void* data) {
    const SignalsBlocked whole;
    if (ask_valgrind(ValgrindRequest::RunningOn) != 0)
        run_on_new_stack(KeptStackBytes, {work, data});
    else
        run_on_kept_stack({work, data});
}

} // namespace vftr::base
