# SPDX-License-Identifier: BSD-3-Clause
# Programs that embed: events come by callbacks, and no file of ours is there.
. "${srcdir:-.}/test/system/lib.sh"

embedder() { # NAME.c <SOURCE
    build "$@" -I"$srcdir/test/system/embedding"
}
# All that a run may leave behind is what the test made itself.
expect_no_file_of_ours() {
    local found
    found=$(ls -d ./*.vfd ./*.tmpvfd ./*.log ./*.tmp vftrace_symbols 2>/dev/null)
    [ -z "$found" ] || fail "files: $found"
}

workload() {
    embedder work.c "$@" <<'END'
#include "embedder.h"
__attribute__((noinline)) static void leaf(void) { __asm__ volatile(""); }
static void recurse(int n) { leaf(); if (n) recurse(n - 1); }
static void *work(void *arg)
{
    for (int i = 0; i < 1000; i++)
        leaf();
    return arg;
}
static void run(void)
{
    pthread_t threads[2];
    recurse(9);
    vftrace_region_begin("outer");
    vftrace_region_begin("inner");
    leaf();
    vftrace_region_end("inner");
    vftrace_region_end("outer");
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, work, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
}
int main(int argc, char **argv)
{
    if (argc > 1 && embed(argv[1]) != VFTRACE_OK)
        return 2;
    run();
    if (argc > 2)
        vftrace_shutdown();
    report();
    return 0;
}
END
}

# embedding.md: no callback → files as stand-alone
test_without_callbacks_the_files_are_those_of_any_program() {
    config
    workload
    run_well ./work
    expect_calls work_all.log leaf 2011
    expect_file work_all.vfd
    expect_same "$(cat out)" 'enters 0 leaves 0 leaf 0 region 0 0 modules 0 threads 0 0 finished 0 vanished 0 wrong 0' counts
}

# embedding.md: all callbacks → exact event counts, no file
expect_exact_counts() {
    for linkage in shared archive static; do
        config '"sampling": {"active": true, "sample_interval": 0}'
        workload
        run_well ./work elELmMsxf now
        # run, recurse 10 times, leaf 10 + 1 + 2000 times, work twice; main was entered before
        expect_same "$(cat out)" 'enters 2024 leaves 2024 leaf 2011 region 2 2 modules 1 threads 3 2 finished 1 vanished 0 wrong 0' "$cc, $linkage"
        expect_no_file_of_ours
    done
}
test_all_callbacks_get_every_event_and_there_is_no_file() { with_each_compiler expect_exact_counts; }

# embedding.md: each single callback alone → no file
test_each_callback_alone_gets_its_events_and_there_is_no_file() {
    config
    workload
    for which in e l E L m M s x f; do
        run_well ./work $which now
        expect_no_file_of_ours
        case $which in
        e) counted='enters 2024 leaves 0 leaf 2011 region 0 0 modules 0 threads 0 0 finished 0' ;;
        l) counted='enters 0 leaves 2024 leaf 0 region 0 0 modules 0 threads 0 0 finished 0' ;;
        E) counted='enters 0 leaves 0 leaf 0 region 2 0 modules 0 threads 0 0 finished 0' ;;
        L) counted='enters 0 leaves 0 leaf 0 region 0 2 modules 0 threads 0 0 finished 0' ;;
        m) counted='enters 0 leaves 0 leaf 0 region 0 0 modules 0 threads 0 0 finished 0' ;;
        M) counted='enters 0 leaves 0 leaf 0 region 0 0 modules 1 threads 0 0 finished 0' ;;
        s) counted='enters 0 leaves 0 leaf 0 region 0 0 modules 0 threads 3 0 finished 0' ;;
        x) counted='enters 0 leaves 0 leaf 0 region 0 0 modules 0 threads 0 2 finished 0' ;;
        f) counted='enters 0 leaves 0 leaf 0 region 0 0 modules 0 threads 0 0 finished 1' ;;
        esac
        expect_same "$(cat out)" "$counted vanished 0 wrong 0" "callback $which alone"
    done
}

# embedding.md: traced function in a callback
test_an_instrumented_function_in_a_callback_is_not_delivered() {
    embedder inside.c <<'END'
#include "embedder.h"
static long inner;
static void helper(void) { inner++; }
HIDE void noisy(void *user, const struct vftrace_call_event *event)
{
    on_enter(user, event);
    for (int i = 0; i < 100; i++)
        helper();
    vftrace_region_begin("within");
    vftrace_region_end("within");
}
static void leaf(void) {}
int main(void)
{
    struct vftrace_callbacks c = callbacks_of("elELf");
    c.function_enter = noisy;
    vftrace_set_callbacks(&c);
    for (int i = 0; i < 2000; i++)
        leaf();
    vftrace_shutdown();
    printf("%ld %ld %ld %ld %llu %llu\n", enters, leaves, region_enters, inner, (unsigned long long)last_totals.dropped,
           (unsigned long long)last_totals.nested);
    return 0;
}
END
    run_well ./inside
    set -- $(cat out)
    expect_same "$1 $2 $3 $4 $5" '2000 2000 0 200000 0' 'enters, leaves, regions, calls within the callback, lost'
    expect_at_least "$6" 200000 'events within callbacks that are counted'
    expect_no_file_of_ours
}

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

# The choice of the sink is made once.
test_callbacks_that_come_late_are_added_to_the_files() {
    embedder late.c <<'END'
#include "embedder.h"
static void leaf(void) {}
int main(void)
{
    leaf();
    if (embed("el") != VFTRACE_FILES_TOO)
        return 1;
    for (int i = 0; i < 10; i++)
        leaf();
    if (vftrace_set_callbacks(0) != VFTRACE_FILES_TOO)
        return 2;
    leaf();
    printf("%ld %ld\n", enters, leaves);
    return 0;
}
END
    config
    run_well ./late
    expect_same "$(cat out)" '10 10' 'events'
    expect_calls late_all.log leaf 12
}
test_cleared_callbacks_do_not_bring_files() {
    embedder cleared.c <<'END'
#include "embedder.h"
static void leaf(void) {}
int main(void)
{
    embed("elf");
    leaf();
    if (vftrace_set_callbacks(0) != VFTRACE_OK)
        return 1;
    leaf();
    printf("%ld %ld %ld\n", enters, leaves, finishes);
    return 0;
}
END
    run_well ./cleared
    expect_same "$(cat out)" '1 1 0' 'events'
    expect_no_file_of_ours
}

# embedding.md: files and callbacks together: an explicit option
test_files_and_callbacks_together_have_the_same_calls() {
    embedder both.c <<'END'
#include "embedder.h"
static void leaf(void) {}
static void fib(int n) { if (n > 1) fib(n - 1), fib(n - 2); }
int main(void)
{
    struct vftrace_callbacks c = callbacks_of("elELMsxf");
    c.flags = VFTRACE_WITH_FILES;
    if (vftrace_set_callbacks(&c) < 0)
        return 1;
    for (int i = 0; i < 50; i++)
        leaf();
    fib(10);
    vftrace_region_begin("r");
    vftrace_region_end("r");
    report();
    return 0;
}
END
    for more in '' '"sampling": {"active": true, "sample_interval": 0}'; do
        config "$more"
        run_well ./both
        expect_same "$(cat out)" 'enters 227 leaves 227 leaf 50 region 1 1 modules 1 threads 1 0 finished 0 vanished 0 wrong 0' counts
        expect_calls both_all.log fib 177
        expect_calls both_all.log leaf 50
    done
    "$vftr" dump both_0.vfd >dump || fail 'vftr dump'
    rm -f both*vfd both*log
}

# embedding.md: throwing callback → others delivered, process alive
expect_contained() {
    for linkage in shared archive static; do
        # Fully static, the program's own count of exceptions under way cannot be reached.
        uncaught=0
        [ $linkage != static ] || uncaught='std::uncaught_exceptions()'
        embedder throws.cpp "-DUNCAUGHT=$uncaught" <<'END'
#include "embedder.h"
#include <exception>
#include <mutex>
#include <stdexcept>
#include <string>
static std::mutex mutex;
static long thrown, destroyed;
struct Counted : std::runtime_error {
    using std::runtime_error::runtime_error;
    __attribute__((no_instrument_function)) ~Counted() override { destroyed++; }
};
HIDE void throwing(void *user, const struct vftrace_call_event *event)
{
    std::lock_guard<std::mutex> guard(mutex);
    on_enter(user, event);
    if (++thrown % 3 == 0)
        throw 42;
    throw Counted("a text that is longer than what fits into a string itself");
}
static void leaf() {}
static int catches()
{
    try {
        leaf();
        throw std::string("the program's own");
    } catch (const std::string &text) {
        leaf();
        return static_cast<int>(text.size());
    }
}
int main()
{
    struct vftrace_callbacks c = callbacks_of("elELMsf");
    c.function_enter = throwing;
    if (vftrace_set_callbacks(&c) != VFTRACE_OK)
        return 1;
    int sum = 0;
    for (int i = 0; i < 10; i++) {
        leaf();
        sum += catches();
    }
    if (std::uncaught_exceptions() != UNCAUGHT)
        return 2;
    vftrace_shutdown();
    printf("%ld %ld %d %ld %llu\n", enters, leaves, sum, destroyed, (unsigned long long)last_totals.exceptions);
    return 0;
}
END
        run ./throws
        expect_status 0
        # What of the C++ library is inlined is instrumented with the program; so the number of events is what it is.
        read -r entered left sum gone exceptions <out
        expect_same "$entered $sum $exceptions" "$left 170 $entered" "$cc, $linkage: enters, sum, exceptions"
        expect_same "$gone" $((entered - entered / 3)) "$cc, $linkage: exceptions destroyed"
        expect_said_once 'vftrace: warning: an exception left a callback'
        expect_no_file_of_ours
    done
}
test_an_exception_that_leaves_a_callback_ends_there() { with_each_compiler expect_contained; }

test_the_programs_handlers_do_not_see_a_callbacks_exception() {
    embedder unseen.cpp <<'END'
#include "embedder.h"
static int seen;
HIDE void deeper(int n) { if (n) deeper(n - 1); else throw n; }
HIDE void throwing(void *user, const struct vftrace_call_event *event) { on_leave(user, event); deeper(20); }
static void leaf() {}
int main()
{
    struct vftrace_callbacks c = callbacks_of("el");
    c.function_leave = throwing;
    vftrace_set_callbacks(&c);
    for (int i = 0; i < 100; i++)
        try { leaf(); } catch (...) { seen++; }
    printf("%ld %ld %d\n", enters, leaves, seen);
    return 0;
}
END
    run ./unseen
    expect_status 0
    expect_same "$(cat out)" '100 100 0' 'enters, leaves, exceptions that the program saw'
}

test_a_thread_may_end_in_a_callback() {
    embedder gone.c <<'END'
#include "embedder.h"
HIDE void leaving(void *user, const struct vftrace_call_event *event)
{
    on_enter(user, event);
    if (event->name && !strcmp(event->name, "last"))
        pthread_exit(0);
}
static void leaf(void) {}
static void last(void) { leaf(); }
static void *work(void *arg) { leaf(); last(); return arg; }
int main(void)
{
    pthread_t thread;
    struct vftrace_callbacks c = callbacks_of("elsxf");
    c.function_enter = leaving;
    vftrace_set_callbacks(&c);
    for (int i = 0; i < 10; i++) {
        pthread_create(&thread, 0, work, 0);
        pthread_join(thread, 0);
    }
    vftrace_shutdown();
    report();
    return last_totals.under_way != 0;
}
END
    run_well ./gone
    expect_same "$(cat out)" 'enters 30 leaves 30 leaf 10 region 0 0 modules 0 threads 10 10 finished 1 vanished 20 wrong 0' counts
}

# Not allowed; the thread goes on being delivered all the same.
test_a_thread_is_taken_up_after_a_callback_was_left_by_longjmp() {
    embedder jumps.c <<'END'
#include "embedder.h"
#include <setjmp.h>
static jmp_buf before;
static int jump;
HIDE void jumping(void *user, const struct vftrace_call_event *event)
{
    on_enter(user, event);
    if (jump)
        longjmp(before, 1);
}
static void leaf(void) {}
static void outer(void)
{
    jump = 1;
    if (!setjmp(before))
        leaf();
    jump = 0;
    for (int i = 0; i < 1000; i++)
        leaf();
}
int main(void)
{
    struct vftrace_callbacks c = callbacks_of("el");
    c.function_enter = jumping;
    vftrace_set_callbacks(&c);
    outer();
    leaf();
    printf("%ld\n", enters);
    return vftrace_shutdown();
}
END
    run_well ./jumps
    expect_at_least "$(cat out)" 1 'enters delivered'
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

# Events: modules loaded, threads started and ended with their parent.
test_modules_and_threads_are_told_with_what_is_known_of_them() {
    cat >part.c <<'END'
void part(void) {}
END
    $cc -g -finstrument-functions -fPIC -shared part.c -o part.so || fail 'part'
    embedder told.c -ldl <<'END'
#define _GNU_SOURCE
#include "embedder.h"
#include <dlfcn.h>
#include <sys/syscall.h>
HIDE void module(void *user, const struct vftrace_module_event *event) { on_module(user, event); printf("module %s\n", strrchr(event->path, '/')); }
HIDE void started(void *user, const struct vftrace_thread_event *event)
{
    char path[200];
    on_start(user, event);
    if (event->tid != (unsigned)syscall(SYS_gettid))
        ADD(wrong);
    if (event->parent == VFTRACE_NO_THREAD)
        return;
    vftrace_path_text(event->parent_path, path, sizeof path);
    printf("thread %u of %u from %s, %d\n", event->thread, event->parent, path, event->created_ns != 0 && event->created_ns <= event->time_ns);
}
HIDE void ended(void *user, const struct vftrace_thread_event *event) { on_end(user, event); printf("thread %u ended\n", event->thread); }
static void *work(void *arg) { return arg; }
static void begin(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
}
int main(void)
{
    struct vftrace_callbacks c = callbacks_of("e");
    c.module_loaded = module;
    c.thread_started = started;
    c.thread_ended = ended;
    vftrace_set_callbacks(&c);
    begin();
    void *part = dlopen("./part.so", RTLD_NOW);
    if (!part)
        return 1;
    ((void (*)(void))dlsym(part, "part"))();
    return wrong != 0;
}
END
    run_well ./told
    expect_same "$(cat out)" 'module /told
thread 1 of 0 from begin<main<init, 1
thread 1 ended
module /part.so' 'what was told'
}

test_a_forked_child_delivers_and_leaves_no_file() {
    embedder forks.c <<'END'
#include "embedder.h"
#include <sys/wait.h>
static void leaf(void) {}
int main(void)
{
    int status = 0;
    embed("elMsf");
    leaf();
    pid_t child = fork();
    for (int i = 0; i < 5; i++)
        leaf();
    if (child == 0) {
        vftrace_shutdown();
        report();
        exit(7);
    }
    waitpid(child, &status, 0);
    return WEXITSTATUS(status) != 7 || enters != 6;
}
END
    run_well ./forks
    expect_same "$(cat out)" 'enters 6 leaves 6 leaf 6 region 0 0 modules 2 threads 2 0 finished 1 vanished 0 wrong 0' "the child's counts"
    expect_no_file_of_ours
}

# Times are CLOCK_MONOTONIC, in order on each thread; a pause is not delivered; functions that never return are left all the same.
test_times_are_the_clocks_and_calls_come_in_pairs() {
    embedder times.c <<'END'
#include "embedder.h"
#include <setjmp.h>
#include <time.h>
static unsigned long long latest;
static long depth;
static jmp_buf out;
HIDE unsigned long long now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000ull + t.tv_nsec;
}
HIDE void enter(void *user, const struct vftrace_call_event *event)
{
    unsigned long long here = now();
    on_enter(user, event);
    depth++;
    if (event->time_ns < latest || event->time_ns > here + 100000)
        ADD(wrong);
    latest = event->time_ns;
}
HIDE void leave(void *user, const struct vftrace_call_event *event)
{
    on_leave(user, event);
    depth--;
    if (event->time_ns < latest)
        ADD(wrong);
    latest = event->time_ns;
}
static void leaf(void) {}
static void jumps(int n) { if (n) jumps(n - 1); longjmp(out, 1); }
static void pauses(void) { vftrace_pause(); leaf(); leaf(); }
int main(void)
{
    struct vftrace_callbacks c = callbacks_of("");
    c.function_enter = enter;
    c.function_leave = leave;
    vftrace_set_callbacks(&c);
    for (int i = 0; i < 20000; i++)
        leaf();
    pauses();
    leaf();
    vftrace_resume();
    if (!setjmp(out))
        jumps(3);
    leaf();
    printf("%ld %ld %ld %ld %ld\n", enters, leaves, depth, vanished, wrong);
    return vftrace_shutdown();
}
END
    run_well ./times
    expect_same "$(cat out)" '20006 20006 0 4 0' 'enters, leaves, difference, vanished, wrong times'
}

test_the_example_counts_its_functions() {
    cp "$srcdir/examples/embed.c" .
    for optimise in -O0 -O2; do
        build embed -lm
        run_well ./embed
        expect_same "$(sed -n 's/ calls .* s / /p' out | awk '{ print $2, $1 }' | sort)" 'integrate 10
value 10000' "calls"
        expect_no_file_of_ours
    done
}

# Usable via Fortran bind(C).
test_a_fortran_program_embeds() {
    [ -n "${FC:-}" ] && [ -e "$builddir/vftrace_embedding.mod" ] || skip "built without Fortran"
    build fort.F90 -Wall -Wextra <<'END'
module watcher
  use, intrinsic :: iso_c_binding
  use vftrace_embedding
  implicit none
  integer, volatile :: enters = 0, leaves = 0, regions = 0, finished = 0
contains
  subroutine on_enter(user, event) bind(c)
    type(c_ptr), value, intent(in) :: user
    type(vftrace_call_event), intent(in) :: event
    if (.not. c_associated(user) .and. event%kind == VFTRACE_FUNCTION .and. event%time_ns > 0) enters = enters + 1
  end subroutine
  subroutine on_leave(user, event) bind(c)
    type(c_ptr), value, intent(in) :: user
    type(vftrace_call_event), intent(in) :: event
    if (.not. c_associated(user) .and. c_associated(event%address)) leaves = leaves + 1
  end subroutine
  subroutine on_region(user, event) bind(c)
    type(c_ptr), value, intent(in) :: user
    type(vftrace_call_event), intent(in) :: event
    if (.not. c_associated(user) .and. event%kind == VFTRACE_REGION) regions = regions + 1
  end subroutine
  subroutine on_finish(user, totals) bind(c)
    type(c_ptr), value, intent(in) :: user
    type(vftrace_totals), intent(in) :: totals
    if (.not. c_associated(user) .and. totals%delivered == 21 .and. totals%dropped == 0) finished = finished + 1
  end subroutine
end module
subroutine leaf()
end subroutine
program fort
  use, intrinsic :: iso_c_binding
  use vftrace
  use vftrace_embedding
  use watcher
  implicit none
  type(vftrace_callbacks) :: callbacks
  integer :: i
  external :: leaf
  callbacks%size = c_sizeof(callbacks)
  callbacks%function_enter = c_funloc(on_enter)
  callbacks%function_leave = c_funloc(on_leave)
  callbacks%region_enter = c_funloc(on_region)
  callbacks%finished = c_funloc(on_finish)
  if (vftrace_set_callbacks(callbacks) /= VFTRACE_OK) stop 1
  do i = 1, 10
    call leaf()
  end do
  call vftrace_region_begin("region")
  call vftrace_region_end("region")
  if (vftrace_shutdown() /= VFTRACE_OK) stop 2
  if (vftrace_clear_callbacks() /= VFTRACE_ENDED) stop 3
  print '(4(i0,1x))', enters, leaves, regions, finished
end program
END
    run_well ./fort
    expect_same "$(cat out)" '10 10 1 1' 'enters, leaves, regions, totals'
    expect_no_file_of_ours
}

# The header: negative where nothing was done; a struct of an older program is shorter, and ends where a member does.
test_structs_that_no_header_has_are_refused() {
    embedder sizes.c <<'END'
#include "embedder.h"
static void leaf(void) {}
HIDE int set_size(struct vftrace_callbacks c, size_t size) { c.size = size; return vftrace_set_callbacks(&c); }
int main(void)
{
    struct vftrace_callbacks c = callbacks_of("el");
    const size_t until_leave = offsetof(struct vftrace_callbacks, function_leave);
    if (set_size(c, 0) != VFTRACE_INVALID || set_size(c, until_leave - 5) != VFTRACE_INVALID || set_size(c, until_leave + 1) != VFTRACE_INVALID)
        return 1;
    if (set_size(c, until_leave) != VFTRACE_OK)
        return 2;
    leaf();
    printf("%ld %ld\n", enters, leaves);
    return 0;
}
END
    run_well ./sizes
    expect_same "$(cat out)" '1 0' 'enters and leaves'
}

run_tests
