# SPDX-License-Identifier: BSD-3-Clause
# Callbacks instead of files: the end of delivery.
. "${srcdir:-.}/test/system/lib.sh"
. "$srcdir/test/system/embedding/embedding.sh"

# embedding.md: shutdown before init; before start it creates nothing
test_shutdown_before_the_first_event_leaves_nothing_and_records_nothing() {
    embedder early.c <<'END'
#include "embedder.h"
static void leaf(void) {}
__attribute__((constructor)) HIDE void before_main(void) { vftrace_shutdown(); }
int main(void) { leaf(); return vftrace_shutdown() != VFTRACE_OK || embed("e") != VFTRACE_ENDED || enters != 0; }
END
    config
    run_well ./early
    expect_no_file_of_ours
}

# embedding.md: shutdown then exit: no second finalize
test_exit_after_shutdown_ends_nothing_twice() {
    config
    workload
    run_well ./work f now
    expect_same "$(grep -o 'finished [0-9]*' out)" 'finished 1' 'last calls'
    embedder whole.c <<'END'
#include "embedder.h"
static void leaf(void) {}
int main(void)
{
    leaf();
    if (vftrace_shutdown() != VFTRACE_OK || access("whole_all.log", R_OK) || unlink("whole_all.log"))
        return 1;
    leaf();
    return 0;
}
END
    run_well ./whole
    expect_no_file whole_all.log
    expect_file whole_all.vfd
}

# embedding.md: shutdown under load → zero callbacks after return; 8 concurrent shutdowns: all return when it is complete
test_no_callback_comes_after_shutdown_has_returned_to_any_of_eight_threads() {
    embedder load.c <<'END'
#include "embedder.h"
static volatile int stop;
static long after;
static int over;
HIDE void watch(void *user, const struct vftrace_call_event *event)
{
    if (GET(over))
        ADD(after);
    on_enter(user, event);
    if (GET(over))
        ADD(after);
}
static void leaf(void) {}
static void *work(void *arg) { while (!stop) leaf(); return arg; }
HIDE void *end(void *arg)
{
    if (vftrace_shutdown() != VFTRACE_OK)
        ADD(wrong);
    if (GET(finishes) != 1)
        ADD(wrong);
    __atomic_store_n(&over, 1, __ATOMIC_SEQ_CST);
    return arg;
}
int main(void)
{
    pthread_t workers[8], enders[8];
    struct vftrace_callbacks c = callbacks_of("elf");
    c.function_enter = watch;
    if (vftrace_set_callbacks(&c) != VFTRACE_OK)
        return 1;
    for (int i = 0; i < 8; i++)
        pthread_create(&workers[i], 0, work, 0);
    while (GET(enters) < 1000)
        usleep(1000);
    for (int i = 0; i < 8; i++)
        pthread_create(&enders[i], 0, end, 0);
    for (int i = 0; i < 8; i++)
        pthread_join(enders[i], 0);
    usleep(20000);
    stop = 1;
    for (int i = 0; i < 8; i++)
        pthread_join(workers[i], 0);
    printf("after %ld wrong %ld finished %ld\n", after, wrong, finishes);
    return last_totals.under_way != 0;
}
END
    config
    for _ in 1 2 3; do
        run_well ./load
        expect_same "$(cat out)" 'after 0 wrong 0 finished 1' 'callbacks after shutdown'
        expect_no_file_of_ours
    done
}

# embedding.md: shutdown inside a callback
test_shutdown_in_a_callback_does_not_wait_for_callbacks() {
    embedder within.c <<'END'
#include "embedder.h"
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int pending;
HIDE void ending(void *user, const struct vftrace_call_event *event)
{
    pthread_mutex_lock(&mutex); /* another thread's callback waits for this while we shut down */
    on_enter(user, event);
    if (enters == 5000)
        pending = vftrace_shutdown();
    pthread_mutex_unlock(&mutex);
}
static void leaf(void) {}
static void *work(void *arg) { for (int i = 0; i < 5000; i++) leaf(); return arg; }
int main(void)
{
    pthread_t threads[4];
    struct vftrace_callbacks c = callbacks_of("elf");
    c.function_enter = ending;
    vftrace_set_callbacks(&c);
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], 0, work, 0);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], 0);
    printf("%d finished %ld\n", pending == VFTRACE_PENDING, finishes);
    return vftrace_shutdown();
}
END
    run_well ./within
    expect_same "$(cat out)" '1 finished 1' 'pending, and done when the calls had returned'
}

# embedding.md: 10 ms blocking callback → no loss; it delays only its own thread
test_a_callback_that_blocks_loses_nothing_and_delays_its_own_thread() {
    embedder slow.c <<'END'
#include "embedder.h"
static pthread_t sleeper;
static int blocked;
HIDE void slow(void *user, const struct vftrace_call_event *event)
{
    on_enter(user, event);
    if (pthread_equal(pthread_self(), sleeper)) {
        __atomic_store_n(&blocked, 1, __ATOMIC_SEQ_CST);
        usleep(10000);
        __atomic_store_n(&blocked, 0, __ATOMIC_SEQ_CST);
    }
}
static void leaf(void) {}
static void *work(void *arg)
{
    for (int i = 0; i < 20; i++)
        leaf();
    return arg;
}
int main(void)
{
    struct vftrace_callbacks c = callbacks_of("elf");
    c.function_enter = slow;
    vftrace_set_callbacks(&c);
    pthread_create(&sleeper, 0, work, 0);
    long calls = 0, while_blocked = 0;
    while (while_blocked < 1000) {
        int before = GET(blocked);
        leaf();
        while_blocked += before && GET(blocked);
        calls++;
    }
    pthread_join(sleeper, 0);
    vftrace_shutdown();
    printf("%d %llu\n", enters == calls + 21, (unsigned long long)(last_totals.dropped + last_totals.nested));
    return 0;
}
END
    run_well ./slow
    expect_same "$(cat out)" '1 0' 'all delivered; lost'
}

# embedding.md: dlclose of the embedder
test_the_embedder_can_be_unloaded_once_its_callbacks_are_cleared() {
    cat >plugin.c <<'END'
#include <vftrace.h>
static long calls;
static void enter(void *user, const struct vftrace_call_event *event) { (void)user, (void)event; __atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED); }
long start(void)
{
    struct vftrace_callbacks c = {.size = sizeof c, .version = VFTRACE_CALLBACKS_VERSION, .function_enter = enter};
    return vftrace_set_callbacks(&c);
}
long stop(void) { vftrace_set_callbacks(0); return calls; }
END
    $cc -g -O1 -fPIC -shared -I"$srcdir/include" plugin.c -o plugin.so || fail 'plugin'
    embedder unload.c -ldl <<'END'
#include "embedder.h"
#include <dlfcn.h>
static volatile int stop;
static void leaf(void) {}
static void *work(void *arg) { while (!stop) leaf(); return arg; }
HIDE int use(int n)
{
    void *plugin = dlopen("./plugin.so", RTLD_NOW | RTLD_LOCAL);
    if (!plugin)
        return 1;
    long (*begin)(void) = (long (*)(void))dlsym(plugin, "start"), (*end)(void) = (long (*)(void))dlsym(plugin, "stop");
    if (begin() < 0)
        return 2;
    usleep(n % 4 * 500);
    if (end() < 0)
        return 3;
    return dlclose(plugin);
}
int main(void)
{
    pthread_t threads[3];
    int failed = 0;
    if (use(0))
        return 1;
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], 0, work, 0);
    for (int i = 0; i < 100 && !failed; i++)
        failed = use(i);
    stop = 1;
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    return failed;
}
END
    run_well ./unload
    expect_no_file_of_ours
}

run_tests
