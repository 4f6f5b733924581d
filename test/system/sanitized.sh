# SPDX-License-Identifier: BSD-3-Clause
# The library under sanitizers: whole runs of programs, from the first hook to the written log, without a report.
# Only in builds with --enable-sanitizers, which run it in place of the other system tests.
. "${srcdir:-.}/test/system/lib.sh"

[ -n "${SANITIZER_FLAGS:-}" ] || exit 77
# libelf and cJSON may keep memory to the end; what we leak would show up here too.
export ASAN_OPTIONS=detect_stack_use_after_return=0 UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1
export TSAN_OPTIONS=halt_on_error=1

# sanitized SOURCE NAME [FLAGS…]
sanitized() {
    local compiler=$cc source=$1 name=$2
    shift 2
    case $source in *.cpp) compiler=$cxx ;; esac
    # shellcheck disable=SC2086,SC2046
    $compiler -g -O1 -finstrument-functions $SANITIZER_FLAGS -I"$srcdir/include" -pthread "$source" -o "$name" \
        "$@" $(link_flags) 2>build.err || fail "$(cat build.err)"
}
expect_no_report() {
    [ "$status" = 0 ] || fail "exit code $status: $(grep -m3 -A12 -E 'SUMMARY|ERROR|runtime error' err || head -20 err)"
    ! grep -qE 'Sanitizer|runtime error' err || fail "$(head -40 err)"
}

test_a_serial_program() {
    config
    sanitized "$srcdir/examples/heat.c" heat -lm
    run ./heat
    expect_no_report
    expect_calls heat_all.log relax 400
    run "$vftr" report heat_all.vfd
    expect_no_report
}

test_a_program_with_every_event_recorded() {
    config '"sampling": {"active": true, "sample_interval": 0}, "mpi": {"show_table": true}'
    sanitized "$srcdir/examples/heat.c" heat -lm
    run ./heat
    expect_no_report
    expect_file heat_0.vfd
    run "$vftr" report heat_0.vfd
    expect_no_report
}

test_containers_of_a_cxx_program() {
    config
    sanitized "$srcdir/examples/cpp_containers.cpp" containers
    run ./containers
    expect_no_report
    expect_file containers_all.log
}

test_threads_that_come_and_go() {
    config
    cat >threads.c <<'END'
#include <pthread.h>
#include <vftrace.h>
static int leaf(int n) { return n + 1; }
static void *work(void *unused)
{
    vftrace_region_begin("work");
    for (int i = 0, n = 0; i < 2000; i++)
        n = leaf(n);
    vftrace_region_end("work");
    return unused;
}
int main(void)
{
    pthread_t threads[8];
    for (int round = 0; round < 10; round++) {
        for (int i = 0; i < 8; i++)
            if (pthread_create(&threads[i], 0, work, 0))
                return 1;
        vftrace_pause();
        vftrace_resume();
        for (int i = 0; i < 8; i++)
            pthread_join(threads[i], 0);
    }
    return 0;
}
END
    sanitized threads.c threads
    run ./threads
    expect_no_report
    expect_file threads_all.log
}

test_threads_in_which_nothing_happens() {
    config
    cat >nothing.c <<'END'
#include <pthread.h>
__attribute__((no_instrument_function)) static void *nothing(void *unused) { return unused; }
int main(void)
{
    pthread_t threads[8];
    for (int round = 0; round < 20; round++) {
        for (int i = 0; i < 8; i++)
            pthread_create(&threads[i], 0, nothing, 0);
        for (int i = 0; i < 8; i++)
            pthread_join(threads[i], 0);
    }
    return 0;
}
END
    sanitized nothing.c nothing
    run ./nothing
    expect_no_report
    expect_calls nothing_all.log main 1
}

# Issue: trace size. The timeline is cut while other threads live. (What goes on recording is read without synchronisation, by design: timeline_size.sh.)
test_a_program_that_ends_before_its_threads() {
    config '"sampling": {"active": true, "sample_interval": 0}'
    cat >lasting.c <<'END'
#include <pthread.h>
#include <unistd.h>
static pthread_barrier_t barrier;
static void leaf(void) {}
static void *work(void *unused)
{
    for (int i = 0; i < 20000; i++)
        leaf();
    pthread_barrier_wait(&barrier);
    pause();
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_barrier_init(&barrier, 0, 5);
    for (int i = 0; i < 4; i++)
        pthread_create(&thread, 0, work, 0);
    pthread_barrier_wait(&barrier);
    return 0;
}
END
    sanitized lasting.c lasting
    run ./lasting
    expect_no_report
    "$vftr" dump --only_header lasting_0.vfd >dump 2>&1 || fail "vftr dump: $(cat dump)"
    ! grep -qE 'lost|damaged' dump || fail "the timeline is not whole: $(cat dump)"
}

# Issue: "TSan-clean stress tests" of threads: each makes others, some are detached, cancelled or leave by pthread_exit, records are taken over, and
# one pauses and resumes all of them meanwhile.
test_a_storm_of_threads_that_make_threads() {
    config
    cat >storm.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>
#include <vftrace.h>
static atomic_int alive;
static int leaf(int n) { return n + 1; }
static void *leave(void *unused)
{
    leaf(1);
    atomic_fetch_sub(&alive, 1);
    pthread_exit(unused);
}
static void *wait(void *unused)
{
    for (;;) {
        leaf(2);
        pthread_testcancel();
    }
    return unused;
}
static void *make(void *unused)
{
    pthread_t joined, cancelled, detached;
    atomic_fetch_add(&alive, 2);
    pthread_create(&joined, 0, leave, 0);
    pthread_create(&detached, 0, leave, 0);
    pthread_detach(detached);
    pthread_create(&cancelled, 0, wait, 0);
    leaf(3);
    pthread_cancel(cancelled);
    pthread_join(cancelled, 0);
    pthread_join(joined, 0);
    return unused;
}
int main(void)
{
    pthread_t threads[4];
    for (int round = 0; round < 30; round++) {
        for (int i = 0; i < 4; i++)
            pthread_create(&threads[i], 0, make, 0);
        if (round % 10 == 5) {
            vftrace_pause();
            vftrace_resume();
        }
        for (int i = 0; i < 4; i++)
            pthread_join(threads[i], 0);
    }
    while (atomic_load(&alive))
        usleep(1000);
    return 0;
}
END
    sanitized storm.c storm
    run ./storm
    expect_no_report
    expect_at_least "$(calls_of storm_all.log make)" 108 "calls of make" # of 120: some may have begun in a pause
    expect_at_most "$(calls_of storm_all.log make)" 120 "calls of make"
    expect_at_least "$(calls_of storm_all.log leave)" 200 "calls of leave"
}

test_programs_that_are_started_in_every_way() {
    config
    cat >starts.c <<'END'
#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
extern char **environ;
static char *child[] = {"starts", "child", 0}, *few[] = {"A=1", 0};
static void leaf(void) {}
static int code(pid_t pid)
{
    int status = 0;
    leaf();
    return waitpid(pid, &status, 0) == pid ? WEXITSTATUS(status) : -1;
}
int main(int argc, char **argv)
{
    pid_t pid;
    leaf();
    if (argc > 1)
        return 5;
    if (execl("./nothing", "nothing", (char *)0) != -1 || errno != ENOENT)
        return 1;
    if ((pid = fork()) == 0)
        leaf(), _exit(6);
    if (code(pid) != 6)
        return 2;
    if ((pid = fork()) == 0)
        execve(argv[0], child, few);
    if (code(pid) != 5)
        return 3;
    if ((pid = vfork()) == 0) {
        execv(argv[0], child);
        _exit(7);
    }
    if (code(pid) != 5)
        return 4;
    if (posix_spawn(&pid, argv[0], 0, 0, child, environ) || code(pid) != 5)
        return 5;
    if (WEXITSTATUS(system("./starts child")) != 5)
        return 6;
    execlp("sh", "sh", "-c", "exit 0", (char *)0);
    return 7;
}
END
    sanitized starts.c starts
    run ./starts
    expect_no_report
    expect_same "$(ls starts_*.vfd | wc -l)" 4 "recordings of programs that were started"
    expect_same "$(ls starts_*.tmpvfd | wc -l)" 2 "recordings that end with exec and _exit"
}

# embedding.md: 8 threads swapping two pairs under TSan → never mixed; shutdown under load
test_callbacks_that_are_swapped_while_eight_threads_call_them() {
    cat >swap.c <<'END'
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
    sanitized swap.c swap
    run ./swap
    expect_no_report
    expect_same "$(cat out)" 'mixed 0 after 0 finished 1 both 1' 'callbacks'
}

test_jumps_exceptions_and_contexts_in_threads() {
    config
    cat >flow.cpp <<'END'
#include <csetjmp>
#include <cstdlib>
#include <pthread.h>
#include <ucontext.h>
static __thread std::jmp_buf back;
static __thread ucontext_t here, there;
__attribute__((noinline)) static void leaf() { asm volatile(""); }
__attribute__((noinline)) static void jumper(int n) { leaf(); if (n) jumper(n - 1); else std::longjmp(back, 1); }
__attribute__((noinline)) static void thrower(int n) { leaf(); if (n) thrower(n - 1); else throw n; }
static void catcher(int n) { try { thrower(n); } catch (int) { leaf(); } }
static void fiber() { for (;;) { leaf(); swapcontext(&there, &here); } }
static void visit() { swapcontext(&here, &there); leaf(); }
static void* work(void* unused)
{
    static __thread volatile int round;
    getcontext(&there);
    there.uc_stack.ss_sp = malloc(65536);
    there.uc_stack.ss_size = 65536;
    makecontext(&there, fiber, 0);
    if (setjmp(back) == 0 || round < 200)
        jumper(++round % 20);
    for (int i = 0; i < 200; i++) {
        catcher(i % 10);
        visit();
    }
    free(there.uc_stack.ss_sp);
    return unused;
}
int main()
{
    pthread_t threads[4];
    for (pthread_t& thread : threads)
        pthread_create(&thread, nullptr, work, nullptr);
    for (pthread_t thread : threads)
        pthread_join(thread, nullptr);
}
END
    sanitized flow.cpp flow
    run ./flow
    expect_no_report
    expect_calls flow_all.log 'catcher(int)' 800
    expect_calls flow_all.log 'visit()' 800
    expect_calls flow_all.log 'fiber()' 4
    expect_stack flow_all.log 'leaf()<fiber()<init'
}

# Issue: re-enabling at run time, safely for all threads. Four threads change what is recorded while four call it, and objects come and go.
test_threads_exclude_and_include_functions_that_others_call() {
    config '"filter": {"exclude": {"functions": "^excluded$"}, "max_depth": 6, "triggers": [{"function": "^last$", "call": 3, "action": "stop"}]}'
    cat >plugin.c <<'END'
static int inner(int n) { return n + 1; }
int entry(int n) { return inner(n); }
END
    sanitized plugin.c plugin.so -shared -fPIC
    cat >changes.c <<'END'
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
    sanitized changes.c changes -ldl
    run ./changes
    expect_no_report
    expect_calls changes_all.log seen 40000
    expect_calls changes_all.log last 3
}

# Issue: optional zstd of full segments by a helper thread; a ring mode, dumped at the end or on demand. Threads fill segments, end, and are forked
# meanwhile; what is there at the end is whole.
timelines() { # OPTION CALLS: of four threads, then of a child and of four more
    local calls=$2
    config "\"sampling\": {\"active\": true, \"sample_interval\": 0, $1}"
    cat >fills.c <<'END'
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vftrace.h>
enum { THREADS = 4 };
static int leaf(int n) { return n + 1; }
static void final(void) {}
static void *work(void *calls)
{
    for (int i = 0; i < (int)(long)calls; i++)
        leaf(i);
    final();
    return 0;
}
static void team(long calls)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, work, (void *)calls);
    for (int i = 0; i < 3; i++) {
        usleep(2000);
        vftrace_snapshot("copy.vfd");
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
}
int main(void)
{
    int status = 1;
    team(CALLS);
    pid_t child = fork();
    if (child == 0) {
        work((void *)(long)CALLS);
        return 0;
    }
    team(CALLS / 4);
    waitpid(child, &status, 0);
    return status;
}
END
    sanitized fills.c fills -DCALLS="$calls"
    run ./fills
    expect_no_report
    expect_calls fills_all.log leaf $((5 * calls))
    expect_calls fills_all.log final 8
}
dumped() { # FILE: its calls of leaf and of final in the timeline
    run "$vftr" dump "$1"
    expect_no_report
    awk '$2 == "call" { sub(/<.*/, "", $3); n[$3]++ } END { print n["leaf"] + 0, n["final"] + 0 }' out >counted
}
test_a_thread_compresses_what_others_fill() {
    needs ZSTD
    timelines '"compress": true' 40000 # more than a segment each
    dumped fills_0.vfd
    expect_same "$(cat counted)" "200000 8" "calls of leaf and final in the timeline"
    dumped "$(ls fills_[1-9]*.vfd)"
    expect_same "$(cat counted)" "40000 1" "calls in the child's"
    run "$vftr" report copy.vfd
    expect_no_report
}
test_threads_keep_the_latest_part_while_it_is_copied() {
    timelines '"keep_last": "1 ms"' 100000 # more than two
    dumped fills_0.vfd
    read -r leaves finals <counted
    expect_same "$finals" 8 "calls of final in the timeline"
    expect_at_most "$leaves" 450000 "calls of leaf in the timeline"
    dumped "$(ls fills_[1-9]*.vfd)"
    expect_same "$(cut -d' ' -f2 counted)" 1 "calls of final in the child's"
    run "$vftr" report copy.vfd
    expect_no_report
}

run_tests
