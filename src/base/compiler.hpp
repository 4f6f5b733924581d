// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#define VFTR_PUBLIC __attribute__((visibility("default")))
// Marks a function of the C library that vftrace interposes. It is weak, so that a program that defines a function of
// this name keeps its own, also with libvftrace.a.
#define VFTR_INTERPOSED VFTR_PUBLIC __attribute__((weak))
#define VFTR_LIKELY(x) __builtin_expect(!!(x), 1)
#define VFTR_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define VFTR_COLD __attribute__((cold, noinline))
#define VFTR_INLINE inline __attribute__((always_inline))

// Tell whether this is a build with -fsanitize=thread, and whether it is one with a sanitizer that has its own
// allocator.
#if defined(__SANITIZE_THREAD__)
#define VFTR_THREAD_SANITIZER 1
#elif defined(__SANITIZE_ADDRESS__)
#define VFTR_SANITIZERS_ALLOCATOR 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define VFTR_THREAD_SANITIZER 1
#elif __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
#define VFTR_SANITIZERS_ALLOCATOR 1
#endif
#endif
#ifndef VFTR_THREAD_SANITIZER
#define VFTR_THREAD_SANITIZER 0
#endif
#ifndef VFTR_SANITIZERS_ALLOCATOR
#define VFTR_SANITIZERS_ALLOCATOR VFTR_THREAD_SANITIZER
#endif

// Marks a function that may run before a sanitizer knows the thread: it is not instrumented.
#if defined(__has_attribute) && __has_attribute(disable_sanitizer_instrumentation)
#define VFTR_BEFORE_SANITIZERS __attribute__((disable_sanitizer_instrumentation))
#else
#define VFTR_BEFORE_SANITIZERS __attribute__((no_sanitize("thread", "address", "undefined")))
#endif
