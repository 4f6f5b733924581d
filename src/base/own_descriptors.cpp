// SPDX-License-Identifier: BSD-3-Clause
#include "base/own_descriptors.hpp"

#include "base/descriptor.hpp"
#include "base/signal_mask.hpp"
#include "base/system_call.hpp"
#include "base/valgrind.hpp"

#include <atomic>
#include <climits>
#include <fcntl.h>
#include <sched.h>
#include <sys/stat.h>

namespace vftr::base {

namespace {

__thread std::uint64_t table = 0; // of the caller and its helper, which have the same thread-local data
std::atomic<std::uint64_t> tables{0};
std::atomic<bool> closes_streams{false}; // a standard stream was found closed, beside other threads

// Each thread is a folder there, and so a link of the folder that they are in. If there is no /proc, there may be
// threads.
bool has_other_threads() {
#if defined(__x86_64__) || defined(__aarch64__)
    constexpr auto LinksOfEmptyFolder = 2;
    struct stat status {};
    return system_call(SYS_newfstatat, AT_FDCWD, "/proc/self/task", &status, 0) != 0 ||
           status.st_nlink != LinksOfEmptyFolder + 1;
#else
    return false; // there is no helper
#endif
}

struct HelperWork {
    void (*work)(void*);
    void* data;
};

void close_range(int first, int last) {
#ifdef SYS_close_range
    system_call(SYS_close_range, first, last, 0);
#endif
}

void help(void* data) {
    const HelperWork& job = *static_cast<HelperWork*>(data);
    close_range(StandardStreams, LowestDescriptor - 1); // what lasts of ours is above
    occupy_standard_streams();
    table = tables.fetch_add(1, std::memory_order_relaxed) + 1;
    job.work(job.data);
    table = 0;
    close_range(0, INT_MAX); // the kernel would do it after the caller has gone on
}

// Runs work(data) in the helper and returns when that has ended, or an error number below 0 if there is none. The
// kernel sets `lives` to 0 when the helper is gone from the memory, and wakes those who wait for that.
long run_helper([[maybe_unused]] void (*work)(void*), [[maybe_unused]] void* data) {
#if defined(__x86_64__) || defined(__aarch64__)
    constexpr long Flags = CLONE_VM | CLONE_FS | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM | CLONE_CHILD_CLEARTID;
    int lives = 1;
#endif
#if defined(__x86_64__)
    register long rax asm("rax") = SYS_clone;
    register long rdi asm("rdi") = Flags;
    register long rdx asm("rdx") = 0; // where to write its thread id
    register int* r10 asm("r10") = &lives;
    register long r8 asm("r8") = 0; // thread-local data, if they are to be others
    register void (*r12)(void*) asm("r12") = work;
    register void* r13 asm("r13") = data;
    register int* r14 asm("r14") = &lives;
    asm volatile("lea -1024(%%rsp), %%rsi\n\t" // the helper's stack
                 "and $-64, %%rsi\n\t"
                 "syscall\n\t"
                 "test %%rax, %%rax\n\t"
                 "js 4f\n\t"
                 "jz 3f\n\t"
                 "1: mov (%%r14), %%edx\n\t"
                 "test %%edx, %%edx\n\t"
                 "jz 2f\n\t"
                 "mov %[futex], %%eax\n\t"
                 "mov %%r14, %%rdi\n\t"
                 "xor %%esi, %%esi\n\t" // FUTEX_WAIT
                 "xor %%r10d, %%r10d\n\t"
                 "syscall\n\t"
                 "jmp 1b\n\t"
                 "2: xor %%eax, %%eax\n\t"
                 "jmp 4f\n\t"
                 "3: xor %%ebp, %%ebp\n\t" // the outermost frame
                 "mov %%r13, %%rdi\n\t"
                 "call *%%r12\n\t"
                 "mov %[exit], %%eax\n\t"
                 "xor %%edi, %%edi\n\t"
                 "syscall\n\t"
                 "hlt\n\t"
                 "4:"
                 : "+r"(rax), "+r"(rdi), "+r"(rdx), "+r"(r10)
                 : "r"(r8), "r"(r12), "r"(r13), "r"(r14), [futex] "i"(SYS_futex), [exit] "i"(SYS_exit)
                 : "rsi", "rcx", "r11", "memory", "cc");
    return rax;
#elif defined(__aarch64__)
    register long x8 asm("x8") = SYS_clone;
    register long x0 asm("x0") = Flags;
    register long x2 asm("x2") = 0; // where to write its thread id
    register long x3 asm("x3") = 0; // thread-local data, if they are to be others
    register int* x4 asm("x4") = &lives;
    register void (*x19)(void*) asm("x19") = work;
    register void* x20 asm("x20") = data;
    register int* x21 asm("x21") = &lives;
    asm volatile("sub x1, sp, #1024\n\t" // the helper's stack
                 "and x1, x1, #-64\n\t"
                 "svc 0\n\t"
                 "tbnz x0, #63, 4f\n\t"
                 "cbz x0, 3f\n\t"
                 "1: ldr w2, [x21]\n\t"
                 "cbz w2, 2f\n\t"
                 "mov x8, %[futex]\n\t"
                 "mov x0, x21\n\t"
                 "mov x1, #0\n\t" // FUTEX_WAIT
                 "mov x3, #0\n\t"
                 "svc 0\n\t"
                 "b 1b\n\t"
                 "2: mov x0, #0\n\t"
                 "b 4f\n\t"
                 "3: mov x29, #0\n\t" // the outermost frame
                 "mov x30, #0\n\t"
                 "mov x0, x20\n\t"
                 "blr x19\n\t"
                 "mov x8, %[exit]\n\t"
                 "mov x0, #0\n\t"
                 "svc 0\n\t"
                 "brk #0\n\t"
                 "4:"
                 : "+r"(x8), "+r"(x0), "+r"(x2), "+r"(x3), "+r"(x4)
                 : "r"(x19), "r"(x20), "r"(x21), [futex] "i"(SYS_futex), [exit] "i"(SYS_exit)
                 : "x1", "memory", "cc");
    return x0;
#else
    return -1;
#endif
}

// Returns false if there is no helper; nothing has been done then.
bool leave_to_helper(void (*work)(void*), void* data) {
    const AllSignalsBlocked blocked;
    HelperWork job{work, data};
    return blocked.done() && run_helper(help, &job) == 0;
}

} // namespace

std::uint64_t descriptor_table() { return table; }

void with_own_descriptors(void (*work)(void*), void* data) {
    const bool needed = table == 0 &&
                        (closes_streams.load(std::memory_order_relaxed) || !standard_streams_are_open()) &&
                        has_other_threads() && ask_valgrind(ValgrindRequest::RunningOn) == 0;
    if (needed)
        closes_streams.store(true, std::memory_order_relaxed);
    if (!needed || !leave_to_helper(work, data))
        work(data);
}

} // namespace vftr::base
