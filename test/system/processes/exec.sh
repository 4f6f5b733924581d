# SPDX-License-Identifier: BSD-3-Clause
# exec: the recording up to it is kept, the next program is recorded, and a failed exec leaves no trace.
. "${srcdir:-.}/test/system/lib.sh"
. "$srcdir/test/system/processes/header.sh"
. "$srcdir/test/system/processes/execs.sh"

# Acceptance case 1 and 14
test_the_calls_before_an_exec_and_after_it_are_in_two_files() { config && with_each_compiler check_two_files; }
check_two_files() {
    local entry first
    for linkage in shared archive static; do
        execs
        for entry in $entries; do
            run ./execs "$entry" - 123
            expect_status 3
            expect_silence
            expect_same "$(cat out)" 'done a b 3' "output of $entry, $linkage"
            first=$(only 'execs_*.tmpvfd')
            expect_state "$first" Executed
            [ "$(end_in "$first")" != 0 ] || fail "$first has no end"
            report "$first"
            expect_calls report leaf 123
            expect_stack report 'leaf<leaves<main<init'
            expect_calls execs_all.log leaf 5
            rm -f -- *vfd *.log
        done
    done
}

# Acceptance case 3
test_a_failed_exec_keeps_errno_and_the_recording_goes_on() { config && with_each_compiler check_failed_exec; }
check_failed_exec() {
    local entry want
    for linkage in shared static; do
        execs
        for entry in $entries; do
            run ./execs "$entry" /nonexistent 10
            want='No such file or directory'
            [ $entry != fexecve ] || want='Invalid argument'
            expect_status 4
            expect_silence
            expect_same "$(cat out)" "-1 $want" "$entry, $linkage"
            expect_calls execs_all.log leaf 11
            expect_same "$(ls -m ./*vfd)" ./execs_all.vfd "files of $entry"
            rm -f -- *vfd *.log
        done
    done
}

# Acceptance case 2
test_an_exec_before_any_other_call_leaves_a_valid_file() {
    config
    execs
    build at_once.c <<'END'
#include <unistd.h>
int main(void) { return execl("./execs", "execs", "done", "nothing", (char *)0); }
END
    run ./at_once
    expect_status 3
    report at_once_*.tmpvfd
    expect_same "$(grouped_counts report | cut -f2 | grep -vE '^(init|----)$' | xargs)" main "functions"
    rm -f -- *vfd *.log
    # Without a single call: an empty one.
    instrument= build never.c <<'END'
#include <unistd.h>
int main(void) { return execl("./execs", "execs", "done", "nothing", (char *)0); }
END
    run ./never
    expect_status 3
    expect_calls execs_all.log leaf 5
    report never_*.tmpvfd
    expect_same "$(grouped_counts report | cut -f2 | grep -vE '^(init|----)$' | xargs)" "" "functions"
    expect_same "$(parent_pid_in execs_all.vfd)" "$(pid_in never_*.tmpvfd)" "the program before"
    # Not for a program that is only preloaded.
    rm -f -- *vfd *.log
    linkage=none instrument= build never <never.c
    LD_PRELOAD=$builddir/libvftrace.so run ./never
    expect_status 3
    expect_calls execs_all.log leaf 5
    expect_same "$(ls -m never_* 2>&1 | grep -c vfd)" 0 "files of a program that is only preloaded"
}

# Acceptance case 16
test_three_programs_of_one_process_have_three_files() {
    config
    build chain.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static void leaf(void) {}
int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    for (int i = 0; i <= n; i++)
        leaf();
    char text[20];
    sprintf(text, "%d", n - 1);
    if (n > 0)
        execl(argv[0], argv[0], text, (char *)0);
    return argc != 2;
}
END
    run_well ./chain 2
    local first second file calls generation
    set -- chain_*.tmpvfd
    expect_same $# 2 "number of working files"
    first=$2 second=$1 # chain_<pid>.1.tmpvfd sorts before chain_<pid>.tmpvfd
    expect_same "$(pid_in "$first")" "$(pid_in "$second")" "pid"
    for file in "$first:3:0" "$second:2:1"; do
        IFS=: read -r file calls generation <<<"$file"
        report "$file"
        expect_calls report leaf "$calls"
        expect_state "$file" Executed
        expect_same "$(generation_in "$file")" "$generation" "generation of $file"
    done
    expect_calls chain_all.log leaf 1
}

run_tests
