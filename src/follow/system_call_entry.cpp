// SPDX-License-Identifier: BSD-3-Clause
#include "follow/system_call_entry.hpp"

#include "base/compiler.hpp"
#include "base/errno_preserved.hpp"
#include "base/system_call.hpp"
#include "follow/exec.hpp"
#include "record/threads/forked_path.hpp"

#include <cerrno>
#include <cstdarg>
#include <sched.h>

using vftr::follow::execute;
using vftr::follow::Texts;
using vftr::follow::Way;

extern "C" {

// The assembly code below refers to this by its name.
__attribute__((visibility("hidden"))) extern long (*vftr_real_syscall)(long, ...);

// A system call that executes a program, with the arguments of syscall() as they were given.
__attribute__((visibility("hidden"), used)) long vftr_execute_by_syscall(long number, long a, long b, long c, long d,
                                                                         long e) {
    auto text = [](long word) { return reinterpret_cast<const char*>(word); };
    auto texts = [](long word) { return reinterpret_cast<Texts>(word); };
    if (number == SYS_execve)
        return execute({Way::Call, text(a), texts(b), texts(c)});
    return execute({Way::CallAt, text(b), texts(c), texts(d), static_cast<int>(a), static_cast<int>(e)});
}

// A fork by system call, of which the C library does not learn. Only for a child that continues on a copy of this stack
// and of all memory: with a new stack, it could not return through this function's frame.
__attribute__((visibility("hidden"), used)) long vftr_fork_by_syscall(long number, long a, long b, long c, long d,
                                                                      long e, long f) {
    vftr::base::preserving_errno(vftr::record::remember_path);
    long result = vftr_real_syscall(number, a, b, c, d, e, f);
    vftr::base::preserving_errno(result != 0 ? vftr::record::forget_path : vftr::record::arrive_in_child);
    return result;
}

__attribute__((visibility("hidden"), used)) long vftr_system_call_failed(long result) {
    errno = static_cast<int>(-result);
    return -1;
}

#if defined(__x86_64__) && defined(__LP64__)

static_assert(SYS_execve == 59 && SYS_execveat == 322 && SYS_fork == 57 && SYS_clone == 56 && CLONE_VM == 0x100);
__attribute__((visibility("hidden"))) long vftr_ask_kernel(long, ...);
asm(R"(
    .text
    .p2align 4
    .weak syscall
    .type syscall, @function
syscall:
    .cfi_startproc
    endbr64
    cmpq $59, %rdi
    je vftr_execute_by_syscall
    cmpq $322, %rdi
    je vftr_execute_by_syscall
    cmpq $57, %rdi
    je vftr_fork_by_syscall
    cmpq $56, %rdi
    je 2f
1:  jmp *vftr_real_syscall(%rip)
2:  testl $0x100, %esi
    jnz 1b
    testq %rdx, %rdx
    jnz 1b
    jmp vftr_fork_by_syscall
    .cfi_endproc
    .size syscall, .-syscall

    .p2align 4
    .globl vftr_ask_kernel
    .hidden vftr_ask_kernel
    .type vftr_ask_kernel, @function
vftr_ask_kernel:
    .cfi_startproc
    endbr64
    movq %rdi, %rax
    movq %rsi, %rdi
    movq %rdx, %rsi
    movq %rcx, %rdx
    movq %r8, %r10
    movq %r9, %r8
    movq 8(%rsp), %r9
    syscall
    cmpq $-4095, %rax
    jae 1f
    ret
1:  movq %rax, %rdi
    jmp vftr_system_call_failed
    .cfi_endproc
    .size vftr_ask_kernel, .-vftr_ask_kernel
)");

#elif defined(__aarch64__)

static_assert(SYS_execve == 221 && SYS_execveat == 281 && SYS_clone == 220 && CLONE_VM == 0x100);
__attribute__((visibility("hidden"))) long vftr_ask_kernel(long, ...);
asm(R"(
    .text
    .p2align 4
    .weak syscall
    .type syscall, %function
syscall:
    .cfi_startproc
    hint #34
    cmp x0, #221
    b.eq 1f
    cmp x0, #281
    b.eq 1f
    cmp x0, #220
    b.eq 3f
2:  adrp x16, vftr_real_syscall
    ldr x16, [x16, #:lo12:vftr_real_syscall]
    br x16
1:  b vftr_execute_by_syscall
3:  tbnz x1, #8, 2b
    cbnz x2, 2b
    b vftr_fork_by_syscall
    .cfi_endproc
    .size syscall, .-syscall

    .p2align 4
    .globl vftr_ask_kernel
    .hidden vftr_ask_kernel
    .type vftr_ask_kernel, %function
vftr_ask_kernel:
    .cfi_startproc
    hint #34
    mov x8, x0
    mov x0, x1
    mov x1, x2
    mov x2, x3
    mov x3, x4
    mov x4, x5
    mov x5, x6
    svc 0
    cmn x0, #4095
    b.cs 1f
    ret
1:  b vftr_system_call_failed
    .cfi_endproc
    .size vftr_ask_kernel, .-vftr_ask_kernel
)");

#else

static long vftr_ask_kernel(long, ...) { return vftr_system_call_failed(-ENOSYS); }

VFTR_INTERPOSED long syscall(long number, ...) noexcept {
    long word[6];
    va_list list;
    va_start(list, number);
    for (long& w : word)
        w = va_arg(list, long);
    va_end(list);
    if (number == SYS_execve || number == SYS_execveat)
        return vftr_execute_by_syscall(number, word[0], word[1], word[2], word[3], word[4]);
    bool forks = number == SYS_clone && (word[0] & CLONE_VM) == 0 && word[1] == 0;
#ifdef SYS_fork
    forks = forks || number == SYS_fork;
#endif
    if (forks)
        return vftr_fork_by_syscall(number, word[0], word[1], word[2], word[3], word[4], word[5]);
    return vftr_real_syscall(number, word[0], word[1], word[2], word[3], word[4], word[5]);
}

#endif

long (*vftr_real_syscall)(long, ...) = vftr_ask_kernel;

} // extern "C"

namespace vftr::follow {

void pass_system_calls_to(long (*real)(long, ...)) { vftr_real_syscall = real; }

} // namespace vftr::follow
