# SPDX-License-Identifier: BSD-3-Clause
# vftr dump: the text form of a timeline, which scripts parse.
. "${srcdir:-.}/test/system/lib.sh"

program() {
    build prog.c <<'END'
#include <pthread.h>
#include <signal.h>
#include <unistd.h>
static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static void work(void) { fib(5); }
static void *thread(void *p) { work(); return p; }
static void die(void) { kill(getpid(), SIGKILL); }
int main(int argc, char **argv) {
    pthread_t t;
    work();
    pthread_create(&t, 0, thread, 0);
    pthread_join(t, 0);
    if (argc > 1) die();
    return 0;
}
END
}

every_event='"sampling": {"active": true, "sample_interval": 0, "precise_functions": "^fib$"}'

dump() { "$vftr" dump "$@" >dump 2>dump.err || fail "vftr dump $*: $(cat dump.err)"; }
samples() { sed '1,/^Stack and message samples:$/d' dump; }

test_the_dump_has_the_parts_and_fields_that_scripts_look_for() {
    config "$every_event"
    program
    run_well ./prog
    dump prog_0.vfd
    expect_same "$(sed '/^$/q' dump | grep -o '^[^:]*:' | tr '\n' '|')" \
        'Version ID:|Start Date:|End Date:|Processes:|Threads:|Sample interval:|Job runtime:|Samples:|   Function:|   Messages:|Unique stacks:|HW counters:|HW observables:|' \
        "the header's fields"
    for line in 'Version ID:      Vftrace 2\.[0-9.]*' 'Start Date:      [A-Z][a-z]* [A-Z][a-z]* [ 0-9][0-9] [0-9:]* 2[0-9]*' \
        'Processes:       0 of 1' 'Threads:         2' 'Sample interval: 0\.000000e+00 seconds' \
        'Job runtime:     [0-9]*\.[0-9]\{3\} seconds' 'Messages:     0' 'HW counters:     0' 'HW observables:  0' \
        '   0: init' ' *[0-9]*: fib\*<work<main<init'; do
        grep -q "^ *$line\$" dump || fail "no line '$line' in: $(head -24 dump)"
    done
    expect_same "$(grep -c '^ *[0-9]*: .*init$' dump)" "$(awk '/^Unique stacks:/ { print $3 }' dump)" "the number of stacks listed"
}

test_the_samples_are_every_call_and_its_end_in_the_order_of_time() {
    config "$every_event"
    program
    run_well ./prog
    dump prog_0.vfd
    expect_same "$(samples | grep -c ' call fib<')" 30 "calls of fib"
    expect_same "$(samples | grep -c ' exit fib<')" 30 "ends of fib"
    expect_same "$(samples | wc -l)" "$(awk '/^Samples:/ { print $2 }' dump)" "the number of samples"
    expect_same "$(samples | grep -cvE '^ *[0-9]+\.[0-9]{6} (call|exit) [^ ]+init in threadID [01]$')" 0 "samples of another form"
    samples | sort -s -c -k1,1n || fail "the samples are not in the order of time"
    expect_same "$(samples | sed 's/^ *[0-9.]* //' | sed -n '1p;$p' | tr '\n' '|')" 'call main<init in threadID 0|exit main<init in threadID 0|' "the first and the last"
}

test_stack_ids_are_those_of_the_report() {
    config "$every_event"
    program
    run_well ./prog
    dump --skip_samples prog_0.vfd
    report prog_0.vfd
    diff <(sed -n 's/^ *\([0-9]*\): \(.*init\)$/\1 \2/p' dump | tr -d '*' | grep -v '^0 ') \
        <(sed -n 's/^ *STID\([0-9]*\) *\(.*init\)$/\1 \2/p' report | grep -v '^0 ') || fail "the stack ids differ"
}

test_options_leave_out_parts_and_choose_the_place() {
    config "$every_event"
    program
    run_well ./prog
    dump --only_header prog_0.vfd
    ! grep -q 'Stacks list' dump || fail "--only_header prints the stacks"
    dump --skip_samples --show_threadtree prog_0.vfd
    ! grep -q 'samples:$' dump || fail "--skip_samples prints samples"
    expect_same "$(grep -c '^ *[01]: tid [0-9]*, ' dump)" 2 "lines of the thread tree"
    dump prog_0.vfd
    cp dump expected
    echo 'much longer than the dump' >file
    dump --output=file prog_0.vfd
    cmp file expected || fail "--output=FILE prints something else"
    dump --output=stderr prog_0.vfd
    cmp dump.err expected || fail "--output=stderr prints something else"
    ln -s "$vftr" vftrace_vfd_dump
    ./vftrace_vfd_dump prog_0.vfd | cmp - expected || fail "vftrace_vfd_dump prints something else"
}

test_a_killed_process_leaves_a_file_that_can_be_dumped() {
    config "$every_event"
    program
    may_be_killed=yes run ./prog die
    expect_status 137
    dump prog_*.tmpvfd
    grep -q '^The file is not closed; last event at 0\.[0-9]* s$' dump || fail "no note in: $(head -16 dump)"
    expect_same "$(samples | tail -1 | sed 's/^ *[0-9.]* //')" 'call die<main<init in threadID 0' "the last sample"
}

test_what_cannot_be_dumped_is_told_in_one_line() {
    config "$every_event"
    program
    run_well ./prog
    cp prog_0.vfd copy
    expect_refused() {
        local code=$1
        shift
        run "$vftr" dump "$@"
        expect_status "$code"
        expect_same "$(wc -l <err)" 1 "lines on stderr of vftr dump $*"
    }
    expect_refused 1 prog_all.vfd
    grep -q 'vftr report' err || fail "the way out is not told: $(cat err)"
    expect_refused 1 config.json
    expect_refused 1 none.vfd
    expect_refused 1 --output=prog_0.vfd prog_0.vfd
    cmp copy prog_0.vfd || fail "the file was written to"
    expect_refused 1 --output=none/file prog_0.vfd
    expect_refused 2
    expect_refused 2 prog_0.vfd copy
    expect_refused 2 --no_such_option prog_0.vfd
    "$vftr" dump prog_0.vfd >/dev/full 2>err && fail "a full disk is not noticed"
    return 0
}

run_tests
