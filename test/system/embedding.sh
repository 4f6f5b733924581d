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

run_tests
