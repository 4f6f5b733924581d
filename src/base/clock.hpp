// SPDX-License-Identifier: BSD-3-Clause
//
// The tick clock of the hooks: the cheapest counter that runs at a constant rate on all cores.
//
// On x86-64 it is the TSC, if the kernel itself uses it as clocksource, because the kernel has then checked that it is
// invariant and synchronised; else it is CLOCK_MONOTONIC in ns. On aarch64 it is the virtual counter. The rate is not
// calibrated by sleeping: ticks and system clocks are read together at the start, now and then, and at the end, and the
// reader of the file computes the rate from them.
#pragma once

#include <cstdint>
#include <ctime>

namespace vftr::base {

enum class TickSource : std::uint32_t { Monotonic = 1, Tsc = 2, Cntvct = 3 };

extern TickSource tick_source; // set once by choose_tick_source, before the first thread is recorded
void choose_tick_source();

inline std::uint64_t monotonic_ns() {
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000u + static_cast<std::uint64_t>(t.tv_nsec);
}

// Reads the counter itself; valid only if counter_is_trusted().
inline __attribute__((always_inline)) std::uint64_t read_counter() {
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
    std::uint64_t ticks;
    asm volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
#else
    return 0;
#endif
}
inline bool counter_is_trusted() { return __builtin_expect(tick_source != TickSource::Monotonic, 1); }

inline __attribute__((always_inline)) std::uint64_t read_ticks() {
    return counter_is_trusted() ? read_counter() : monotonic_ns();
}

// One moment on all clocks; the readings are at most about 100 ns apart.
struct Moment {
    std::uint64_t ticks, monotonic_ns, realtime_ns;
};
Moment read_moment();

} // namespace vftr::base
