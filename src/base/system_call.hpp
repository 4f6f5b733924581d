// SPDX-License-Identifier: BSD-3-Clause
//
// The only path to the kernel for code that may run in a child of vfork, in a signal handler, or below an interposed
// function. It does not set errno (in a child of vfork that is the parent's), is no cancellation point, and uses no
// symbol that another object could have interposed.
#pragma once

#include "base/compiler.hpp"
#include "base/errno_preserved.hpp"

#include <cstddef>
#include <sys/syscall.h>

#if !defined(__x86_64__) && !defined(__aarch64__)
#include <cerrno>
#include <unistd.h>
#endif

namespace vftr::base {

// Returns the kernel's own result, which is −errno after an error.
VFTR_INLINE long system_call_words(long number, long a, long b, long c, long d, long e, long f) {
#if defined(__x86_64__)
    long result;
    register long r10 asm("r10") = d;
    register long r8 asm("r8") = e;
    register long r9 asm("r9") = f;
    asm volatile("syscall"
                 : "=a"(result)
                 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                 : "rcx", "r11", "memory");
    return result;
#elif defined(__aarch64__)
    register long x8 asm("x8") = number;
    register long x0 asm("x0") = a;
    register long x1 asm("x1") = b;
    register long x2 asm("x2") = c;
    register long x3 asm("x3") = d;
    register long x4 asm("x4") = e;
    register long x5 asm("x5") = f;
    asm volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
    return x0;
#else
    return preserving_errno([&] {
        const long result = ::syscall(number, a, b, c, d, e, f);
        return result == -1 ? -errno : result;
    });
#endif
}

namespace word {
inline long of(std::nullptr_t) { return 0; }
template <class T>
long of(T value) {
    return static_cast<long>(value);
}
template <class T>
long of(T* p) {
    return reinterpret_cast<long>(p);
}
} // namespace word

// Example: system_call(SYS_openat, AT_FDCWD, path, O_RDONLY). Arguments that are left out are 0.
template <class... Arguments>
VFTR_INLINE long system_call(long number, Arguments... arguments) {
    static_assert(sizeof...(Arguments) <= 6);
    const long words[6 + 1] = {word::of(arguments)...};
    return system_call_words(number, words[0], words[1], words[2], words[3], words[4], words[5]);
}

// Whether a result is −errno, also of calls that return an address, as mmap does.
VFTR_INLINE bool is_error(long result) { return result < 0 && result > -4096; }

} // namespace vftr::base
