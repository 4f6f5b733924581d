// SPDX-License-Identifier: BSD-3-Clause
#include "base/clock.hpp"

#include "base/descriptor.hpp"

#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace vftr::base {

TickSource tick_source = TickSource::Monotonic;

namespace {

#if defined(__x86_64__)
bool kernel_trusts_tsc() {
    int fd = open_file("/sys/devices/system/clocksource/clocksource0/current_clocksource", O_RDONLY);
    if (fd < 0)
        return false;
    char name[16] = {};
    ssize_t n = ::read(fd, name, sizeof name - 1);
    close_file(fd);
    return n >= 3 && std::strncmp(name, "tsc", 3) == 0;
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
