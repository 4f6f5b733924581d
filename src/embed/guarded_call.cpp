// SPDX-License-Identifier: BSD-3-Clause
#include "embed/guarded_call.hpp"

#include "base/compiler.hpp"
#include "base/message.hpp"
#include "embed/registration.hpp"
#include "embed/shutdown.hpp"
#include "follow/readable.hpp"
#include "record/hot/reentrancy_guard.hpp"

#include <atomic>
#include <dlfcn.h>
#include <unwind.h>

namespace vftr::embed {

namespace {

std::atomic<std::uint64_t> caught{0};

} // namespace

__thread std::uint64_t landing __attribute__((tls_model("initial-exec"))) = 0;

} // namespace vftr::embed

// As long as the frame exists, the word at its stack pointer holds its own address (callback_is_there).
#if defined(__x86_64__)
asm(R"(
    .text
    .globl vftr_guarded_call
    .hidden vftr_guarded_call
    .type vftr_guarded_call, @function
    .p2align 4
vftr_guarded_call:
    .cfi_startproc
    .cfi_personality 0x1b, vftr_guard_personality
    pushq %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset %rbp, -16
    movq %rsp, %rbp
    .cfi_def_cfa_register %rbp
    subq $16, %rsp
    movq %rsp, (%rsp)
    movq %rsp, (%rcx)
    movq %rdi, %rax
    movq %rsi, %rdi
    movq %rdx, %rsi
    callq *%rax
    movq $0, (%rsp)
    leaveq
    .cfi_def_cfa %rsp, 8
    retq
    .cfi_endproc
    .size vftr_guarded_call, .-vftr_guarded_call
)");
#elif defined(__aarch64__)
asm(R"(
    .text
    .globl vftr_guarded_call
    .hidden vftr_guarded_call
    .type vftr_guarded_call, %function
    .p2align 4
vftr_guarded_call:
    .cfi_startproc
    .cfi_personality 0x1b, vftr_guard_personality
    stp x29, x30, [sp, #-32]!
    .cfi_def_cfa_offset 32
    .cfi_offset 29, -32
    .cfi_offset 30, -24
    mov x29, sp
    .cfi_def_cfa 29, 32
    add x9, sp, #16
    str x9, [x9]
    str x9, [x3]
    mov x9, x0
    mov x0, x1
    mov x1, x2
    blr x9
    str xzr, [sp, #16]
    ldp x29, x30, [sp], #32
    .cfi_def_cfa 31, 0
    ret
    .cfi_endproc
    .size vftr_guarded_call, .-vftr_guarded_call
)");
#endif

namespace vftr::embed {

namespace {

struct RunTime {
    void* (*begin_catch)(void*) = nullptr;
    void (*end_catch)() = nullptr;
};

template <class F>
F look_up(void* handle, const char* name) {
    return reinterpret_cast<F>(dlsym(handle, name));
}

const void* object_of(const void* address) {
    Dl_info info{};
    return address && dladdr(address, &info) != 0 ? info.dli_fbase : nullptr;
}

RunTime run_time_in(void* handle, const void* object) {
    RunTime found;
    found.begin_catch = look_up<void* (*)(void*)>(handle, "__cxa_begin_catch");
    found.end_catch = look_up<void (*)()>(handle, "__cxa_end_catch");
    if (!found.end_catch || object_of(reinterpret_cast<const void*>(found.begin_catch)) != object)
        return {};
    return found;
}

// The C++ run time of an exception is the one that contains the exception's clean-up function. There may be several run
// times in a process.
RunTime run_time_of(const _Unwind_Exception& exception) {
    Dl_info info{};
    if (!exception.exception_cleanup || dladdr(reinterpret_cast<const void*>(exception.exception_cleanup), &info) == 0)
        return {};
    RunTime found = run_time_in(RTLD_DEFAULT, info.dli_fbase);
    if (found.begin_catch || !info.dli_fname)
        return found;
    if (void* handle = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD)) {
        found = run_time_in(handle, info.dli_fbase);
        dlclose(handle);
    }
    return found;
}

// Ends the exception as a catch (...) of the program would. If the run time is not found, the exception object is
// destroyed nevertheless.
void end_exception(_Unwind_Exception& exception) {
    caught.fetch_add(1, std::memory_order_relaxed);
    static std::atomic_flag warned = ATOMIC_FLAG_INIT;
    if (!warned.test_and_set())
        base::warn("an exception left a callback: it ends there (further ones are not reported)");
    const RunTime run_time = run_time_of(exception);
    if (run_time.begin_catch) {
        run_time.begin_catch(&exception);
        run_time.end_catch();
    } else if (exception.exception_cleanup)
        exception.exception_cleanup(_URC_FOREIGN_EXCEPTION_CAUGHT, &exception);
}

} // namespace

// Does what remains of the hook: the event is over.
void leave_callback_for_good() {
    record::ThreadState& state = *record::current;
    if (in_callback()) {
        end_call(state.subscription);
        record::release_guard(state);
    }
    finisher_leaves();
}

#if VFTR_GUARDED_FRAME
extern "C" __attribute__((visibility("hidden"), used, no_sanitize("thread"))) _Unwind_Reason_Code
vftr_guard_personality(int, _Unwind_Action actions, _Unwind_Exception_Class, _Unwind_Exception* exception,
                       _Unwind_Context*) {
    if (actions & _UA_FORCE_UNWIND) {
        if (actions & _UA_CLEANUP_PHASE)
            leave_callback_for_good();
        return _URC_CONTINUE_UNWIND;
    }
    if (actions & _UA_SEARCH_PHASE)
        return _URC_HANDLER_FOUND;
    if (!(actions & _UA_HANDLER_FRAME))
        return _URC_CONTINUE_UNWIND;
    end_exception(*exception);
    return _URC_INSTALL_CONTEXT; // execution continues after the call
}
#endif

std::uint64_t exceptions_caught() { return caught.load(std::memory_order_relaxed); }

// The word of a frame that is gone may not have been overwritten yet; then this is checked again later.
bool callback_is_there(std::uint64_t stack_pointer, bool look_closely) {
    if (stack_pointer >= landing)
        return false;
    if (!look_closely || !VFTR_GUARDED_FRAME)
        return true;
    const auto* word = reinterpret_cast<const std::uint64_t*>(landing);
    return follow::OwnMemory().bytes(word, sizeof *word) != follow::Readable::No && *word == landing;
}

void abandon_callback(record::ThreadState& state) { end_call(state.subscription); }

} // namespace vftr::embed
