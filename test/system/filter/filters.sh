# SPDX-License-Identifier: BSD-3-Clause
# Functions that are recorded, and those that are not. One program, run with many configurations.
. "${srcdir:-.}/test/system/lib.sh"

# main calls outer (5 ×), which calls middle (of other.c), which calls leaf (twice); and side, of a library (3 ×), which calls inner_side.
# With an argument threads that each call outer once.
program() {
    if [ ! -e ../program/filtered ]; then
        mkdir ../program
        (cd ../program && compile) || exit 1
    fi
    cp ../program/* .
}
compile() {
    cat >other.c <<'END'
void leaf(void);
void middle(void) { leaf(); leaf(); }
END
    cat >side.c <<'END'
void inner_side(void) {}
void side(void) { inner_side(); }
END
    # shellcheck disable=SC2154
    $cc -g -finstrument-functions -fPIC -shared side.c -o libside.so || fail "libside.so"
    build filtered.c other.c libside.so "-Wl,-rpath,\$ORIGIN" <<'END'
#include <pthread.h>
#include <stdlib.h>
void middle(void);
void side(void);
void leaf(void) {}
static void outer(void) { middle(); }
static void *work(void *unused) { outer(); return unused; }
int main(int argc, char **argv)
{
    for (int i = 0; i < 5; i++)
        outer();
    for (int i = 0; i < 3; i++)
        side();
    for (int i = argc > 1 ? atoi(argv[1]) : 0; i > 0; i--) {
        pthread_t thread;
        pthread_create(&thread, 0, work, 0);
        pthread_join(thread, 0);
    }
    return 0;
}
END
}

# filter '{JSON}' [ARGUMENT…]: runs the program with this filter.
filter() {
    program
    config "\"filter\": $1"
    shift
    run_well ./filtered "$@"
}
# The table by functions is this: "calls function" each.
expect_functions() {
    local shown
    shown=$(grouped_counts filtered_all.log | grep -vw init | tr '\t' ' ' | LC_ALL=C sort -k2 | tr '\n' ',')
    expect_same "$shown" "$1" "the functions"
}

test_without_a_filter_all_functions_are_there() {
    filter '{}'
    expect_functions "3 inner_side,10 leaf,1 main,5 middle,5 outer,3 side,"
}

# Issue: include/exclude by PCRE2 over names, files or modules
test_functions_are_included_by_name() {
    filter '{"include": {"functions": "^(main|lea(?=f$)f)$"}}'
    expect_functions "10 leaf,1 main,"
    expect_stack filtered_all.log 'leaf<main<init'
}
test_functions_are_excluded_by_name_and_what_they_call_is_their_callers() {
    filter '{"exclude": {"functions": "^(outer|side)$"}}'
    expect_functions "3 inner_side,10 leaf,1 main,5 middle,"
    expect_stack filtered_all.log 'leaf<middle<main<init'
    expect_stack filtered_all.log 'inner_side<main<init'
    stacks_at_most filtered_all.log 5
}
test_functions_are_included_and_excluded_by_their_source_file() {
    needs LIBDW
    filter '{"include": {"files": "/other\\.c$"}}'
    expect_functions "5 middle,"
    filter '{"exclude": {"files": "(other|side)\\.c$"}}'
    expect_functions "10 leaf,1 main,5 outer,"
}
test_functions_are_included_and_excluded_by_their_module() {
    filter '{"include": {"modules": "/libside\\.so$"}}'
    expect_functions "3 inner_side,3 side,"
    expect_stack filtered_all.log 'inner_side<side<init'
    filter '{"exclude": {"modules": "/libside\\.so$"}}'
    expect_functions "10 leaf,1 main,5 middle,5 outer,"
}
test_exclude_is_stronger_than_include_and_one_include_suffices() {
    filter '{"include": {"functions": "^main$", "modules": "libside"}, "exclude": {"functions": "inner"}}'
    expect_functions "1 main,3 side,"
}

test_where_the_debug_information_is_missing_a_filter_by_files_matches_nothing_and_says_so_once() {
    needs LIBDW
    program
    strip -g -o stripped filtered
    config '"filter": {"exclude": {"files": "."}}'
    run ./stripped
    expect_status 0
    expect_said_once 'stripped has no debug information that can be read: filters by files match nothing there'
    expect_calls stripped_all.log leaf 10
    expect_calls stripped_all.log side 0
}

# Where libdw is not installed, or vftrace was built without it.
test_without_libdw_a_filter_by_files_matches_nothing_and_says_so_once() {
    program
    config '"filter": {"include": {"functions": "^main$"}, "exclude": {"files": "."}}'
    as_if_missing libdw.so.1 ./filtered
    expect_status 0
    expect_said_once 'filtered has no debug information that can be read: filters by files match nothing there'
    expect_functions "1 main,"
}

# Issue: include/exclude by PCRE2
test_an_expression_that_takes_too_long_for_names_matches_none_of_them_and_says_so_once() {
    build names.c <<'END'
static void aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa1(void) {}
static void aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa2(void) {}
static void aaa(void) {}
int main(void)
{
    aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa1();
    aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa2();
    aaa();
    return 0;
}
END
    config '"filter": {"exclude": {"functions": "^(a+)+$"}}'
    run ./names
    expect_status 0
    expect_said_once 'takes too long for some names, and matches none of these: it was tried on aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa1'
    expect_calls names_all.log aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa1 1
    expect_calls names_all.log aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa2 1
    expect_calls names_all.log aaa 0
}

# expect_notes [LINE…]: what the log says of expressions, and vftr report likewise.
expect_notes() {
    local notes
    notes=$(printf 'Note: %s.\n' "$@")
    [ $# != 0 ] || notes=
    expect_same "$(grep -E '^Note: (filter|sampling)' filtered_all.log)" "$notes" "the notes"
    report filtered_all.vfd
    expect_same "$(grep -E '^Note: (filter|sampling)' report)" "$notes" "the notes of vftr report"
}
# Issue: include/exclude by PCRE2 over names, files or modules: one that matches nothing is most likely a mistake.
test_an_expression_that_matches_no_function_is_named_in_the_log() {
    filter '{"include": {"functions": "^nosuch$"}}'
    expect_functions ""
    expect_notes 'filter.include.functions: no function that was called matches "^nosuch$"'
    expect_same "$(grep -c 'Note: an expression matches any part of a name, .*module::procedure' filtered_all.log)" 1 "lines about names"
    filter '{"include": {"functions": "^main$", "modules": "nolib"}, "exclude": {"functions": "^(leaf|nosuch)$", "modules": "noside"}}'
    expect_notes 'filter.exclude.modules: no function that was called matches "noside"' \
        'filter.include.modules: no function that was called matches "nolib"'
    ! grep 'part of a name' filtered_all.log || fail "a word about names, where none were asked for"
}
test_nothing_is_said_of_expressions_that_match() {
    filter '{"include": {"functions": "^main$", "modules": "libside"}, "exclude": {"functions": "leaf", "modules": "/libside\\.so$"}}'
    expect_functions "1 main,"
    expect_notes
}
# Issue: per-rank and per-thread selection: a rule is judged by functions of all threads, and not at all on a rank that records none.
test_nothing_is_said_of_expressions_where_they_could_not_be_judged() {
    filter '{"only_for_threads": "7", "exclude": {"functions": "outer"}}' 1
    expect_functions ""
    expect_notes 'filter.only_for_threads: no function is recorded, as no thread of this run is in "7"'
    filter '{"only_for_ranks": "7", "exclude": {"functions": "nosuch"}}'
    expect_functions ""
    expect_notes 'filter.only_for_ranks: no function is recorded, as no rank of this run is in "7"'
    filter '{"only_for_ranks": "0-7", "only_for_threads": "1,9"}' 1
    expect_functions "2 leaf,1 middle,1 outer,1 work,"
    expect_notes
    filter '{"only_for_ranks": "none"}'
    expect_notes
}
test_of_a_killed_program_nothing_is_said_of_expressions() {
    build killed.c <<'END'
#include <signal.h>
static void last(void) { raise(SIGKILL); }
int main(void) { last(); }
END
    config '"filter": {"exclude": {"functions": "nosuch"}}'
    may_be_killed=yes run ./killed
    report killed_*.tmpvfd
    ! grep '^Note: filter' report || fail "it says what it cannot know"
}

# Issue: max_depth
test_what_is_called_deeper_than_max_depth_is_not_recorded() {
    filter '{"max_depth": 2}'
    expect_functions "1 main,5 outer,3 side,"
    filter '{"max_depth": 3, "exclude": {"functions": "outer"}}'
    expect_functions "3 inner_side,10 leaf,1 main,5 middle,3 side,"
}

# Issue: min_duration (calls shorter vanish from the timeline, not from the counts)
test_calls_shorter_than_min_duration_are_not_in_the_timeline_but_in_the_counts() {
    build brief.c <<'END'
#include <time.h>
static void wait_for(long ms) { struct timespec time = {0, ms * 1000000}; nanosleep(&time, 0); }
static void leaf(void) {}
static void brief(void) { for (int i = 0; i < 7; i++) leaf(); }
static void lengthy(void) { brief(); wait_for(300); brief(); }
int main(void)
{
    for (int i = 0; i < 3; i++)
        lengthy();
    brief();
    return 0;
}
END
    config '"sampling": {"active": true, "sample_interval": 0}, "filter": {"min_duration": 0.2}'
    run_well ./brief
    expect_calls brief_all.log leaf 49
    expect_calls brief_all.log brief 7
    "$vftr" dump brief_0.vfd >dump || fail "vftr dump"
    expect_same "$(awk '$2 == "call" || $2 == "exit" { print $2, $3 }' dump | sort | uniq -c | tr -s ' \n' ' ')" \
        " 3 call lengthy<main<init 1 call main<init 3 call wait_for<lengthy<main<init 3 exit lengthy<main<init 1 exit main<init 3 exit wait_for<lengthy<main<init " \
        "calls in the timeline"
}

# Likewise of precise functions, whatever the sample interval; and in each thread.
test_short_calls_of_precise_functions_are_left_out_as_well() {
    build brief.c <<'END'
#include <pthread.h>
#include <time.h>
static void brief(void) {}
static void lengthy(void) { struct timespec time = {0, 300000000}; nanosleep(&time, 0); }
static void *work(void *unused) { brief(); lengthy(); brief(); return unused; }
int main(void)
{
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], 0, work, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    return 0;
}
END
    config '"sampling": {"active": true, "sample_interval": 1000, "precise_functions": "brief|lengthy"}, "filter": {"min_duration": 0.2}'
    run_well ./brief
    expect_calls brief_all.log brief 6
    "$vftr" dump brief_0.vfd >dump || fail "vftr dump"
    expect_same "$(awk '$2 == "call" || $2 == "exit" { sub(/<.*/, "", $3); print $2, $3 }' dump | sort | uniq -c | tr -s ' \n' ' ')" \
        " 3 call lengthy* 3 exit lengthy* " "calls in the timeline"
}

# Issue: per-rank and per-thread selection
test_only_some_threads_record_functions() {
    filter '{"only_for_threads": "2"}' 3
    expect_functions "2 leaf,1 middle,1 outer,1 work,"
}
test_only_some_ranks_record_functions() {
    filter '{"only_for_ranks": "1-7"}'
    expect_functions ""
    filter '{"only_for_ranks": "0"}'
    expect_calls filtered_all.log leaf 10
    OMPI_COMM_WORLD_RANK=3 filter '{"only_for_ranks": "1-7"}'
    expect_calls filtered_all.log leaf 10
}

test_a_rank_of_mpi_is_known_in_mpi_init_at_the_latest() {
    [ -n "${MPIRUN:-}" ] && [ -n "${MPICC:-}" ] || skip "there is no MPI"
    cat >ranks.c <<'END'
#include <mpi.h>
static void work(void) {}
int main(int argc, char **argv)
{
    work();
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 5; i++)
        work();
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
END
    # shellcheck disable=SC2046
    $MPICC -g -finstrument-functions ranks.c -o ranks $(link_flags) || fail "$MPICC cannot build ranks.c"
    config '"filter": {"only_for_ranks": "1"}'
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 run "$MPIRUN" -np 2 ./ranks
    expect_status 0
    expect_calls ranks_all.log work 6
    expect_calls ranks_all.log main 1
    expect_calls ranks_all.log MPI_Barrier 2
}

test_a_function_that_is_precise_and_excluded_is_not_there() {
    program
    config '"sampling": {"active": true, "sample_interval": 1000, "precise_functions": "leaf|middle"}, "filter": {"exclude": {"functions": "leaf"}}'
    run_well ./filtered
    expect_calls filtered_all.log leaf 0
    "$vftr" dump filtered_0.vfd >dump || fail "vftr dump"
    expect_same "$(grep -c 'call *middle\*<outer<main<init' dump)" 5 "calls of middle in the timeline"
    ! grep -q leaf dump || fail "leaf is in the dump"
}

# Each text on its own: with the calls of hooks in place, the flag test does the same.
test_filters_hold_without_live_patching() {
    filter '{"exclude": {"functions": "outer|leaf"}, "live_patching": false}'
    expect_functions "3 inner_side,1 main,5 middle,3 side,"
    expect_stack filtered_all.log 'middle<main<init'
}

test_the_printed_configuration_of_a_filter_feeds_back() {
    needs LIBDW
    filter '{"exclude": {"functions": "^out\\w+$", "files": "nowhere \"quoted\""}, "max_depth": 4, "min_duration": 1e-6,
        "only_for_threads": "0,2-5", "triggers": [{"function": "side", "call": 100, "action": "stop"}]}'
    expect_calls filtered_all.log outer 0
    sed -n '/^{/,/^}/p' filtered_all.log >printed.json
    "$vftr" config check printed.json >checked || fail "vftr config check: $(cat checked)"
    grep -q '"triggers": \[' printed.json || fail "no triggers in the printed configuration"
    mv filtered_all.log first.log
    VFTR_CONFIG=$PWD/printed.json run_well ./filtered
    expect_same "$(sed -n '/^{/,/^}/p' filtered_all.log)" "$(cat printed.json)" "the configuration printed again"
}

test_excluded_functions_leave_no_trace_in_a_recording_of_many() {
    build many.c <<'END'
#define F(n) void f##n(void) {}
#define F10(n) F(n##0) F(n##1) F(n##2) F(n##3) F(n##4) F(n##5) F(n##6) F(n##7) F(n##8) F(n##9)
F10(1) F10(2) F10(3) F10(4) F10(5) F10(6) F10(7) F10(8) F10(9)
#define C(n) f##n();
#define C10(n) C(n##0) C(n##1) C(n##2) C(n##3) C(n##4) C(n##5) C(n##6) C(n##7) C(n##8) C(n##9)
#define ALL C10(1) C10(2) C10(3) C10(4) C10(5) C10(6) C10(7) C10(8) C10(9)
void seen(void) { ALL }
int main(void)
{
    seen();
    ALL
    return 0;
}
END
    config '"filter": {"exclude": {"functions": "^f[0-9]"}}, "sampling": {"active": true, "sample_interval": 0}'
    run_well ./many
    stacks_at_most many_all.log 3
    expect_calls many_all.log seen 1
    "$vftr" dump many_0.vfd >dump || fail "vftr dump"
    ! grep -q 'f[0-9][0-9]' dump || fail "there are excluded functions in the dump: $(grep 'f[0-9][0-9]' dump | head -3)"
}

run_tests
