/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program that watches itself: how often its functions are called and how long they take, by callbacks, and no file.
 *
 *   gcc -g -finstrument-functions embed.c $(pkg-config --cflags --libs vftrace) -lm -o embed && ./embed
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <vftrace.h>

/* --- The watcher. Its functions are called by vftrace; what they call is not recorded, so they need no attribute for that. */

enum { MostFunctions = 256, Deepest = 1024 };

struct function {
    const char *name; /* of vftrace, valid as long as the process: the same pointer is the same function */
    uint64_t calls, nanoseconds;
};
struct watcher {
    struct function functions[MostFunctions];
    uint64_t not_counted;
};

/* Calls that have not returned, of one thread. */
static _Thread_local uint64_t entered[Deepest];
static _Thread_local unsigned depth;

static struct function *find(struct watcher *watcher, const char *name)
{
    for (unsigned i = 0, at = (unsigned)((uintptr_t)name >> 3); i < MostFunctions; i++, at++) {
        struct function *function = &watcher->functions[at % MostFunctions];
        const char *there = __atomic_load_n(&function->name, __ATOMIC_RELAXED);
        if (there == name)
            return function;
        if (!there && __atomic_compare_exchange_n(&function->name, &there, name, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            return function;
        if (there == name) /* another thread was faster */
            return function;
    }
    return NULL;
}

static void on_enter(void *user, const struct vftrace_call_event *event)
{
    (void)user;
    if (depth < Deepest)
        entered[depth] = event->time_ns;
    depth++;
}

static void on_leave(void *user, const struct vftrace_call_event *event)
{
    struct watcher *watcher = user;
    struct function *function = event->name ? find(watcher, event->name) : NULL;
    depth--;
    if (!function || depth >= Deepest) {
        __atomic_fetch_add(&watcher->not_counted, 1, __ATOMIC_RELAXED);
        return;
    }
    __atomic_fetch_add(&function->calls, 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&function->nanoseconds, event->time_ns - entered[depth], __ATOMIC_RELAXED);
}

static void on_finish(void *user, const struct vftrace_totals *totals)
{
    const struct watcher *watcher = user;
    for (int i = 0; i < MostFunctions; i++)
        if (watcher->functions[i].name)
            printf("%10llu calls %12.6f s  %s\n", (unsigned long long)watcher->functions[i].calls,
                   1e-9 * (double)watcher->functions[i].nanoseconds, watcher->functions[i].name);
    if (watcher->not_counted || totals->dropped)
        printf("%llu not counted\n", (unsigned long long)(watcher->not_counted + totals->dropped));
}

/* --- The program. */

static double value(double x) { return sin(x) * exp(-x); }

static double integrate(double from, double to, int steps)
{
    double width = (to - from) / steps, sum = 0;
    for (int i = 0; i < steps; i++)
        sum += value(from + (i + 0.5) * width) * width;
    return sum;
}

int main(void)
{
    static struct watcher watcher;
    struct vftrace_callbacks callbacks;
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.size = sizeof callbacks;
    callbacks.version = VFTRACE_CALLBACKS_VERSION;
    callbacks.user = &watcher;
    callbacks.function_enter = on_enter;
    callbacks.function_leave = on_leave;
    callbacks.finished = on_finish;
    if (vftrace_set_callbacks(&callbacks) != VFTRACE_OK)
        fprintf(stderr, "embed: not embedded\n");

    double sum = 0;
    for (int i = 0; i < 10; i++)
        sum += integrate(i, i + 1, 1000);
    printf("integral %.6f\n", sum);

    vftrace_shutdown(); /* calls on_finish; watcher is not used any more */
    return 0;
}
