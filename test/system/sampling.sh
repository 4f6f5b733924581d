# SPDX-License-Identifier: BSD-3-Clause
# The event stream of a run, as vftr dump prints it.
. "${srcdir:-.}/test/system/lib.sh"

every_event='"sampling": {"active": true, "sample_interval": 0}'

program() {
    build sampled.c "$@" <<'END'
#include <time.h>
#include <vftrace.h>
static void leaf(void) {}
static void twice(void) { leaf(); leaf(); }
static void slow(void) { struct timespec time = {0, 20000000}; nanosleep(&time, 0); }
int main(void)
{
    for (int i = 0; i < 50; i++)
        twice();
    vftrace_region_begin("region");
    slow();
    vftrace_region_end("region");
    return 0;
}
END
}

# dump FILE [OPTIONS]: its text in the file `dump`.
dump() {
    "$vftr" dump "$@" >dump 2>dump.err || fail "vftr dump $*: $(cat dump.err)"
}
# samples KIND STACK: how many such lines the dump has.
samples() { awk -v kind="$1" -v stack="$2" '$1 ~ /^[0-9.]+$/ && $2 == kind && $3 == stack' dump | wc -l; }

test_every_event_is_in_the_file_in_order() {
    config "$every_event"
    program
    run_well ./sampled
    expect_file sampled_0.vfd
    dump sampled_0.vfd
    expect_same "$(samples call 'leaf<twice<main<init')" 100 "calls of leaf"
    expect_same "$(samples exit 'leaf<twice<main<init')" 100 "exits of leaf"
    expect_same "$(samples call 'twice<main<init')" 50 "calls of twice"
    expect_same "$(samples call 'region*<main<init')" 1 "begins of the region"
    expect_same "$(samples call 'slow<region*<main<init')" 1 "calls of slow"
    expect_same "$(samples call 'main<init')" "$(samples exit 'main<init')" "calls and exits of main"
    # Times never run backwards, and calls nest.
    awk '$1 ~ /^[0-9]+\.[0-9]+$/ && ($2 == "call" || $2 == "exit") {
            if ($1 + 0 < last + 0) { print "time runs backwards at " $0; exit 1 }
            last = $1
            if ($2 == "call") stack[++depth] = $3
            else if (stack[depth--] != $3) { print "no call fits " $0; exit 1 }
        }' dump || fail "the dump is not in order"
    grep -q '^Processes: *0 of 1$' dump || fail "no line Processes"
    grep -q '^Threads: *1$' dump || fail "no line Threads"
    grep -q '^Sample interval: *0.000000e+00 seconds$' dump || fail "no line Sample interval"
}

test_the_counts_of_all_events_and_of_the_profile_are_the_same() {
    config "$every_event"
    build threads.c <<'END'
#include <pthread.h>
static void leaf(void) {}
static void *work(void *unused)
{
    for (int i = 0; i < 3000; i++)
        leaf();
    return unused;
}
int main(void)
{
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], 0, work, 0);
    work(0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    return 0;
}
END
    run_well ./threads
    expect_calls threads_all.log leaf 12000
    dump threads_0.vfd
    expect_same "$(($(samples call 'leaf<work<init') + $(samples call 'leaf<work<main<init')))" 12000 "calls in the stream"
}

test_an_interval_gives_few_samples_and_exact_counts() {
    config '"sampling": {"active": true, "sample_interval": 0.002}'
    program
    run_well ./sampled
    dump sampled_0.vfd
    expect_calls sampled_all.log leaf 100
    expect_at_most "$(grep -cE '^ +[0-9.]+ (call|exit) ' dump)" 60 "samples"
    expect_at_least "$(grep -cE '^ +[0-9.]+ (call|exit) .*slow<region\*' dump)" 1 "samples of the slow function"
    # A region is precise: both ends are there.
    expect_same "$(samples call 'region*<main<init')$(samples exit 'region*<main<init')" 11 "begin and end of the region"
}

# Issue: samples of precise functions carry the `*` in the dump.
test_precise_functions_are_always_sampled() {
    config '"sampling": {"active": true, "sample_interval": 1000, "precise_functions": "^twi"}'
    program
    run_well ./sampled
    dump sampled_0.vfd
    expect_same "$(samples call 'twice*<main<init')" 50 "calls of twice"
    expect_same "$(samples exit 'twice*<main<init')" 50 "exits of twice"
    expect_at_most "$(samples call 'leaf<twice*<main<init')" 2 "calls of leaf"
    grep -q '^ *[0-9]*: twice\*<main<init$' dump || fail "twice is not marked as precise: $(grep twice dump | head -3)"
}

test_an_event_stream_survives_kill_9() {
    config "$every_event"
    build dies.c <<'END'
#include <signal.h>
static void leaf(void) {}
static void work(void) { for (int i = 0; i < 4321; i++) leaf(); raise(SIGKILL); }
int main(void) { work(); return 0; }
END
    may_be_killed=1 run ./dies
    expect_status 137
    dump dies_*.tmpvfd
    expect_same "$(samples call 'leaf<work<main<init')" 4321 "calls in the stream"
    expect_same "$(samples exit 'leaf<work<main<init')" 4321 "exits in the stream"
}

test_longjmps_keep_the_event_stream_nested() {
    config "$every_event"
    build jumps.c <<'END'
#include <setjmp.h>
static jmp_buf back;
static volatile int rounds;
static void leaf(void) {}
static void deep(void) { leaf(); longjmp(back, 1); }
static void middle(void) { deep(); }
int main(void)
{
    setjmp(back);
    if (rounds++ < 200)
        middle();
    leaf();
    return 0;
}
END
    run_well ./jumps
    dump jumps_0.vfd
    expect_same "$(samples call 'middle<main<init')" 200 "calls of middle"
    expect_same "$(samples exit 'middle<main<init')" 200 "exits of middle"
    expect_same "$(samples exit 'deep<middle<main<init')" 200 "exits of deep"
    expect_same "$(samples call 'leaf<main<init')" 1 "calls of leaf by main"
}

test_a_million_events_cost_few_bytes() {
    config "$every_event"
    build many.c <<'END'
static void leaf(void) {}
int main(void) { for (int i = 0; i < 500000; i++) leaf(); return 0; }
END
    run_well ./many
    expect_calls many_all.log leaf 500000
    expect_at_most "$(stat -c %s many_0.vfd)" 2500000 "bytes of the file" # the last segment is half empty at worst
}

run_tests
