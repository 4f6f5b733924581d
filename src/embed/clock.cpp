// SPDX-License-Identifier: BSD-3-Clause
#include "embed/clock.hpp"

#include "base/clock.hpp"
#include "record/recorder.hpp"

#include <atomic>

namespace vftr::embed {

namespace {

constexpr std::uint64_t ShortestSpan = 50'000; // in ns; the rate from a shorter span is too inaccurate

std::uint64_t rate_between(std::uint64_t ticks0, std::uint64_t ns0, std::uint64_t ticks1, std::uint64_t ns1) {
    if (ticks0 == 0 || ticks1 <= ticks0 || ns1 < ns0 + ShortestSpan)
        return 0;
    return static_cast<std::uint64_t>((static_cast<unsigned __int128>(ns1 - ns0) << 32) / (ticks1 - ticks0));
}

} // namespace

void read_clocks(record::Subscription& clock) {
    const base::Moment now = base::read_moment();
    std::uint64_t rate = rate_between(clock.ticks, clock.ns, now.ticks, now.monotonic_ns);
    if (rate == 0 && clock.rate == 0) { // a new thread takes the average rate since the process began
        const vfd::ClockPair start = record::recorder.writer.header().start;
        rate = rate_between(start.ticks, start.monotonic_ns, now.ticks, now.monotonic_ns);
    }
    clock.ticks = now.ticks;
    clock.ns = now.monotonic_ns;
    if (rate != 0)
        clock.rate = rate;
}

std::uint64_t monotonic_of(const record::Subscription& clock, std::uint64_t ticks) {
    if (ticks == 0)
        return 0;
    if (clock.rate != 0)
        return converted(clock, ticks);
    const base::Moment now = base::read_moment();
    if (base::tick_source == base::TickSource::Monotonic)
        return ticks;
    const vfd::ClockPair start = record::recorder.writer.header().start;
    const std::uint64_t rate =
        now.ticks > start.ticks && now.monotonic_ns > start.monotonic_ns
            ? static_cast<std::uint64_t>((static_cast<unsigned __int128>(now.monotonic_ns - start.monotonic_ns) << 32) /
                                         (now.ticks - start.ticks))
            : 0;
    record::Subscription here{};
    here.ticks = now.ticks;
    here.ns = now.monotonic_ns;
    here.rate = rate;
    return converted(here, ticks);
}

} // namespace vftr::embed
