# SPDX-License-Identifier: BSD-3-Clause
#
# Samples of the CPU time.

# The kernel may not permit them here, as in many containers.
needs_samples() {
    instrument='' linkage=none build permitted.c <<'END'
#include <linux/perf_event.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(void)
{
    struct perf_event_attr attr;
    memset(&attr, 0, sizeof attr);
    attr.size = sizeof attr;
    attr.type = PERF_TYPE_SOFTWARE;
    attr.config = PERF_COUNT_SW_CPU_CLOCK;
    attr.sample_period = 1000000;
    attr.sample_type = PERF_SAMPLE_IP;
    attr.exclude_kernel = attr.exclude_hv = 1;
    const long event = syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
    const long bytes = sysconf(_SC_PAGESIZE) + 32768;
    return event < 0 || mmap(0, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, event, 0) == MAP_FAILED || prctl(PR_GET_SECCOMP) != 0;
}
END
    ./permitted || skip "the kernel permits no samples here"
    config '"timing_samples": 1000, "sampling": {"active": true}'
}

# samples_of FILE [THREAD]: lines "count function" of all its threads or of one.
samples_of() {
    "$vftr" dump --skip_samples --show_records "$1" 2>dump.err | awk -v wanted="${2-}" '
        /^Thread [0-9]/ { thread = $2 + 0; on = 0 }
        /^CPU samples, each/ { on = wanted == "" || wanted == thread; getline; next }
        !/^ *[0-9]/ { on = 0 }
        on { print $1, $6, $7 }'
}
# count FILE FUNCTION [THREAD]
count() { samples_of "$1" ${3+"$3"} | awk -v name="$2" '$2 == name { n += $1 } END { print n + 0 }'; }
