/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A counting library that shares nothing with vftrace: how often was each function called? LD_PRELOAD it before a program
 * that was compiled with -finstrument-functions; its hooks then stand before all others. At exit it appends to
 * $COUNT_CALLS_OUT a line "<address in the symbol table, hex> <calls>" for each function of the executable, and
 * "<path>:<address> <calls>" for those of other objects. One process, any number of threads.
 *
 * Where COUNT_CALLS_FORWARD is set, it hands each event on to the hooks that follow, as if it were not there: a jump
 * leaves their stack as their caller made it. Then both see the same run, in which threads may share the work as they like.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { Slots = 1 << 16 };

struct slot {
    _Atomic(void *) function;
    _Atomic(uint64_t) calls;
};

/* One table for all threads, counted atomically: slow, and plainly right. */
static struct slot table[Slots];

typedef void hook(void *function, void *call_site);
static hook *next_enter, *next_exit;

static inline void count(void *function)
{
    uint64_t hash = (uint64_t)(uintptr_t)function * 0x9e3779b97f4a7c15u >> 48;
    for (unsigned i = 0; i < Slots; i++) {
        struct slot *s = &table[(hash + i) % Slots];
        void *there = s->function;
        if (!there && atomic_compare_exchange_strong(&s->function, &there, function))
            there = function;
        if (there == function) {
            s->calls++;
            return;
        }
    }
    abort();
}

static void nowhere(void *function, void *call_site)
{
    (void)function;
    (void)call_site;
}

/* The first events come from one thread. */
static void find_next(void)
{
    int wanted = getenv("COUNT_CALLS_FORWARD") != NULL;
    hook *found = wanted ? (hook *)dlsym(RTLD_NEXT, "__cyg_profile_func_exit") : NULL;
    next_exit = found ? found : nowhere;
    found = wanted ? (hook *)dlsym(RTLD_NEXT, "__cyg_profile_func_enter") : NULL;
    next_enter = found ? found : nowhere;
}

void __cyg_profile_func_enter(void *function, void *call_site)
{
    count(function);
    if (!next_enter)
        find_next();
    next_enter(function, call_site);
}

void __cyg_profile_func_exit(void *function, void *call_site)
{
    if (!next_enter)
        find_next();
    next_exit(function, call_site);
}

__attribute__((destructor)) static void write_counts(void)
{
    const char *path = getenv("COUNT_CALLS_OUT");
    FILE *out = path ? fopen(path, "a") : NULL;
    if (!out)
        return;
    for (unsigned i = 0; i < Slots; i++) {
        if (!table[i].function)
            continue;
        Dl_info info;
        struct link_map *map = NULL;
        int known = dladdr1(table[i].function, &info, (void **)&map, RTLD_DL_LINKMAP);
        uintptr_t address = (uintptr_t)table[i].function - (known && map ? map->l_addr : 0);
        if (known && map && map->l_name[0])
            fprintf(out, "%s:%lx %lu\n", map->l_name, (unsigned long)address, (unsigned long)table[i].calls);
        else
            fprintf(out, "%lx %lu\n", (unsigned long)address, (unsigned long)table[i].calls);
    }
    fclose(out);
}
