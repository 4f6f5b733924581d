// SPDX-License-Identifier: BSD-3-Clause
//
// The wrapper of pthread_create, by which the C++ library and the OpenMP runtimes create their threads, too.
#include "session/interpose/thread_entries.hpp"

#include "base/compiler.hpp"
#include "base/errno_preserved.hpp"
#include "base/real_thread_create.hpp"
#include "record/hot/reentrancy_guard.hpp"
#include "record/threads/forked_child.hpp"
#include "record/threads/forked_path.hpp"
#include "session/session.hpp"

#include <cerrno>
#include <pthread.h>

using vftr::record::EnteredThread;
using vftr::record::StartRoutine;
using vftr::record::ThreadStart;

extern "C" {
VFTR_INTERPOSED int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, StartRoutine start,
                                   void* argument) noexcept;

// The assembly code below refers to this by its name.
__attribute__((visibility("hidden"), used)) VFTR_BEFORE_SANITIZERS EnteredThread vftr_enter_thread(void* thread_start) {
    return vftr::record::enter_thread(static_cast<ThreadStart*>(thread_start));
}

#if defined(__x86_64__) && defined(__LP64__)

asm(R"(
    .text
    .p2align 4
    .globl vftr_start_thread
    .hidden vftr_start_thread
    .type vftr_start_thread, @function
vftr_start_thread:
    .cfi_startproc
    endbr64
    subq $8, %rsp
    .cfi_adjust_cfa_offset 8
    call vftr_enter_thread
    addq $8, %rsp
    .cfi_adjust_cfa_offset -8
    movq %rdx, %rdi
    jmp *%rax
    .cfi_endproc
    .size vftr_start_thread, .-vftr_start_thread
)");

#elif defined(__aarch64__)

asm(R"(
    .text
    .p2align 4
    .globl vftr_start_thread
    .hidden vftr_start_thread
    .type vftr_start_thread, %function
vftr_start_thread:
    .cfi_startproc
    hint #34
    stp x29, x30, [sp, #-16]!
    .cfi_def_cfa_offset 16
    .cfi_offset 29, -16
    .cfi_offset 30, -8
    mov x29, sp
    bl vftr_enter_thread
    ldp x29, x30, [sp], #16
    .cfi_restore 29
    .cfi_restore 30
    .cfi_def_cfa_offset 0
    mov x16, x0
    mov x0, x1
    br x16
    .cfi_endproc
    .size vftr_start_thread, .-vftr_start_thread
)");

#else

void* vftr_start_thread(void* thread_start) {
    EnteredThread entered = vftr_enter_thread(thread_start);
    return entered.start(entered.argument);
}

#endif

} // extern "C"

// In a forked child that was forked within a recorded call path, the recording begins here at the latest: the new
// thread belongs to that path.
ThreadStart* vftr::session::create_thread_start(const void* function, StartRoutine start, void* argument) {
    const auto here = reinterpret_cast<std::uint64_t>(__builtin_frame_address(0));
    return base::preserving_errno([&] {
        if (record::in_forked_child() && record::moment_of_fork())
            record::prepare(record::Wanted::Enter, here);
        return running() ? record::create_thread_start(function, start, argument) : nullptr;
    });
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, StartRoutine start, void* argument) noexcept {
    vftr::base::ThreadCreate* real = vftr::base::real_thread_create();
    if (!real)
        return EAGAIN;
    ThreadStart* thread_start =
        vftr::session::create_thread_start(reinterpret_cast<const void*>(start), start, argument);
    if (!thread_start)
        return real(thread, attributes, start, argument);
    int error = real(thread, attributes, vftr_start_thread, thread_start);
    if (error != 0)
        vftr::record::cancel_thread_start(thread_start);
    return error;
}
