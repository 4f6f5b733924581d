/* SPDX-License-Identifier: BSD-3-Clause
 * An embedder that counts: each callback by its kind, for C and C++. What it counted comes out with report(). */
#include <vftrace.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#define HIDE __attribute__((no_instrument_function, unused)) static
#define ADD(counter) __atomic_fetch_add(&(counter), 1, __ATOMIC_RELAXED)
#define GET(counter) __atomic_load_n(&(counter), __ATOMIC_SEQ_CST)

static long enters, leaves, region_enters, region_leaves, messages, modules, starts, ends, finishes;
static long wrong, vanished, leaf_calls;
static struct vftrace_totals last_totals;

HIDE void on_enter(void *user, const struct vftrace_call_event *event)
{
    (void)user;
    ADD(enters);
    if (event->size < sizeof *event || event->kind != VFTRACE_FUNCTION || !event->address || !event->time_ns)
        ADD(wrong);
    if (event->name && !strcmp(event->name, "leaf"))
        ADD(leaf_calls);
}
HIDE void on_leave(void *user, const struct vftrace_call_event *event)
{
    (void)user;
    ADD(leaves);
    if (event->flags & VFTRACE_VANISHED)
        ADD(vanished);
}
HIDE void on_region_enter(void *user, const struct vftrace_call_event *event)
{
    (void)user;
    ADD(region_enters);
    if (event->kind == VFTRACE_FUNCTION || !event->name)
        ADD(wrong);
}
HIDE void on_region_leave(void *user, const struct vftrace_call_event *event)
{
    (void)user, (void)event;
    ADD(region_leaves);
}
HIDE void on_message(void *user, const struct vftrace_mpi_event *event)
{
    (void)user, (void)event;
    ADD(messages);
}
HIDE void on_module(void *user, const struct vftrace_module_event *event)
{
    (void)user;
    ADD(modules);
    if (!event->path || event->path[0] != '/' || event->start >= event->end)
        ADD(wrong);
}
HIDE void on_start(void *user, const struct vftrace_thread_event *event)
{
    (void)user, (void)event;
    ADD(starts);
}
HIDE void on_end(void *user, const struct vftrace_thread_event *event)
{
    (void)user, (void)event;
    ADD(ends);
}
HIDE void on_finish(void *user, const struct vftrace_totals *totals)
{
    (void)user;
    ADD(finishes);
    last_totals = *totals;
}

/* With the functions whose letters are in `which`: e l (functions), E L (regions), m, M (modules), s x (threads), f. */
HIDE struct vftrace_callbacks callbacks_of(const char *which)
{
    struct vftrace_callbacks c;
    memset(&c, 0, sizeof c);
    c.size = sizeof c;
    c.version = VFTRACE_CALLBACKS_VERSION;
    for (; *which; ++which)
        switch (*which) {
        case 'e': c.function_enter = on_enter; break;
        case 'l': c.function_leave = on_leave; break;
        case 'E': c.region_enter = on_region_enter; break;
        case 'L': c.region_leave = on_region_leave; break;
        case 'm': c.mpi = on_message; break;
        case 'M': c.module_loaded = on_module; break;
        case 's': c.thread_started = on_start; break;
        case 'x': c.thread_ended = on_end; break;
        case 'f': c.finished = on_finish; break;
        }
    return c;
}
HIDE int embed(const char *which)
{
    struct vftrace_callbacks c = callbacks_of(which);
    return vftrace_set_callbacks(&c);
}
HIDE void report(void)
{
    printf("enters %ld leaves %ld leaf %ld region %ld %ld modules %ld threads %ld %ld finished %ld vanished %ld wrong %ld\n", enters, leaves,
           leaf_calls, region_enters, region_leaves, modules, starts, ends, finishes, vanished, wrong);
    fflush(stdout);
}
