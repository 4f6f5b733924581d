/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reference: the smallest profiler that knows the calls and the exclusive time of each call path, exactly. A shadow stack, and one hash table of
 * (path of the caller, function), whose entries of 32 bytes are the paths themselves: one cache line for a pair of hooks. It has none of what a
 * program needs: no more paths than the table has, no exceptions, no file.
 */
#include "ticks.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

struct path {
    uint64_t function;
    uint32_t parent, used;
    uint64_t calls, time;
};
struct frame {
    uint64_t enter, callees;
    struct path *path;
};

enum { BITS = 19, DEPTH = 1 << 16 };
#define OF_THREAD static __thread __attribute__((tls_model("initial-exec")))
OF_THREAD struct path *paths;
OF_THREAD struct frame *top;

void __cyg_profile_func_enter(void *function, void *call_site);
void __cyg_profile_func_exit(void *function, void *call_site);

static struct path *path_of(uint32_t parent, uint64_t function)
{
    uint64_t hash = (function ^ (uint64_t)parent << 40) * 0x9e3779b97f4a7c15u >> (64 - BITS);
    for (;; hash = (hash + 1) & ((1u << BITS) - 1)) {
        struct path *path = &paths[hash];
        if (path->function == function && path->parent == parent)
            return path;
        if (!path->used) {
            path->function = function;
            path->parent = parent;
            path->used = 1;
            return path;
        }
    }
}

void __cyg_profile_func_enter(void *function, void *call_site)
{
    (void)call_site;
    if (!paths) {
        paths = mmap(0, sizeof(struct path) << BITS, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        top = mmap(0, sizeof(struct frame) * DEPTH, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (paths == MAP_FAILED || (void *)top == MAP_FAILED)
            abort();
        top->path = &paths[(1u << BITS) - 1];
    }
    struct path *path = path_of((uint32_t)(top->path - paths), (uint64_t)function);
    ++path->calls;
    ++top;
    top->path = path;
    top->callees = 0;
    top->enter = ticks();
}

void __cyg_profile_func_exit(void *function, void *call_site)
{
    (void)function;
    (void)call_site;
    const uint64_t time = ticks() - top->enter;
    top->path->time += time - top->callees;
    --top;
    top->callees += time;
}
