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

// The sanitizers track the stack and report a program that switches it. Valgrind's DRD takes the lowest stack pointer
// ever seen for the thread's, whatever stacks are registered, and fails an assertion of its own at the end.
bool stack_is_tracked() { return __asan_init || __tsan_init || ask_valgrind(ValgrindRequest::DrdThread) != 0; }

// MemorySanitizer checks the arguments of memcmp, strlen and similar functions. As it did not see this library write,
// it takes the library's strings for uninitialised. While an object of this class exists, these checks are off in the
// calling thread.
class MemorySanitizerChecksOff {
public:
    MemorySanitizerChecksOff() {
        if (__msan_scoped_disable_interceptor_checks)
            __msan_scoped_disable_interceptor_checks();
    }
    ~MemorySanitizerChecksOff() {
        if (__msan_scoped_enable_interceptor_checks)
            __msan_scoped_enable_interceptor_checks();
    }
    MemorySanitizerChecksOff(const MemorySanitizerChecksOff&) = delete;
    MemorySanitizerChecksOff& operator=(const MemorySanitizerChecksOff&) = delete;
};

struct Job {
    void (*work)(void*);
    void* data;
};

// makecontext passes integers, so a pointer is passed in two of them.
void run(unsigned high, unsigned low) {
    auto* job = reinterpret_cast<Job*>(static_cast<std::uintptr_t>(high) << 32 | low);
    job->work(job->data);
}

// The lowest page is not accessible, so that a stack overflow is a fault and does not corrupt other memory.
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

// The stack that is kept, or nullptr while a thread uses it. If another thread of the parent used it at a fork, the
// child loses it.
std::atomic<char*> kept_stack{nullptr};

// Returns false where the job did not run: a seccomp filter may forbid the system call by which the C library switches.
bool run_on(char* stack, std::size_t bytes, Job job) {
    auto at = reinterpret_cast<std::uintptr_t>(&job);
    ucontext_t here, there;
    if (getcontext(&there) != 0)
        return false;
    there.uc_stack.ss_sp = stack + page_size();
    there.uc_stack.ss_size = bytes - page_size();
    there.uc_link = &here;
    makecontext(&there, reinterpret_cast<void (*)()>(run), 2, static_cast<unsigned>(at >> 32),
                static_cast<unsigned>(at));
    // This is not a stack of the program, which may have one at the same address later (flow/jump_entries.cpp).
    there.uc_stack = {};
    const auto low = reinterpret_cast<std::uintptr_t>(stack + page_size()),
               high = reinterpret_cast<std::uintptr_t>(stack + bytes);
    const std::uint64_t id = ask_valgrind(ValgrindRequest::RegisterStack, low, high - 1);
    const bool switched = swapcontext(&here, &there) == 0;
    ask_valgrind(ValgrindRequest::DeregisterStack, id);
    return switched;
}

void run_on_new_stack(std::size_t wanted, Job job) {
    const MemorySanitizerChecksOff waits;
    const std::size_t bytes = round_to_pages(wanted);
    char* stack = stack_is_tracked() ? nullptr : map_stack(bytes);
    if (!stack || !run_on(stack, bytes, job))
        job.work(job.data);
    if (stack)
        unmap(stack, bytes);
}

void run_on_kept_stack(Job job) {
    const MemorySanitizerChecksOff waits;
    const std::size_t bytes = round_to_pages(KeptStackBytes);
    char* stack = kept_stack.exchange(nullptr, std::memory_order_acquire);
    if (!stack && !stack_is_tracked())
        stack = map_stack(bytes);
    if (!stack || !run_on(stack, bytes, job))
        job.work(job.data);
    if (!stack)
        return;
    if (char* const other = kept_stack.exchange(stack, std::memory_order_release))
        unmap(other, bytes);
}

} // namespace

// Pending signals are delivered only after the switch back to the caller's stack, when the new stack is not in use any
// more. If they were blocked by the context instead, the C library's return from it would unblock them while it still
// runs on the stack that it leaves: a handler that jumps out there would leak that stack, and hooks in the handler
// would take it for that of a fiber.
void on_own_stack(std::size_t bytes, Signals signals, void (*work)(void*), void* data) {
    if (signals == Signals::AsTheyAre)
        return run_on_new_stack(bytes, {work, data});
    const InterruptionsDeferred blocked;
    run_on_new_stack(bytes, {work, data});
}

// Not used with Valgrind: Helgrind does not understand how one thread hands the stack to the next and would report
// races.
void on_kept_stack(void (*work)(void*), void* data) {
    const InterruptionsDeferred blocked;
    if (ask_valgrind(ValgrindRequest::RunningOn) != 0)
        run_on_new_stack(KeptStackBytes, {work, data});
    else
        run_on_kept_stack({work, data});
}

} // namespace vftr::base
