// SPDX-License-Identifier: BSD-3-Clause
//
// What the kernel's CPU samples take: the same block of work with and without being sampled each millisecond, in turn.
// Prints the median of the pairs' differences, in nanoseconds for a sample.
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { Pairs = 1000, Period = 999983, Data = 32768 };
static volatile long sum;

static double block(void)
{
    struct timespec begin, end;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
    for (long i = 0; i < 4000000; i++)
        sum = sum + i;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
    return (double)(end.tv_sec - begin.tv_sec) * 1e9 + (double)(end.tv_nsec - begin.tv_nsec);
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(void)
{
    struct perf_event_attr attr;
    memset(&attr, 0, sizeof attr);
    attr.type = PERF_TYPE_SOFTWARE;
    attr.size = sizeof attr;
    attr.config = PERF_COUNT_SW_CPU_CLOCK;
    attr.sample_period = Period;
    attr.sample_type = PERF_SAMPLE_IP;
    attr.disabled = attr.exclude_kernel = attr.exclude_hv = attr.watermark = 1;
    attr.wakeup_watermark = ~0u;
    const int event = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
    struct perf_event_mmap_page *page =
        event < 0 ? MAP_FAILED : mmap(0, (size_t)sysconf(_SC_PAGESIZE) + Data, PROT_READ | PROT_WRITE, MAP_SHARED, event, 0);
    if (page == MAP_FAILED) {
        perror("samples");
        return 1;
    }
    static double cost[Pairs];
    for (int i = 0; i < Pairs; i++) {
        const double without = block();
        ioctl(event, PERF_EVENT_IOC_ENABLE, 0);
        const double with = block();
        ioctl(event, PERF_EVENT_IOC_DISABLE, 0);
        __atomic_store_n(&page->data_tail, __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE), __ATOMIC_RELEASE);
        cost[i] = (with / without - 1) * Period;
    }
    qsort(cost, Pairs, sizeof *cost, by_value);
    printf("%.0f\n", cost[Pairs / 2]);
    return 0;
}
