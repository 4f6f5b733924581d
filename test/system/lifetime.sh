# SPDX-License-Identifier: BSD-3-Clause
# When recording starts and when it ends; how programs end without a word: processes/crash.sh.
. "${srcdir:-.}/test/system/lib.sh"
. "${srcdir:-.}/test/system/processes/dies.sh"

with_prelude() {
    build prelude.cpp "$@" <<'END'
extern "C" int in_main() { return 0; }
extern "C" int at_construction() { return 1; }
extern "C" int at_destruction() { return 2; }
static struct Global {
    int value;
    Global() : value(at_construction()) {}
    ~Global() { value = at_destruction(); }
} global;
int main() { return in_main(); }
END
}

test_nothing_before_main_is_recorded_by_default() {
    config
    for linkage in shared archive static; do
        with_prelude
        run_well ./prelude
        expect_calls prelude_all.log in_main 1
        expect_calls prelude_all.log main 1
        expect_calls prelude_all.log at_construction 0
        expect_stack prelude_all.log 'in_main<main<init'
        rm -f -- *.log *.vfd
    done
}

test_include_cxx_prelude_records_what_runs_before_main() {
    config '"include_cxx_prelude": true'
    for linkage in shared archive; do
        with_prelude
        run_well ./prelude
        expect_calls prelude_all.log at_construction 1
        expect_calls prelude_all.log in_main 1
        expect_calls prelude_all.log at_destruction 1
        rm -f -- *.log *.vfd
    done
}

# Without a symbol the function is module+offset; that it is there can be seen from the number of rows.
functions_in() { grouped_counts "$1" | grep -vcP '\t(init|----)$'; }

test_main_is_found_in_stripped_executables() {
    for linkage in shared archive; do
        with_prelude
        strip prelude
        config
        run_well ./prelude
        # main, in_main, and what runs after main: the destructor and what it calls.
        local without with
        without=$(functions_in prelude_all.log)
        expect_at_least "$without" 2 "functions, $linkage"
        config '"include_cxx_prelude": true'
        run_well ./prelude
        with=$(functions_in prelude_all.log)
        expect_at_least "$with" $((without + 2)) "functions with the prelude, $linkage"
        rm -f -- *.log *.vfd
    done
}

test_main_is_found_in_a_stripped_static_executable() {
    config
    linkage=static
    with_prelude
    cp prelude unstripped
    strip prelude
    run_well ./prelude
    local offset
    offset=$("${NM:-nm}" unstripped | awk '$3 == "in_main" { sub(/^0+/, "", $1); print $1 }')
    grep -q "prelude+0x$offset " prelude_all.log || fail "in_main is not there"
    offset=$("${NM:-nm}" unstripped | awk '$3 == "at_construction" { sub(/^0+/, "", $1); print $1 }')
    ! grep -q "prelude+0x$offset " prelude_all.log || fail "a constructor is there"
}

test_exit_handlers_are_recorded() {
    config
    build handlers.c <<'END'
#include <stdlib.h>
static void handler(void) {}
int main(void) { return atexit(handler); }
END
    run_well ./handlers
    expect_calls handlers_all.log handler 1
}

test_exit_in_the_middle_of_a_call_keeps_code_and_counts() {
    config
    build middle.c <<'END'
#include <stdlib.h>
static void leaf(void) {}
static void deep(int n) { leaf(); if (n) deep(n - 1); else exit(7); }
int main(void) { deep(9); }
END
    run ./middle
    expect_status 7
    expect_silence
    expect_calls middle_all.log leaf 10
    expect_calls middle_all.log deep 10
}

test_a_file_can_be_read_while_its_program_runs() {
    config
    build lives
    begin ./lives
    report lives_*.tmpvfd
    expect_calls report leaf 500
    end_it
    expect_status 0
    expect_calls lives_all.log leaf 500
}

test_without_sampling_the_working_file_goes_and_a_profile_stays() {
    config
    dies_program
    run ./dies 0
    expect_status 9
    expect_same "$(echo ./*vfd ./*.log)" "./dies_all.vfd ./dies_all.log" "files"
}

# Issue: "A killed run does not leave the previous run's log looking like its own."
test_the_log_of_the_run_before_is_not_there_after_a_killed_run() {
    config '"logfile_for_ranks": "all"'
    dies_program
    run ./dies 0
    cp dies_all.log first_all.log
    cp dies_0.log first_0.log
    expect_no_file dies_all.log.previous
    for how in 15 _exit; do
        run ./dies $how
        expect_no_file dies_all.log
        expect_no_file dies_0.log
        cmp dies_all.log.previous first_all.log || fail "the log of the run before is lost"
        cmp dies_0.log.previous first_0.log || fail "the log of the rank of the run before is lost"
    done
    run ./dies 0
    expect_calls dies_all.log leaf 1234
    expect_no_file dies_all.log.previous
    expect_no_file dies_0.log.previous
}

# Issue: each start of a recorded process looks for the results of others, also where no log lies there that it could move
test_a_run_looks_for_other_runs_only_where_there_is_a_log_of_the_run_before() {
    have strace || skip 'there is no strace'
    config
    dies_program
    looks_for() { # what it looks for at its start; the program is killed before it writes results
        run strace -o calls -e trace=openat ./dies 15
        grep -q openat calls || skip "strace cannot trace here: $(head -2 err)"
        sed -n 's,.*"[^"]*/dies\(_all.log\|.results.tmp\|_all.vfd\|.job\)".*,\1,p' calls | LC_ALL=C sort -u | tr '\n' ' '
    }
    expect_same "$(looks_for)" '_all.log ' 'names in a new folder'
    run ./dies 0
    expect_same "$(looks_for)" '.job .results.tmp _all.log _all.vfd ' 'names where there is a log'
    expect_file dies_all.log.previous
}

# Issue: "A killed run does not leave the previous run's log looking like its own."
test_the_tables_of_the_run_before_are_not_there_after_a_killed_run() {
    config
    dies_program
    echo '{"profile_table": {"separate": true, "show_minmax_summary": true}}' >config.json
    run ./dies 0
    cp dies_all_minmax.log first_minmax.log
    may_be_killed=1 run ./dies 9
    expect_same "$(echo ./dies_all*.log)" './dies_all*.log' "logs after a run that was killed"
    cmp dies_all_minmax.log.previous first_minmax.log || fail "the table of the run before is lost"
    config
    run ./dies 0
    expect_same "$(echo ./dies_all*.log*)" ./dies_all.log "logs of a later run"
}

# Issue: two runs of one program in one folder at once: 6 of 40 left NAME_all.log only as .previous
test_a_log_of_a_run_that_has_just_ended_is_not_of_the_run_before() {
    config
    dies_program
    run ./dies 0
    cp dies_all.log first_all.log
    # A process that writes its results now holds this lock.
    run flock dies.results.tmp ./dies 15
    cmp dies_all.log first_all.log || fail "the log of a run that writes results was moved"
    touch -d '1 hour' dies_all.log # as if it were written while the next one runs
    run ./dies 15
    cmp dies_all.log first_all.log || fail "a log that was written since was moved"
    expect_no_file dies_all.log.previous
}

# Issue: two runs of one program in one folder at once: 6 of 40 left NAME_all.log only as .previous
test_runs_of_one_program_at_once_leave_a_log_each() {
    local round number
    config
    build meets.c <<'SOURCE'
#include <fcntl.h>
#include <unistd.h>
static int leaf(int x) { return x + 1; }
int main(int argc, char **argv)
{
    const char *all[] = {"begun.1", "begun.2", "begun.3"};
    int sum = 0;
    close(open(argv[argc - 1], O_CREAT | O_WRONLY, 0644));
    for (int i = 0; i < 3; i++)
        while (access(all[i], F_OK) != 0)
            usleep(100);
    for (int i = 0; i < 10; i++)
        sum += leaf(i);
    return sum == 0;
}
SOURCE
    for round in $(seq 15); do
        rm -f meets_* begun.*
        for number in 1 2 3; do ./meets begun.$number >/dev/null 2>err.$number & done
        wait
        expect_same "$(cat err.?)" "" "messages in round $round"
        expect_same "$(find . -name '*_all.log' | wc -l)" 3 "logs in round $round: $(echo ./*.log*)"
        expect_no_file meets_all.log.previous
    done
}

test_what_is_no_log_of_this_run_is_left_alone_by_a_killed_run() {
    local how
    config
    dies_program
    run ./dies 0
    mv dies_all.log kept
    echo notes >dies_all.log
    run ./dies 15
    expect_same "$(cat dies_all.log)" notes "a file of the log's name"
    cp kept dies_all.log
    echo '{"off": true}' >off.json
    for how in VFTR_OFF=1 VFTR_CONFIG=off.json; do
        run env "$how" ./dies 15
        cmp dies_all.log kept || fail "the log has gone after $how"
    done
    # A process that a recorded one starts has names of its own.
    build starts.c <<'END'
#include <stdlib.h>
int main(void) { return system("./dies 15") == 0; }
END
    run ./starts
    cmp dies_all.log kept || fail "the log has gone after a child process of the name"
}

test_vftr_off_leaves_no_file_and_no_message() {
    unset VFTR_CONFIG
    dies_program
    for value in 1 yes YES on On true TRUE; do
        VFTR_OFF=$value run ./dies 0
        expect_status 9
        expect_same "$(cat out err)" "" "output with VFTR_OFF=$value"
        expect_same "$(echo ./*vfd ./*.log)" "./*vfd ./*.log" "files with VFTR_OFF=$value"
    done
    # It wins over the configuration, which is then not even read.
    echo 'nonsense' >bad.json
    VFTR_CONFIG=bad.json VFTR_OFF=1 run ./dies 0
    expect_same "$(cat out err)" "" "output"
    for value in 0 no off false '' nonsense; do
        VFTR_OFF=$value run ./dies 0
        expect_status 9
        expect_silence
        expect_file dies_all.log
        rm -f -- *vfd *.log
    done
}

test_off_in_the_configuration_leaves_no_file_and_no_message() {
    config '"off": true'
    dies_program
    run ./dies 0
    expect_status 9
    expect_same "$(cat out err)" "" "output"
    expect_same "$(echo ./*vfd ./*.log)" "./*vfd ./*.log" "files"
}

run_tests
