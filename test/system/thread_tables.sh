# SPDX-License-Identifier: BSD-3-Clause
# What tables and dumps tell of single threads.
. "${srcdir:-.}/test/system/lib.sh"
. "$srcdir/test/system/thread_rows.sh"

# Thread i of four calls unit i times, which takes 20 ms or more; each is created in start.
imbalanced() {
    build imbalanced.c <<'END'
#include <pthread.h>
#include <time.h>
static void unit(void)
{
    struct timespec time = {0, 20000000};
    while (nanosleep(&time, &time)) {}
}
static void *work(void *count)
{
    for (long i = 0; i < (long)count; i++)
        unit();
    return count;
}
static void start(pthread_t *thread, long count) { pthread_create(thread, 0, work, (void *)count); }
int main(void)
{
    pthread_t threads[4];
    for (long i = 0; i < 4; i++)
        start(&threads[i], i + 1);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], 0);
    return 0;
}
END
}

# Issue: Per-thread profiles merged into the process profile; tables show threads (per-thread time, imbalance over threads).
test_each_thread_has_a_row_with_its_time_and_its_calls() {
    config '"threads": {"max_rows": 0}'
    check() {
        imbalanced
        run_well ./imbalanced
        expect_calls imbalanced_all.log unit 10
        # Threads are numbered in the order of their first events.
        expect_same "$(thread_rows imbalanced_all.log Calls 'Started by' 'Start function' | sort | tr '\n' ' ')" \
            '2|0|work 3|0|work 4|0|work 5|----|main 5|0|work ' "calls, creator and function"
        expect_same "$(thread_rows imbalanced_all.log Thread Calls 't_func[s]' 'Life[s]' | awk -F'|' '$1 > 0 && !($3 >= 0.020 * ($2 - 1) && $4 >= $3)')" '' \
            "threads of less time than they slept"
        expect_same "$(stack_of imbalanced_all.log "$(thread_rows imbalanced_all.log STID | tail -1)")" 'start<main<init' "where threads were created"
        # The figures in the line are those of the rows, which are rounded.
        thread_rows imbalanced_all.log Thread 't_func[s]' >times
        sed -n 's/^5 threads, 4 of them started by others; t_func of these: longest \([0-9.]*\) s (thread \([0-9]\)), average \([0-9.]*\) s, imbalance \([0-9.]*\) %$/\1 \2 \3 \4/p' \
            imbalanced_all.log >line
        awk -F'[| ]' 'function far(a, b, d) { return a - b > d || b - a > d }
            NR == FNR { if ($1 > 0) { time[$1] = $2; sum += $2; if ($2 > longest) longest = $2 }; next }
            { good = !far($1, longest, 0.0011) && !far(time[$2], longest, 0.0011) && !far($3, sum / 4, 0.0011) && !far($4, 100 * ($1 / $3 - 1), 5) }
            END { exit !good }' times line || fail "the line does not fit the rows: $(cat times line; grep '^5 threads' imbalanced_all.log)"
    }
    with_each_compiler check
}

# Issue: imbalance over threads.
test_the_profile_tells_the_imbalance_over_the_threads_that_have_a_path() {
    echo '{"profile_table": {"show_thread_imbalances": true}}' >config.json
    export VFTR_CONFIG=$PWD/config.json
    imbalanced
    run_well ./imbalanced
    awk -F'|' '/^Runtime profile$/ { on = 1 } on && /^$/ { exit } on && $8 ~ /^ *[a-z]+ *$/ { gsub(/ /, ""); print $8, $6, $7 }' imbalanced_all.log >found
    expect_same "$(awk '{ print $1, $2 }' found | sort | tr '\n' ',')" 'init 5,main 1,start 1,unit 4,work 4,' "threads of each path"
    awk '$1 == "main" && $3 == 0 { main = 1 } $1 == "unit" && $3 > 0 { unit = 1 } END { exit !(main && unit) }' found || fail "imbalances: $(cat found)"
}

# Issue: The thread tree knows parent and call path of creation.
test_threads_that_threads_start_know_who_did_and_where() {
    config '"sampling": {"active": true, "sample_interval": 0}'
    check() {
        build nested.cpp <<'END'
#include <thread>
static void leaf() {}
static void inner() { leaf(); }
static void spawn() { std::thread(inner).join(); }
static void outer() { spawn(); leaf(); }
int main() { std::thread(outer).join(); return 0; }
END
        run_well ./nested
        thread_rows nested_all.log Thread 'Started by' 'Start function' STID >found
        expect_same "$(cut -d'|' -f1,2 found | tr '\n' ' ')" '0|---- 1|0 2|1 ' "thread and creator"
        # The standard library's own functions stand between, as far as they are instrumented.
        stack_of nested_all.log "$(sed -n '2s/.*|//p' found)" | grep -qx '\(std::thread.*<\)\?main<init' ||
            fail "thread 1 was created at $(stack_of nested_all.log "$(sed -n '2s/.*|//p' found)"): $(cat found)"
        stack_of nested_all.log "$(sed -n '3s/.*|//p' found)" | grep -qx '\(std::thread.*<\)\?spawn()<outer()<.*init' ||
            fail "thread 2 was created at $(stack_of nested_all.log "$(sed -n '3s/.*|//p' found)"): $(cat found)"
        # A thread begins in a function of the library that is not recorded; then come those of its headers.
        expect_same "$(cut -d'|' -f3 found | tr '\n' ' ')" 'main outer() inner() ' "start functions"
        "$vftr" dump --show_threadtree --skip_samples nested_0.vfd >dump || fail "vftr dump"
        sed -n '/^Threadtree:/,/^$/s/^\( *[0-9]*\): tid [0-9]*, [0-9.]* to [0-9.]* s, [0-9]* samples\(, started by thread [0-9]*\)\?.*/\1\2/p' dump >tree
        expect_same "$(cat tree)" "   0
     1, started by thread 0
       2, started by thread 1" "the thread tree"
    }
    with_each_compiler check
}

# Issue: thousands of short-lived ones (memory is reused, nothing lost).
test_threads_that_share_a_record_are_added_up() {
    config '"threads": {"max_rows": 0}'
    build short.c <<'END'
#include <pthread.h>
static void leaf(void) {}
static void *work(void *unused) { leaf(); return unused; }
int main(void)
{
    pthread_t thread;
    for (int i = 0; i < 300; i++) {
        if (pthread_create(&thread, 0, work, 0))
            return 1;
        pthread_join(thread, 0);
    }
    return 0;
}
END
    run_well ./short
    grep -q '^301 threads, 300 of them started by others; t_func of these by row: ' short_all.log || fail "$(grep ' threads, ' short_all.log)"
    thread_rows short_all.log Threads Calls | awk -F'|' '{ threads += $1; calls += $2 } END { exit threads != 301 || calls != 601 }' ||
        fail "threads and calls: $(thread_rows short_all.log Threads Calls)"
    expect_at_most "$(thread_rows short_all.log Thread | wc -l)" 100 "rows"
    expect_same "$(thread_rows short_all.log 'Started by' 'Start function' | sort | uniq -c | awk '$1 > 1 { print $2 }')" '0|work' "who started them, with what"
}

test_options_limit_the_table_and_leave_it_out() {
    config '"threads": {"max_rows": 2}, "print_config": false'
    imbalanced
    run_well ./imbalanced
    report imbalanced_all.vfd
    cmp report imbalanced_all.log || fail "vftr report makes another log"
    expect_same "$(thread_rows imbalanced_all.log 'Start function' | tail -1)" '(3 more)' "the last row"
    expect_same "$(thread_rows imbalanced_all.log Calls | awk '{ n += $1 } END { print n }')" 19 "calls of all rows"
    config '"threads": {"show_table": false}'
    run_well ./imbalanced
    ! grep -q '^Threads$' imbalanced_all.log || fail "there is a table"
}

test_a_program_of_one_thread_has_the_log_and_the_dump_it_always_had() {
    config '"sampling": {"active": true, "sample_interval": 0}'
    build single.c <<'END'
int main(void) { return 0; }
END
    run_well ./single
    ! grep -q '^Threads$' single_all.log || fail "there is a table of threads"
    "$vftr" dump --show_threadtree single_0.vfd >dump || fail "vftr dump"
    expect_same "$(grep -c '^   0: tid [0-9]*, [0-9.]* to [0-9.]* s, 2 samples$' dump)" 1 "lines of the thread tree"
    expect_same "$(sed '1,/samples:$/d; s/^ *[0-9.]* //' dump | tr '\n' '|')" 'call main<init|exit main<init|' "the samples"
}

# Issue: dump and file carry the thread of every sample.
test_every_sample_tells_its_thread() {
    config '"sampling": {"active": true, "sample_interval": 0}'
    imbalanced
    run_well ./imbalanced
    "$vftr" dump imbalanced_0.vfd >dump || fail "vftr dump"
    # Threads are numbered in the order of their first events: by what they did, then.
    expect_same "$(sed -n 's/^ *[0-9.]* call unit<work<init in threadID //p' dump | sort | uniq -c | awk '{ print $1 }' | sort | tr '\n' ' ')" \
        '1 2 3 4 ' "calls of unit by thread"
    expect_same "$(sed '1,/samples:$/d' dump | grep -vc ' in threadID [0-4]$')" 0 "samples without a thread"
}

# Issue: workers' functions appear under the parallel region's path of the forking thread; so what is left of a worker is idling.
test_workers_of_openmp_are_told_as_such_and_their_rest_is_idling() {
    cc=gcc
    have gcc || skip "no gcc"
    config
    build team.c -fopenmp <<'END'
static void leaf(void) {}
int main(void)
{
#pragma omp parallel num_threads(4)
    leaf();
    return 0;
}
END
    run_well ./team
    expect_calls team_all.log leaf 4
    expect_calls team_all.log 'omp idle' 3
    expect_calls team_all.log init 4
    expect_stack team_all.log 'omp idle<init'
    expect_same "$(thread_rows team_all.log Thread 'Started by' 'Start function' | tr '\n' ',')" \
        '0|----|main,1|0|(OpenMP worker),2|0|(OpenMP worker),3|0|(OpenMP worker),' "the threads"
    stack_of team_all.log "$(thread_rows team_all.log STID | tail -1)" | grep -q '^omp parallel main.*<main<init$' ||
        fail "workers were created at $(stack_of team_all.log "$(thread_rows team_all.log STID | tail -1)")"
}

run_tests
