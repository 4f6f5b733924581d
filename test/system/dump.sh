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
        'Version ID:|Start Date:|End Date:|Processes:|Threads:|Sample interval:|Job runtime:|Samples:|   Function:|   Messages:|Unique stacks:|HW counters:|HW observables:|Stacks offset:|Sample offset:|Thread offset:|HWprof offset:|' \
        "the header's fields"
    for line in 'Version ID:      Vftrace 2\.[0-9.]*' 'Start Date:      [A-Z][a-z]* [A-Z][a-z]* [ 0-9][0-9] [0-9:]* 2[0-9]*' \
        'Processes:       0 of 1' 'Threads:         2' 'Sample interval: 0\.000000e+00 seconds' \
        'Job runtime:     [0-9]*\.[0-9]\{3\} seconds' 'Messages:     0' 'Stacks offset:   0x[0-9a-f]*000' 'Sample offset:   0x[0-9a-f]*000' 'Thread offset:   0x[0-9a-f]*000' 'HWprof offset:   0x0' 'HW counters:     0' 'HW observables:  0' \
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
    expect_same "$(samples | grep -c ' call fib\*<')" 30 "calls of fib"
    expect_same "$(samples | grep -c ' exit fib\*<')" 30 "ends of fib"
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
    # As that of 2.0, which has nothing but the number.
    expect_same "$(./vftrace_vfd_dump --version)" "$("$vftr" --version | sed 's/^vftr //')" "the version of vftrace_vfd_dump"
    expect_same "$("$vftr" dump --version)" "$("$vftr" --version | sed 's/^vftr //')" "the version of vftr dump"
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
    expect_refused 1 --stids=copy prog_0.vfd
    cp prog_all.vfd earlier.vfd
    run_well ./prog
    expect_refused 1 --stids=earlier.vfd prog_0.vfd
    grep -q 'different runs' err || fail "it says $(cat err)"
    "$vftr" dump prog_0.vfd >/dev/full 2>err && fail "a full disk is not noticed"
    return 0
}

# Issue: reading version-3 `.vfd` files of 2.0 in `dump` and `report`. The file is made by the layout that src/vfd/version3.hpp describes.
test_a_file_of_2_0_is_dumped_and_reported() {
    instrument='' linkage=none build old.c <<'END'
#include <stdio.h>
#include <string.h>
static FILE *out;
static void put(const void *data, size_t size) { fwrite(data, size, 1, out); }
static void word(int value) { put(&value, sizeof value); }
static void wide(long long value) { put(&value, sizeof value); }
static void text(const char *value) { word((int)strlen(value) + 1); put(value, strlen(value) + 1); }
static void sample(int kind, int stack, long long ms) { word(kind); word(stack); wide(ms * 1000000); }
static void stack(int caller, const char *name) { word(caller); text(name); }
int main(int argc, char **argv)
{
    (void)argv;
    static const char date[] = "Sat Nov 21 01:37:36 2026";
    double runtime = 0.1;
    int rank = argc > 1;
    out = fopen(rank == 0 ? "old_0.vfd" : "old_1.vfd", "w");
    word(3); text("Vftrace 2.0.0"); text(date); put(date, sizeof date);
    wide(0); word(2); word(rank); word(2); put(&runtime, sizeof runtime);
    word(6); word(1); word(4); word(0); word(0);
    long long samples = ftell(out) + 4 * 8;
    wide(samples); wide(samples + 6 * 16 + 48 + 4); wide(0); wide(0);
    sample(0, 1, 10); sample(0, 2, 20); sample(1, 2, 50); sample(0, 3, 60);
    word(2); word(0); word(0); word(13); word(1000); word(8); word(7); wide(60000000); wide(70000000); word(3); word(0);
    sample(1, 3, 70); sample(1, 1, 90);
    stack(-1, "init"); stack(0, "main"); stack(1, "work"); stack(1, "MPI_Send*");
    return fclose(out);
}
END
    ./old second
    dump old_1.vfd
    expect_same "$(samples)" "        0.010000 call main<init
        0.020000 call work<main<init
        0.050000 exit work<main<init
        0.060000 call MPI_Send*<main<init
        0.060000 send in stackID 2 from threadID 0
                 count=1000 type=MPI_DOUBLE(8Bytes) rate=   0.7629 MiB/s peer=0 tag=7
        0.070000 send end
        0.070000 exit MPI_Send*<main<init
        0.090000 exit main<init" "the samples"
    for line in 'Version ID:      Vftrace 2.0.0 (vfd 3)' 'Start Date:      Sat Nov 21 01:37:36 2026' 'Processes:       1 of 2' 'Threads:         2' \
        'Job runtime:     0.100 seconds' 'Samples:         7'; do
        grep -qx "$line" dump || fail "no line '$line' in: $(head -24 dump)"
    done
    unset VFTR_CONFIG
    report old_1.vfd
    grep -qE '^\| +1 \| +0.030 \| +30.0 \| +0.030 \| +work \| +main \|' report || fail "no row of work: $(cat report)"
    expect_stack report 'MPI_Send<main<init'
    ./old
    report old_0.vfd old_1.vfd
    grep -qE '^\| +2 \| +0.060 \| +30.0 \| +0.060 \| +work \| +main \|' report || fail "no row of work on two ranks: $(cat report)"
    mkdir folder
    mv old_0.vfd folder
    cp old_1.vfd folder
    report folder
    grep -qE '^\| +2 \| +0.060 .* work \| +main \|' report || fail "no row of work in the report of a folder: $(cat report)"
    cp old_1.vfd hole_1.vfd
    truncate -s 400G hole_1.vfd
    run "$vftr" dump hole_1.vfd
    expect_status 1
    expect_same "$(wc -l <err)" 1 "lines about a file that is a hole: $(cat err)"
    rm hole_1.vfd
    head -c 300 old_1.vfd >cut_1.vfd
    run "$vftr" report cut_1.vfd
    expect_status 1
    expect_same "$(wc -l <err)" 1 "lines about a file that is cut off: $(cat err)"
}

run_tests
