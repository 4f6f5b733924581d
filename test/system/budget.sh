# SPDX-License-Identifier: BSD-3-Clause
# Timing with a budget: the hooks of functions that are called very often are in the program in short windows only.
. "${srcdir:-.}/test/system/lib.sh"
[ "$(uname -m)" = x86_64 ] || { echo "skip: no text is changed on $(uname -m)" && exit 77; }

# A function of some hundreds of nanoseconds, called by one that is windowed together with it, for SECONDS of processor time; it tells how often. What is rare or long stays exact.
write_program() {
    cat >busy.c <<'END'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
static double cpu(void) __attribute__((no_instrument_function));
static double cpu(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}
__attribute__((noinline)) long small(long x)
{
    for (int i = 0; i < 300; i++) {
        x = x * 31 + 7;
        __asm__ volatile("" : "+r"(x)); // clang would compute the loop ahead
    }
    return x;
}
__attribute__((noinline)) long outer(long x) { return small(x) + 1; }
__attribute__((noinline)) void rare(void) { __asm__ volatile(""); }
__attribute__((noinline)) long fib(long n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
__attribute__((noinline)) long busy(double seconds)
{
    long calls = 0;
    volatile long sink = 0;
    for (double end = cpu() + seconds; cpu() < end; rare())
        for (int i = 0; i < 20000; i++, calls++)
            sink += outer(i);
    return calls;
}
static double seconds;
__attribute__((noinline)) void *in_thread(void *count) { *(long *)count = busy(seconds); return 0; }
int main(int argc, char **argv)
{
    seconds = atof(argv[2]);
    if (argv[1][0] == 't') {
        pthread_t threads[3];
        long counts[3];
        for (int i = 0; i < 3; i++) pthread_create(&threads[i], 0, in_thread, &counts[i]);
        for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
        printf("%ld\n", counts[0] + counts[1] + counts[2]);
    } else if (argv[1][0] == 'f') {
        busy(seconds);
        pid_t child = fork();
        if (child == 0) { printf("%ld\n", busy(seconds)); fflush(stdout); exit(0); }
        waitpid(child, 0, 0);
    } else if (argv[1][0] == 'k') {
        printf("%ld\n", busy(seconds)); fflush(stdout);
        kill(getpid(), 9);
    } else if (argv[1][0] == 'r') {
        long n = 0;
        for (double end = cpu() + seconds; cpu() < end;) n += fib(25);
        printf("%ld\n", n);
    } else
        printf("%ld\n", busy(seconds));
    return 0;
}
END
    sed -i '1i #define _GNU_SOURCE\n#include <signal.h>' busy.c
    config "\"timing\": \"budget\"${1:+, $1}"
    build busy -O2 -pthread
}

# estimated LOG FUNCTION: the number of calls in the table by function, if it is marked as an estimate.
estimated() {
    awk -F'|' -v f="$2" '/Grouped by function name/ { on = 1 } on && NF > 6 { gsub(/ /, ""); if ($6 == f && $2 ~ /^≈/) { sub(/≈/, "", $2); print $2; exit } }' "$1"
}
# near NUMBER TRUTH WHAT: an estimate is right to a factor of three; its stated interval is bench's matter (figures/budget.sh).
near() {
    [ -n "$1" ] || fail "$3 is no estimate"
    expect_at_least $(($1 * 3)) "$2" "$3, times three"
    expect_at_most "$1" $(($2 * 3)) "$3"
}

# Issue: hot functions whose hooks cost more than they tell have their hook calls patched out; counts and times of what was out are estimated, marked ≈; everything that is cheap stays
# exact; call paths stay right.
test_hot_functions_are_estimated_and_what_is_cheap_stays_exact() {
    check() {
        write_program
        run_well ./busy plain 2
        local calls
        calls=$(cat out)
        near "$(estimated busy_all.log small)" "$calls" 'calls of small'
        near "$(estimated busy_all.log outer)" "$calls" 'calls of outer'
        expect_calls busy_all.log rare $((calls / 20000))
        expect_calls busy_all.log busy 1
        expect_stack busy_all.log 'small<outer<busy<main<init'
        # A call that is running when a window opens, in a thread that has just lost its core, may seem to be its caller's.
        expect_at_most "$(awk -F'|' '/^Runtime profile$/ { on = 1 } on && NF > 7 { gsub(/ |≈/, ""); if ($6 == "small" && $7 != "outer") n += $2 } END { print n + 0 }' busy_all.log)" $((calls / 20)) \
            'calls of small on other paths'
        grep -q 'Calls ±\[%\]' busy_all.log || fail 'there is no column with the interval of the calls'
        grep -q '^≈: functions that are called very often' busy_all.log || fail 'the mark is not explained'
        ! grep -qE '^Note: .*(vanished|never left|without an enter)' busy_all.log || fail "calls were lost: $(grep Note busy_all.log)"
        expect_silence
    }
    with_each_compiler check
}

# Issue: counts and times of what was out are estimated. The time of the unseen calls is that of their functions and not of busy, which calls them: small and outer have next to all of
# it, less that of the calls by which the estimate is too low. How they share it is less certain where other programs interrupt the few calls that are timed.
test_the_time_of_unseen_calls_is_their_functions() {
    write_program
    run_well ./busy plain 2
    local calls known
    calls=$(cat out) known=$(estimated busy_all.log small)
    near "$known" "$calls" 'calls of small'
    [ "$known" -le "$calls" ] || known=$calls
    expect_at_least "$(share_of small outer)" $((80 * known / calls)) "percent of the time in small and outer, of whose $calls calls $known are known"
    expect_at_least "$(share_of small)" $((20 * known / calls)) "percent of the time in small, of whose $calls calls $known are known"
}
# share_of FUNCTION…: the whole percents of the time that these have by themselves.
share_of() {
    awk -F'|' -v wanted=" $* " '/Grouped by function name/ { on = 1 } on && NF > 6 { gsub(/ /, ""); if (index(wanted, " " $6 " ")) sum += $4 } on && !NF { exit } END { print int(sum) }' busy_all.log
}

# Issue: it works in threads.
test_each_thread_has_its_numbers() {
    write_program
    run_well ./busy threads 1
    near "$(estimated busy_all.log small)" "$(cat out)" 'calls of small'
    expect_stack busy_all.log 'small<outer<busy<in_thread<init'
}

test_a_recursion_that_goes_on_while_windows_open_and_close_stays_one_path() {
    write_program
    run_well ./busy recursion 2
    [ -n "$(estimated busy_all.log fib)" ] || fail 'the calls of fib are no estimate'
    expect_stack busy_all.log 'fib<main<init'
    expect_same "$(stacks_of busy_all.log | grep -c fib)" 1 'call stacks with fib' # clang also compiles atof, of <stdlib.h>
}

# A child has the text as it was at the fork, and begins with all hook calls.
test_a_forked_child_begins_anew() {
    write_program
    run_well ./busy fork 1.5
    local child
    child=$(ls busy_*.log | grep -v '^busy_all.log$' | head -1)
    [ -n "$child" ] || fail "there is no log of the child: $(ls -m)"
    near "$(estimated "$child" small)" "$(cat out)" 'calls of small in the child'
}

# Nothing that was recorded is lost, and what was estimated until a quarter of a second before is there as well.
test_the_estimates_of_a_killed_run_are_in_its_recording() {
    write_program
    status=0
    { ./busy kill 2 >out 2>err & } && wait $! || status=$?
    expect_status 137
    local file
    file=$(ls busy_*.tmpvfd) || fail "there is no recording: $(ls -m)"
    "$vftr" report "$file" >report.log 2>err.report || fail "it cannot be reported: $(cat err.report)"
    near "$(estimated report.log small)" "$(cat out)" 'calls of small'
}

# Issue: where patching is not possible it says so and falls back to adaptive.
test_without_live_patching_every_call_is_counted_and_a_line_says_so() {
    write_program '"filter": {"live_patching": false}'
    run ./busy plain 0.3
    expect_status 0
    expect_calls busy_all.log small "$(cat out)"
    expect_said_once 'keeps no budget: "filter.live_patching" is false'
}

# ptrace is what debuggers do: text that one of them reads is not changed.
test_where_the_text_must_not_be_changed_every_call_is_counted_and_a_line_says_so() {
    have strace || skip 'there is no strace'
    write_program
    run strace -f -o /dev/null -e trace=none ./busy plain 1
    expect_status 0
    expect_calls busy_all.log small "$(cat out)"
    expect_said_once 'no overhead budget can be kept'
}

test_a_budget_without_its_timing_is_told_to_do_nothing() {
    write_program
    config '"overhead_budget": 0.05'
    "$vftr" config check config.json >checked 2>&1
    grep -q '"overhead_budget" does nothing: "timing" is not "budget"' checked || fail "the check says: $(cat checked)"
    run ./busy plain 0.1
    expect_status 0
    expect_calls busy_all.log small "$(cat out)"
}

run_tests
