# SPDX-License-Identifier: BSD-3-Clause
# Programs under valgrind's tools: these report nothing of ours, and what is wrong with the program they report as without us.
. "${srcdir:-.}/test/system/lib.sh"

# Whatever it is asked to do, valgrind ends at once where it cannot read the debug information of a library.
valgrind_has_understood() {
    ! grep -q 'debuginfo reader' err || skip "this valgrind does not understand the debug information of the compiler"
}

test_valgrind_finds_nothing_in_a_recorded_program() {
    have valgrind || skip "no valgrind"
    config '"filter": {"exclude": {"functions": "never_called"}}'
    build checked.c <<'END'
#include <pthread.h>
static int add(int x) { return x + 1; }
static void *work(void *x)
{
    for (int i = 0; i < 5000; i++)
        *(int *)x = add(*(int *)x);
    return 0;
}
int main(void)
{
    int mine = 0, other = 0;
    pthread_t t;
    pthread_create(&t, 0, work, &other);
    work(&mine);
    pthread_join(t, 0);
    return mine != other;
}
END
    run valgrind -q --error-exitcode=9 ./checked
    valgrind_has_understood
    expect_status 0
    expect_silence
    expect_calls checked_all.log add 10000
}

# Issue: `valgrind --tool=drd` aborts at exit.
test_valgrinds_drd_comes_to_its_end() {
    have valgrind || skip "no valgrind"
    config
    build prog
    run valgrind -q --tool=none ./prog 100
    valgrind_has_understood
    expect_status 3
    run valgrind -q --tool=drd ./prog 100
    valgrind_has_understood
    expect_ending 3 50
    ! grep -q Assertion err || fail "DRD fails: $(grep Assertion err)"
    expect_calls prog_all.log leaf 100
}

# Issue: helgrind reports 315 errors.
# Threads come, go and live on while functions are excluded and included, a plugin comes and goes, and the recording is paused and copied.
test_valgrinds_tools_report_nothing_of_ours_where_threads_share_all() {
    have valgrind || skip "no valgrind"
    config '"sampling": {"active": true}, "filter": {"exclude": {"functions": "never.*called|ne.*ver"}}'
    cat >shares.c <<'END'
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vftrace.h>
#define HIDE __attribute__((no_instrument_function))
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t begun;
static int stop, *shared;
static int leaf(int n) { return n + 1; }
static int recurse(int n) { return n ? recurse(n - 1) + leaf(n) : 0; }
static void use_plugin(void)
{
    void *plugin = dlopen("./plugin.so", RTLD_NOW);
    int (*plugged)(int) = (int (*)(int))dlsym(plugin, "plugged");
    plugged(1);
    dlclose(plugin);
}
static int go_on(void)
{
    pthread_mutex_lock(&lock);
    ++*shared;
    int on = !stop;
    pthread_mutex_unlock(&lock);
    return on;
}
static void *work(void *plugins)
{
    for (int i = 0; i < 20; i++)
        recurse(i % 5);
    if (plugins)
        use_plugin();
    return plugins;
}
HIDE static void *live(void *unused)
{
    pthread_barrier_wait(&begun);
    while (go_on()) {
        work(shared);
        usleep(1000); // valgrind runs one thread at a time, and does not care which
        vftrace_region_begin("a region");
        vftrace_region_end("a region");
    }
    return unused;
}
HIDE int main(void)
{
    pthread_t lives[2], thread;
    int status = 0;
    shared = calloc(1, sizeof *shared);
    pthread_barrier_init(&begun, 0, 3);
    for (int i = 0; i < 2; i++)
        pthread_create(&lives[i], 0, live, 0);
    pthread_barrier_wait(&begun);
    for (int i = 0; i < 5; i++) {
        pthread_create(&thread, 0, work, shared);
        vftrace_exclude((void (*)(void))recurse);
        work(0);
        vftrace_snapshot("snapshot.vfd");
        vftrace_include((void (*)(void))recurse);
        vftrace_pause();
        vftrace_resume();
        pthread_join(thread, 0);
    }
    pthread_mutex_lock(&lock);
    stop = 1;
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < 2; i++)
        pthread_join(lives[i], 0);
    pthread_create(&thread, 0, work, 0);
    pid_t child = fork();
    if (child == 0) {
        pthread_create(&thread, 0, work, 0);
        work(0);
        pthread_join(thread, 0);
        exit(0);
    }
    pthread_join(thread, 0);
    waitpid(child, &status, 0);
    free(shared);
    return status != 0;
}
END
    linkage=none
    build plugin.c -shared -fPIC <<'END'
static int inner(int n) { return n * 2; }
int plugged(int n) { return inner(n) + 1; }
END
    mv plugin plugin.so
    for linkage in shared archive; do
        build shares
        for tool in memcheck helgrind drd; do
            run valgrind -q --tool=$tool --error-exitcode=9 ./shares
            valgrind_has_understood
            [ "$status" = 0 ] || fail "$linkage: $tool reports errors: $(head -30 err)"
            expect_same "$(grep '^==' err)" '' "$linkage: what $tool says"
            expect_at_least "$(calls_of shares_all.log recurse)" 20 "calls of recurse"
            rm -f shares_*
        done
    done
}

# And what the program does wrong itself is reported as ever.
test_valgrinds_tools_report_the_races_of_the_program() {
    have valgrind || skip "no valgrind"
    config
    build races.c <<'END'
#include <pthread.h>
#include <stdlib.h>
static int in_data, *on_heap;
static void bump_data(void) { ++in_data; }
static void bump_heap(void) { ++*on_heap; }
static void *work(void *unused)
{
    for (int i = 0; i < 100; i++) {
        bump_data();
        bump_heap();
    }
    return unused;
}
int main(void)
{
    pthread_t threads[2];
    on_heap = calloc(1, sizeof *on_heap);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, work, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    free(on_heap);
    return 0;
}
END
    for tool in helgrind drd; do
        run valgrind -q --tool=$tool --error-exitcode=9 ./races
        valgrind_has_understood
        expect_status 9
        for function in bump_data bump_heap; do
            grep -A2 -E 'data race|Conflicting' err | grep -q "at .*: $function (races.c:" || fail "$tool does not report the race in $function: $(head -20 err)"
        done
        ! grep -A2 -E 'data race|Conflicting' err | grep -q vftr || fail "$tool reports us: $(grep -A2 -E 'data race|Conflicting' err | grep -m1 vftr)"
    done
}

run_tests
