// SPDX-License-Identifier: BSD-3-Clause
#include "config_tools/doctor/doctor.hpp"

#include <cstdio>
#include <sys/resource.h>

namespace vftr::cli {
namespace {

constexpr unsigned long long Unlimited = ~0ull;
// What a program with a few threads needs; figures of the recorder with its default options, rounded up.
constexpr unsigned long long SmallFile = 8 << 20;
constexpr unsigned long long SmallAddressSpace = 256 << 20;
constexpr unsigned long long FewDescriptors = 16;
constexpr long FewMappings = 4096;

unsigned long long limit_of(int resource) {
    rlimit limit{};
    return ::getrlimit(static_cast<decltype(RLIMIT_CORE)>(resource), &limit) != 0 || limit.rlim_cur == RLIM_INFINITY
               ? Unlimited
               : limit.rlim_cur;
}

std::string mebibytes(unsigned long long bytes) { return std::to_string(bytes >> 20) + " MiB"; }

} // namespace

Limits limits_of_this_process() {
    Limits limits{limit_of(RLIMIT_FSIZE), limit_of(RLIMIT_AS), limit_of(RLIMIT_CORE), limit_of(RLIMIT_NOFILE), 0};
    if (std::FILE* file = std::fopen("/proc/sys/vm/max_map_count", "re")) {
        if (std::fscanf(file, "%ld", &limits.most_mappings) != 1)
            limits.most_mappings = 0;
        std::fclose(file);
    }
    return limits;
}

void check_limits(const Limits& limits, Findings& findings) {
    if (limits.file_bytes < SmallFile)
        findings.problem("files may have " + mebibytes(limits.file_bytes) + " only, a recording needs more",
                         "raise ulimit -f");
    else if (limits.file_bytes != Unlimited)
        findings.ok("a recording ends to grow at " + mebibytes(limits.file_bytes) + " (ulimit -f)");
    if (limits.address_bytes < SmallAddressSpace)
        findings.problem("the address space is limited to " + mebibytes(limits.address_bytes) +
                             ", too little for a recording",
                         "raise ulimit -v");
    else if (limits.address_bytes != Unlimited)
        findings.ok("the address space is limited to " + mebibytes(limits.address_bytes) +
                    " (ulimit -v); each thread takes some 16 MiB of it");
    if (limits.descriptors < FewDescriptors)
        findings.problem("a process may have " + std::to_string(limits.descriptors) +
                             " open files only, and a recording opens its file to let it grow",
                         "raise ulimit -n");
    if (limits.most_mappings > 0 && limits.most_mappings < FewMappings)
        findings.problem("a process may have " + std::to_string(limits.most_mappings) +
                             " mappings only, and each thread takes some",
                         "raise the kernel's vm.max_map_count");
    if (limits.core_bytes == 0)
        findings.ok("a crash leaves no core dump (ulimit -c 0), but the recording up to it");
}

} // namespace vftr::cli
