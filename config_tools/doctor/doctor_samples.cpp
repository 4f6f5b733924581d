// SPDX-License-Identifier: BSD-3-Clause
#include "base/cpu_clock_event.hpp"
#include "config_tools/doctor/doctor.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace vftr::cli {
namespace {

constexpr std::uint64_t Period = 1'000'000; // ns
constexpr int MostParanoid = 2;             // that permits an event of the own threads in user mode

int paranoid_level() {
    int level = MostParanoid;
    std::ifstream("/proc/sys/kernel/perf_event_paranoid") >> level;
    return level;
}

} // namespace

SamplePermission sample_permission() {
    if (::prctl(PR_GET_SECCOMP) != 0)
        return {true, 0, 0};
    const perf_event_attr attr = base::cpu_clock_event(Period);
    const long event = ::syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
    if (event < 0)
        return {false, errno, paranoid_level()};
    ::close(static_cast<int>(event));
    return {false, 0, 0};
}

void check_samples(const SamplePermission& permission, Findings& findings) {
    const std::string without = ", so that times of functions that take less than a microsecond are estimates by what "
                                "hooks cost (timing_samples)";
    if (permission.filtered)
        findings.ok("no CPU samples are taken under a seccomp filter" + without);
    else if (permission.error == 0)
        findings.ok("the kernel permits CPU samples (timing_samples)");
    else if (permission.paranoid > MostParanoid)
        findings.ok("the kernel permits no CPU samples" + without + "; it does with kernel.perf_event_paranoid at " +
                    std::to_string(MostParanoid) + ", which is " + std::to_string(permission.paranoid) +
                    " here, or with CAP_PERFMON");
    else
        findings.ok("the kernel takes no CPU samples here (" + std::string(std::strerror(permission.error)) + ")" +
                    without);
}

} // namespace vftr::cli
