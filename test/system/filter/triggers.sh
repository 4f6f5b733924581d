# SPDX-License-Identifier: BSD-3-Clause
# Recording starts and stops at calls of functions.
. "${srcdir:-.}/test/system/lib.sh"

# main calls step 10 ×, which calls before, mark and after. With an argument step is called by so many threads in turn, 10 × in all.
program() {
    if [ ! -e ../program/triggered ]; then
        mkdir ../program
        (cd ../program && compile) || exit 1
    fi
    cp ../program/triggered .
}
compile() {
    build triggered.c <<'END'
#include <pthread.h>
#include <stdlib.h>
static void before(void) {}
static void mark(int depth) { if (depth > 0) mark(depth - 1); }
static void after(void) {}
static int depth;
static void step(void) { before(); mark(depth); after(); }
static void *steps(void *count)
{
    for (long i = 0; i < (long)count; i++)
        step();
    return 0;
}
int main(int argc, char **argv)
{
    int threads = argc > 1 ? atoi(argv[1]) : 0;
    depth = argc > 2 ? atoi(argv[2]) : 0;
    for (int i = 0; i < threads; i++) {
        pthread_t thread;
        pthread_create(&thread, 0, steps, (void *)(10L / threads));
        pthread_join(thread, 0);
    }
    if (threads == 0)
        steps((void *)10L);
    return 0;
}
END
}
# triggers '[JSON]' [ARGUMENT…]
triggers() {
    program
    config "\"filter\": {\"triggers\": $1${more:-}}"
    shift
    run_well ./triggered "$@"
}

# Issue: triggers: start/stop recording at a function's nth call
test_the_recording_stops_at_the_nth_call() {
    triggers '[{"function": "^mark$", "call": 4, "action": "stop"}]'
    expect_calls triggered_all.log before 4
    expect_calls triggered_all.log mark 4
    expect_calls triggered_all.log after 3
    expect_calls triggered_all.log vftrace_pause 1
    expect_stack triggered_all.log 'vftrace_pause<mark<step<steps<main<init'
}
test_the_recording_starts_at_the_nth_call_and_begins_stopped() {
    triggers '[{"function": "^mark$", "call": 4, "action": "start"}]'
    expect_calls triggered_all.log before 6
    expect_calls triggered_all.log mark 7
    expect_calls triggered_all.log after 7
}
test_the_recording_starts_and_stops_by_several_triggers() {
    triggers '[{"function": "^mark$", "call": 3, "action": "start"}, {"function": "^after$", "call": 5, "action": "stop"},
        {"function": "^before$", "call": 9, "action": "start"}]'
    expect_calls triggered_all.log mark 5
    expect_calls triggered_all.log after 5
    expect_calls triggered_all.log before 4
}
test_the_first_function_of_a_thread_starts_a_recording() {
    triggers '[{"function": "^main$", "call": 1, "action": "start"}]'
    expect_calls triggered_all.log before 10
    expect_calls triggered_all.log vftrace_pause 0
    triggers '[{"function": "^steps$", "call": 3, "action": "start"}]' 5
    expect_calls triggered_all.log steps 5
    expect_calls triggered_all.log before 6
}
test_without_its_call_a_recording_that_begins_stopped_stays_so() {
    triggers '[{"function": "^mark$", "call": 40, "action": "start"}]'
    expect_calls triggered_all.log mark 0
    expect_calls triggered_all.log step 0
}
# expect_notes [LINE…]
expect_notes() { expect_same "$(grep 'never acted' triggered_all.log)" "$(for line; do echo "Note: $line."; done)" "the notes"; }
test_a_trigger_that_never_acts_is_named_in_the_log() {
    triggers '[{"function": "^mark$", "call": 40, "action": "start"}, {"function": "^nosuch$", "action": "stop"}, {"function": "^step$", "call": 10, "action": "stop"}]'
    expect_notes 'filter.triggers[0] (start) never acted: what matches "^mark$" was called 10 times, and it acts at call 40' \
        'filter.triggers[1] (stop) never acted: no function that was called matches "^nosuch$"'
    grep -q 'Note: an expression matches any part of a name' triggered_all.log || fail "no word about names"
    triggers '[{"function": "^mark$", "call": 10, "action": "start"}]'
    expect_notes
}
test_calls_are_counted_over_all_threads() {
    triggers '[{"function": "^mark$", "call": 7, "action": "stop"}]' 5
    expect_calls triggered_all.log mark 7
    triggers '[{"function": "^mark$", "call": 7, "action": "start"}]' 5
    expect_calls triggered_all.log mark 4
}
test_direct_recursion_counts_as_calls() {
    triggers '[{"function": "^mark$", "call": 12, "action": "stop"}]' 0 4
    expect_calls triggered_all.log mark 12
}
test_the_functions_of_triggers_are_recorded_whatever_excludes_them() {
    more=', "exclude": {"functions": "mark|before"}' triggers '[{"function": "^mark$", "call": 4, "action": "stop"}]'
    expect_calls triggered_all.log mark 4
    expect_calls triggered_all.log before 0
    expect_calls triggered_all.log after 3
}
# Of these the enter hook is taken out in the pause, and the exit hook perhaps not.
test_functions_that_are_excluded_in_the_pause_leave_no_trace() {
    more=', "include": {"functions": "^mark$"}' triggers '[{"function": "^before$", "call": 3, "action": "start"}]'
    expect_calls triggered_all.log mark 8
    expect_calls triggered_all.log before 8
    expect_calls triggered_all.log after 0
    ! grep 'ends were ignored' triggered_all.log || fail "ends of functions that are not recorded are taken for those of others"
}
test_a_timeline_has_the_calls_that_are_recorded() {
    program
    config '"sampling": {"active": true, "sample_interval": 0},
        "filter": {"triggers": [{"function": "^mark$", "call": 3, "action": "start"}, {"function": "^mark$", "call": 6, "action": "stop"}]}'
    run_well ./triggered
    expect_calls triggered_all.log mark 4
    "$vftr" dump triggered_0.vfd >dump || fail "vftr dump"
    expect_same "$(grep -c 'call *mark<' dump)" 4 "calls of mark in the timeline"
}
# A lock that such a hook holds would be held for good.
test_a_handler_may_jump_out_of_the_hook_of_a_triggers_function() {
    build jumps_out_of_hooks
    config '"filter": {"triggers": [{"function": "^mark$", "call": 1000000000, "action": "stop"}]}'
    run_well ./jumps_out_of_hooks 2000
    expect_at_least "$(calls_of jumps_out_of_hooks_all.log mark)" 100000 'calls of mark'
}

run_tests
