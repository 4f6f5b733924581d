# SPDX-License-Identifier: BSD-3-Clause
# Under sanitizers: the program changes what is recorded, and who is told, while its threads are recorded.
. "${srcdir:-.}/test/system/sanitized/lib_sanitized.sh"

# embedding.md: 8 threads swapping two pairs under TSan → never mixed; shutdown under load
test_callbacks_that_are_swapped_while_eight_threads_call_them() {
    sanitized swap.c <<'END'
#include <vftrace.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#define HIDE __attribute__((no_instrument_function)) static
struct Owner { int is_first; long calls; int alive; };
static long mixed, after, finished;
static int over;
static struct Owner owners[2] = {{1, 0, 1}, {0, 0, 1}};
HIDE void check(void *user, int first)
{
    struct Owner *owner = user;
    if (owner->is_first != first)
        __atomic_fetch_add(&mixed, 1, __ATOMIC_RELAXED);
    if (__atomic_load_n(&over, __ATOMIC_SEQ_CST))
        __atomic_fetch_add(&after, 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&owner->calls, 1, __ATOMIC_RELAXED);
}
HIDE void first(void *user, const struct vftrace_call_event *event) { (void)event; check(user, 1); }
HIDE void second(void *user, const struct vftrace_call_event *event) { (void)event; check(user, 0); }
HIDE void ending(void *user, const struct vftrace_totals *totals) { (void)user, (void)totals; finished++; }
HIDE void set(int i)
{
    struct vftrace_callbacks c;
    memset(&c, 0, sizeof c);
    c.size = sizeof c;
    c.version = VFTRACE_CALLBACKS_VERSION;
    c.user = &owners[i];
    c.function_enter = c.function_leave = c.region_enter = c.region_leave = i == 0 ? first : second;
    c.finished = ending;
    vftrace_set_callbacks(&c);
}
static int leaf(int n) { return n + 1; }
static void *work(void *arg)
{
    for (int i = 0, n = 0; i < 3000; i++) {
        n = leaf(n);
        if (i % 50 == 0)
            set((int)(long)arg ^ (i / 50 & 1));
        if (i % 64 == 0) {
            vftrace_region_begin("r");
            vftrace_region_end("r");
        }
    }
    return arg;
}
static volatile int stop;
static void *load(void *arg) { while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) leaf(0); return arg; }
HIDE void *end(void *arg)
{
    vftrace_shutdown();
    __atomic_store_n(&over, 1, __ATOMIC_SEQ_CST);
    return arg;
}
int main(void)
{
    pthread_t threads[8];
    set(0);
    for (long i = 0; i < 8; i++)
        pthread_create(&threads[i], 0, work, (void *)(i & 1));
    for (int i = 0; i < 8; i++)
        pthread_join(threads[i], 0);
    for (int i = 0; i < 8; i++)
        pthread_create(&threads[i], 0, i < 4 ? load : end, 0);
    for (int i = 4; i < 8; i++)
        pthread_join(threads[i], 0);
    __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], 0);
    printf("mixed %ld after %ld finished %ld both %d\n", mixed, after, finished, owners[0].calls > 0 && owners[1].calls > 0);
    return 0;
}
END
    run ./swap
    expect_no_report
    expect_same "$(cat out)" 'mixed 0 after 0 finished 1 both 1' 'callbacks'
}

# Issue: re-enabling at run time, safely for all threads. Four threads change what is recorded while four call it, and objects come and go.
test_threads_exclude_and_include_functions_that_others_call() {
    config '"filter": {"exclude": {"functions": "^excluded$"}, "max_depth": 6, "triggers": [{"function": "^last$", "call": 3, "action": "stop"}]}'
    sanitized plugin.c -shared -fPIC <<'END'
static int inner(int n) { return n + 1; }
int entry(int n) { return inner(n); }
END
    mv plugin plugin.so
    sanitized changes.c -ldl <<'END'
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <vftrace.h>
enum { THREADS = 4, CALLS = 10000 };
static atomic_int calling = THREADS;
static pthread_barrier_t all_here;
static pthread_mutex_t loader = PTHREAD_MUTEX_INITIALIZER;
int leaf(int n) { return n + 1; }
int excluded(int n) { return leaf(n); }
int middle(int n) { return leaf(n) + excluded(n); }
int seen(int n) { return middle(n); }
static void last(void) {}
static void *call(void *unused)
{
    pthread_barrier_wait(&all_here);
    for (int i = 0; i < CALLS; i++)
        if (seen(i) != 2 * i + 2)
            return 0;
    calling--;
    return unused;
}
__attribute__((no_instrument_function)) static void *change(void *which)
{
    int (*functions[])(int) = {leaf, middle, excluded};
    pthread_barrier_wait(&all_here);
    for (long i = (long)which; calling > 0; i++) {
        void (*function)(void) = (void (*)(void))functions[i % 3];
        vftrace_exclude(function);
        vftrace_include(function);
        if (i % 16 == 0) {
            pthread_mutex_lock(&loader); /* its own lock is not seen by ThreadSanitizer */
            void *plugin = dlopen("./plugin.so", RTLD_NOW);
            pthread_mutex_unlock(&loader);
            int (*entry)(int) = plugin ? (int (*)(int))dlsym(plugin, "entry") : leaf;
            entry(1);
            vftrace_exclude((void (*)(void))entry);
            entry(1);
            pthread_mutex_lock(&loader);
            if (plugin)
                dlclose(plugin);
            pthread_mutex_unlock(&loader);
        }
    }
    return which;
}
int main(void)
{
    pthread_t threads[2 * THREADS];
    pthread_barrier_init(&all_here, 0, 2 * THREADS);
    for (long i = 0; i < 2 * THREADS; i++)
        pthread_create(&threads[i], 0, i < THREADS ? call : change, (void *)i);
    for (int i = 0; i < 2 * THREADS; i++)
        pthread_join(threads[i], 0);
    for (int i = 0; i < 5; i++)
        last();
    return calling;
}
END
    run ./changes
    expect_no_report
    expect_calls changes_all.log seen 40000
    expect_calls changes_all.log last 3
}

run_tests
