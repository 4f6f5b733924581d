/* SPDX-License-Identifier: BSD-3-Clause */
/* The processor's clock, for hooks that are references. */
#pragma once

#include <stdint.h>

static inline uint64_t ticks(void)
{
#if defined __x86_64__
    uint32_t low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    return (uint64_t)high << 32 | low;
#elif defined __aarch64__
    uint64_t value;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(value));
    return value;
#else
#error "no clock known for this processor"
#endif
}
