// SPDX-License-Identifier: BSD-3-Clause
#include "session/lifecycle/recording_origin.hpp"

#include "base/environment.hpp"
#include "base/process.hpp"
#include "follow/parent_recording.hpp"

#include <cstdlib>
#include <ctime>
#include <unistd.h>

namespace vftr::session {

namespace {

constexpr std::uint64_t Second = 1'000'000'000;
constexpr std::uint64_t Slack =
    Second; // the kernel counts clock ticks, clocks may be set, and `vftr run` takes the time before it forks

std::uint64_t nanoseconds(clockid_t clock) {
    timespec time{};
    clock_gettime(clock, &time);
    return static_cast<std::uint64_t>(time.tv_sec) * Second + static_cast<std::uint64_t>(time.tv_nsec);
}

std::uint64_t process_start_realtime() {
    std::uint64_t ticks = base::process_start(getpid());
    long per_second = sysconf(_SC_CLK_TCK);
    if (ticks == 0 || per_second <= 0)
        return 0;
    std::uint64_t since_boot = ticks * (Second / static_cast<std::uint64_t>(per_second));
    return nanoseconds(CLOCK_REALTIME) - nanoseconds(CLOCK_BOOTTIME) + since_boot;
}

} // namespace

RecordingOrigin origin_of(const char* parent, pid_t own, std::uint64_t process_start_realtime_ns) {
    RecordingOrigin origin;
    if (inherit::read_provenance(parent, origin.provenance))
        origin.successor = origin.provenance.pid == static_cast<std::uint32_t>(own) &&
                           process_start_realtime_ns <= origin.provenance.start_realtime_ns + Slack;
    return origin;
}

RecordingOrigin own_origin(bool forked) {
    if (!forked)
        return origin_of(base::environment_value("VFTR_PARENT"), getpid(), process_start_realtime());
    RecordingOrigin origin;
    origin.forked = true;
    origin.provenance = follow::parent_recording().recording; // its token is needed
    return origin;
}

} // namespace vftr::session
