# SPDX-License-Identifier: BSD-3-Clause
# The log of a run and vftr report: the same tables from the process itself, from its file and from the merged file.
. "${srcdir:-.}/test/system/lib.sh"

program() {
    build prog.c <<'END'
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
static void leaf(void) { usleep(1000); }
static void work(int n) { while (n--) leaf(); }
static void *thread(void *p) { work(3); return p; }
static void die(void) { kill(getpid(), SIGKILL); }
int main(int argc, char **argv) {
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    work(5);
    pthread_join(t, 0);
    if (argc > 1) die();
    return 0;
}
END
}

every_table='"sampling": {"active": true}, "logfile_for_ranks": "all", "stacklist": {"show_stacklist": true}'

test_the_log_and_the_reports_of_both_files_are_the_same() {
    config "$every_table"
    program
    run_well ./prog
    expect_calls prog_all.log leaf 8
    for file in prog_0.vfd prog_all.vfd; do
        report "$file"
        diff prog_all.log report || fail "the report of $file differs from the log"
    done
    diff prog_0.log prog_all.log || fail "the log of the only rank is not that of all"
}

# The durations of each call, as vftr export has them, are within the classes that vftr report tells.
test_durations_of_single_calls_are_those_of_the_timeline() {
    config '"sampling": {"active": true, "sample_interval": 0}'
    program
    run_well ./prog
    sed -i 's/"profile_table": {/&"show_distribution": true, /' config.json
    report prog_all.vfd
    grep -q 'to vftr report of timelines of all events' report || fail "the log does not say who tells durations"
    report prog_0.vfd
    run_well "$vftr" report --histogram='^(leaf|work)$' prog_0.vfd
    mv out told
    run_well "$vftr" export --format=events -o calls.csv prog_0.vfd
    python3 - <<'END_OF_PYTHON' || fail "durations differ: $(cat told)"
import csv, math, re, sys
calls = {}
for row in csv.DictReader(open("calls.csv")):
    calls.setdefault(row["function"], []).append(int(row["duration_ns"]))
units = {"ns": 1, "µs": 1e3, "ms": 1e6, "s": 1e9}
def ns(cell):
    number, unit = cell.split()
    return float(number) * units[unit]
def check(function, cells):
    known = sorted(calls[function])
    wanted = [known[0], *(known[math.ceil(share * len(known)) - 1] for share in (0.5, 0.9, 0.99)), known[-1]]
    for cell, value, error in zip(cells, wanted, (0, .125, .125, .125, 0)):
        assert abs(ns(cell) - value) <= error * value + 0.06 * units[cell.split()[1]], (function, cell, value)
def rows(path, first):
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in open(path) if re.match(first, line)]
told = [row for row in rows("told", r"\|") if row[-1] in ("leaf", "work")]
assert [(row[0], row[1], row[-1]) for row in told] in ([("8", "8", "leaf"), ("2", "2", "work")], [("2", "2", "work"), ("8", "8", "leaf")]), told
for row in told:
    check(row[-1], row[2:7])
longest = [row for row in rows("told", r"\|") if row[-1].startswith("leaf<work")]
assert len(longest) == 8 and {row[3] for row in longest} == {"0", "1"}, longest
assert abs(ns(longest[0][0]) - max(calls["leaf"])) <= 0.06 * units[longest[0][0].split()[1]]
assert sum(int(line.split()[2]) for line in open("told") if re.match(r" +[0-9.]+ [nµm]?s +[0-9]+", line)) == 10
table = [row for row in rows("report", r"\|") if len(row) > 11 and row[4] == "leaf"]
assert len(table) == 2 and max(ns(row[-1]) for row in table) == ns(longest[0][0]), table
END_OF_PYTHON
    run_well "$vftr" report --rank 0 --histogram='^leaf$' prog_0.vfd
    expect_refused 1 'no function of the run matches' "$vftr" report --histogram=nobody prog_0.vfd
    expect_refused 1 'no timeline of all calls' "$vftr" report --histogram=leaf prog_all.vfd
    expect_refused 2 'the regular expression is wrong' "$vftr" report --histogram='(' prog_0.vfd
    expect_refused 2 'goes with neither' "$vftr" report --histogram=leaf --findings prog_0.vfd
    expect_refused 2 'without --output' "$vftr" report --histogram=leaf --tree prog_0.vfd
    mkdir folder
    cp prog_0.vfd folder
    run_well "$vftr" report --histogram='^(leaf|work)$' folder
    diff told out || fail "of the folder it is another one"
    report folder
    [ "$(grep -c '| *leaf |.* ms |$' report)" = 2 ] || fail "no durations of a folder: $(cat report)"
}

test_a_killed_process_can_be_reported() {
    config
    program
    may_be_killed=yes run ./prog die
    expect_status 137
    report prog_*.tmpvfd
    expect_calls report leaf 8
    expect_calls report die 1
    expect_stack report 'die<main<init'
    grep -q '^Note: 1 recording was not closed' report || fail "no note: $(head -16 report)"
}

test_one_recording_given_twice_is_refused() {
    config '"sampling": {"active": true}'
    program
    run_well ./prog
    run "$vftr" report prog_0.vfd prog_0.vfd
    expect_status 1
    expect_same "$(wc -l <err)" 1 "lines on stderr: $(cat err)"
    expect_same "$(cat out)" "" "standard output"
}

test_the_merged_file_beside_those_of_the_ranks_is_left_out() {
    config '"sampling": {"active": true}'
    program
    run_well ./prog
    run "$vftr" report prog_*.vfd
    expect_status 0
    diff prog_all.log out || fail "the report of prog_*.vfd differs from the log"
}

test_options_choose_tables_and_places() {
    config "$every_table"
    program
    run_well ./prog
    echo '{"profile_table": {"separate": true, "show_minmax_summary": true}, "print_config": false}' >other.json
    mkdir logs
    report --config other.json --output=logs prog_0.vfd
    expect_file logs/prog_all.log
    expect_file logs/prog_all_minmax.log
    expect_same "$(cat report)" "" "standard output"
    ! grep -q configuration logs/prog_all.log || fail "the configuration is printed"
    report --rank 0 --config other.json prog_0.vfd
    grep -q 'Summary: Min/Max' report || fail "separate tables are missing on standard output"
}

test_what_cannot_be_reported_is_told_in_one_line() {
    config "$every_table"
    program
    run_well ./prog
    cp prog_0.vfd other.vfd
    printf 'no vfd file' >text.vfd
    head -c 5000 prog_0.vfd >cut.vfd
    expect_refused() {
        run "$vftr" report "$@"
        expect_status 1
        expect_same "$(wc -l <err)" 1 "lines on stderr of vftr report $*"
        expect_same "$(cat out)" "" "standard output of vftr report $*"
    }
    expect_refused text.vfd
    expect_refused missing.vfd
    expect_refused --rank 1 prog_0.vfd
    expect_refused --rank 0 prog_all.vfd
    expect_refused --output=missing prog_0.vfd
    expect_refused cut.vfd
    for arguments in "" "--rank x prog_0.vfd" "--nosuch prog_0.vfd"; do
        # shellcheck disable=SC2086
        run "$vftr" report $arguments
        expect_same "$status" 2 "exit code of vftr report $arguments"
    done
}

test_files_of_two_runs_are_two_trees() {
    config "$every_table"
    program
    run_well ./prog
    mkdir first && mv prog_* first
    run_well ./prog
    report first/prog_0.vfd prog_0.vfd
    expect_same "$(grep -c ': 1 process$' report)" 2 "trees in $(head -5 report)"
    grep -q '^=== prog: 2 processes$' report || fail "no profile of both: $(grep === report)"
    expect_calls report leaf 16
}

# Issue: bad user input is one clear line: what, where, what is allowed.
test_an_option_that_a_verb_does_not_have_is_one_line_that_says_where_they_are_listed() {
    local verb
    for verb in config doctor dump export flags ps recover report run top waits; do
        run "$vftr" $verb --bogus
        expect_status 2
        expect_same "$(cat err)" "vftr $verb: no such option: --bogus (see vftr $verb --help)" "stderr"
    done
    run "$vftr" run --output
    expect_status 2
    expect_same "$(cat err)" "vftr run: a value is missing for --output (see vftr run --help)" "stderr"
}

test_help_of_a_verb_is_that_of_the_verb() {
    "$vftr" dump --help >wanted
    run "$vftr" help dump
    expect_same "$status $(cat out)" "0 $(cat wanted)" "the help"
    run "$vftr" help dmp
    expect_same "$status $(cat err)" "2 vftr: no such verb: dmp; did you mean dump? (see vftr --help)" "the answer"
}

test_a_verb_that_is_written_wrong_is_answered_with_what_was_meant() {
    run "$vftr" confg
    expect_same "$status $(cat err)" "2 vftr: no such verb: confg; did you mean config? (see vftr --help)" "the answer"
    run "$vftr" dump --only-header
    expect_same "$status $(cat err)" "2 vftr dump: no such option: --only-header; did you mean --only_header? (see vftr dump --help)" "the answer"
    run "$vftr" dump --xyz
    expect_same "$status $(cat err)" "2 vftr dump: no such option: --xyz (see vftr dump --help)" "the answer"
    run "$vftr" config chek file
    expect_same "$status $(cat err)" "2 vftr config: one of default, check, explain and schema is needed, not chek; did you mean check? (see vftr config --help)" "the answer"
    run "$vftr" filter sugest file
    expect_same "$status $(cat err)" "2 vftr filter: no such action: sugest; did you mean suggest? (see vftr filter --help)" "the answer"
    run "$vftr" $'\033[31mred'
    expect_same "$status $(cat err)" "2 vftr: no such verb: ?[31mred (see vftr --help)" "the answer to what would colour the terminal"
    run "$vftr" report $'\033[31mred'
    expect_same "$status $(cat err)" "1 vftr: ?[31mred: cannot open: No such file or directory" "the answer to a file of that name"
    run "$vftr" xyzzy
    expect_same "$status $(cat err)" "2 vftr: no such verb: xyzzy (see vftr --help)" "the answer to what is like no verb"
}

# Issue: of a report that is larger than a buffer nothing told that the disk was full.
test_output_that_could_not_be_written_is_told_whatever_its_size() {
    {
        for i in $(seq 400); do echo "void function_with_a_rather_long_name_$i(void) {}"; done
        echo "int main(void) {"
        for i in $(seq 400); do echo "function_with_a_rather_long_name_$i();"; done
        echo "return 0; }"
    } >many.c
    config
    build many
    run_well ./many
    [ "$("$vftr" report many_all.vfd | wc -c)" -gt 100000 ] || fail "the report is a small one"
    "$vftr" report many_all.vfd >/dev/full 2>err && fail "a full disk is not noticed"
    grep -q '^vftr: cannot write to standard output' err || fail "it says: $(cat err)"
}

# Issue: one flipped bit, that of a snapshot, made a report of a merged profile crash.
test_a_merged_profile_is_no_snapshot_whatever_its_flags_say() {
    build one.c <<'END'
int main(void) { return 0; }
END
    config
    run_well ./one
    printf '\x20' | dd of=one_all.vfd bs=1 seek=25 conv=notrunc status=none
    run "$vftr" report one_all.vfd
    expect_same "$status" 0 "status of a report of a merged profile with the flag of a snapshot"
}

run_tests
