// SPDX-License-Identifier: BSD-3-Clause
//
// Interposes longjmp, siglongjmp, swapcontext and setcontext to learn where they go before they do
// (record/stacks/stacks.hpp). Where these wrappers are not used (libvftrace.a, a program with its own functions of
// these names), a hook still notices from its stack pointer which functions are gone, unless it is deeper on the stack
// than one of them. Only in the shared library: in a fully static executable, these would be the only functions of
// these names.
#include "base/compiler.hpp"
#include "base/next_function.hpp"
#include "flow/jump_target.hpp"
#include "record/stacks/stacks.hpp"

#include <atomic>
#include <ucontext.h>

namespace {

using Jump = void(__jmp_buf_tag*, int);
using Swap = int(ucontext_t*, const ucontext_t*);
using Set = int(const ucontext_t*);

// Signal handlers jump, too, so all functions are looked up before the program begins, or by an earlier jump.
struct Real {
    std::atomic<Jump*> longjmp, siglongjmp, plain, checked;
    std::atomic<Swap*> swapcontext;
    std::atomic<Set*> setcontext;
};
Real real;

using vftr::base::kept_next_function;

__attribute__((constructor)) void find_all() {
    kept_next_function(real.longjmp, "longjmp");
    kept_next_function(real.siglongjmp, "siglongjmp");
    kept_next_function(real.plain, "_longjmp");
    kept_next_function(real.checked, "__longjmp_chk");
    kept_next_function(real.swapcontext, "swapcontext");
    kept_next_function(real.setcontext, "setcontext");
}

[[noreturn]] void jump(Jump* how, __jmp_buf_tag* buffer, int value) {
    if (std::uint64_t target = vftr::flow::target_of(*reinterpret_cast<std::jmp_buf*>(buffer)))
        vftr::record::arrive_at(target);
    how(buffer, value);
    __builtin_unreachable();
}

std::uint64_t stack_pointer_of(const ucontext_t& context) {
#if defined(__x86_64__)
    return static_cast<std::uint64_t>(context.uc_mcontext.gregs[REG_RSP]);
#elif defined(__aarch64__)
    return context.uc_mcontext.sp;
#else
    return 0;
#endif
}

// Reports the stack of the context. It is not known for a context that was saved by getcontext and not made by
// makecontext.
void enter_context(const ucontext_t* context) {
    auto low = reinterpret_cast<std::uint64_t>(context->uc_stack.ss_sp);
    std::uint64_t high = low + context->uc_stack.ss_size, at = stack_pointer_of(*context);
    if (low < at && at <= high)
        vftr::record::context_is_entered(low, high);
}

} // namespace

extern "C" {

VFTR_INTERPOSED void longjmp(__jmp_buf_tag* buffer, int value) noexcept {
    jump(kept_next_function(real.longjmp, "longjmp"), buffer, value);
}
VFTR_INTERPOSED void siglongjmp(__jmp_buf_tag* buffer, int value) noexcept {
    jump(kept_next_function(real.siglongjmp, "siglongjmp"), buffer, value);
}
VFTR_INTERPOSED void _longjmp(__jmp_buf_tag* buffer, int value) noexcept {
    jump(kept_next_function(real.plain, "_longjmp"), buffer, value);
}
// Called by programs that are built with _FORTIFY_SOURCE.
VFTR_INTERPOSED void __longjmp_chk(__jmp_buf_tag* buffer, int value) noexcept {
    jump(kept_next_function(real.checked, "__longjmp_chk"), buffer, value);
}
VFTR_INTERPOSED int swapcontext(ucontext_t* from, const ucontext_t* to) noexcept {
    enter_context(to);
    return kept_next_function(real.swapcontext, "swapcontext")(from, to);
}
VFTR_INTERPOSED int setcontext(const ucontext_t* context) noexcept {
    enter_context(context);
    return kept_next_function(real.setcontext, "setcontext")(context);
}

} // extern "C"
