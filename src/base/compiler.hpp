// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#define VFTR_PUBLIC __attribute__((visibility("default")))
#define VFTR_LIKELY(x) __builtin_expect(!!(x), 1)
#define VFTR_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define VFTR_COLD __attribute__((cold, noinline))
#define VFTR_INLINE inline __attribute__((always_inline))
