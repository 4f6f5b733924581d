// SPDX-License-Identifier: BSD-3-Clause
#include "base/clock.hpp"

#include "base/file_beginning.hpp"

#include <string_view>

namespace vftr::base {

TickSource tick_source = TickSource::Monotonic;

namespace {

#if defined(__x86_64__)
bool kernel_trusts_tsc() {
    char name[16];
    const std::size_t size =
        read_beginning("/sys/devices/system/clocksource/clocksource0/current_clocksource", name, sizeof name);
    return std::string_view(name, size).starts_with("tsc");
}
#endif

std::uint64_t realtime_ns() {
    timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000u + static_cast<std::uint64_t>(t.tv_nsec);
}

} // namespace

void choose_tick_source() {
#if defined(__x86_64__)
    tick_source = kernel_trusts_tsc() ? TickSource::Tsc : TickSource::Monotonic;
#elif defined(__aarch64__)
    tick_source = TickSource::Cntvct;
#endif
}

// Takes the tightest of three readings: an interrupt between two clocks spoils one reading, but hardly all three.
Moment read_moment() {
    Moment best{};
    std::uint64_t best_width = ~std::uint64_t{0};
    for (int i = 0; i < 3; ++i) {
        std::uint64_t before = read_ticks();
        std::uint64_t ns = monotonic_ns();
        std::uint64_t after = read_ticks();
        if (after - before < best_width) {
            best_width = after - before;
            best.ticks = before + (after - before) / 2;
            best.monotonic_ns = ns;
        }
    }
    best.realtime_ns = realtime_ns();
    return best;
}

} // namespace vftr::base
