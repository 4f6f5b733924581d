# SPDX-License-Identifier: BSD-3-Clause
# vftr tui: files that change, go, or cannot be read.
. "${srcdir:-.}/test/system/lib.sh"
. "$srcdir/test/system/lib_tui.sh"

test_a_program_that_runs_is_read_again() {
    config
    build grows.c <<'END'
#include <stdio.h>
#include <unistd.h>
void early(void) {}
void late(void) {}
static void await(void) { while (getchar() != '\n') ; }
int main(void)
{
    printf("%d\n", (int)getpid());
    fflush(stdout);
    early();
    await();
    late();
    late();
    puts("late");
    fflush(stdout);
    await();
    return 0;
}
END
    mkdir results
    (cd results && mkfifo ../in2)
    exec 8<>in2
    # shellcheck disable=SC2034
    (cd results && exec ../grows <../in2 >../said 2>/dev/null) &
    local program=$!
    until_true test -s said
    terminal 80 24
    begin_tui --view functions --interval 0.1 results
    until_shown 'early'
    until_shown 'live'
    shows_not ' late' || fail "already there: $(screen)"
    keys s && until_shown 'Sort by' && keys Home
    until_true at_entry Calls
    keys Enter
    until_shown 'by Calls'
    echo >&8
    until_shown ' late'
    shows 'by Calls' || fail "the order is lost: $(screen)"
    echo >&8
    wait $program
    until_gone 'live'
    shows ' late' || fail "gone at the end: $(screen)"
    exported functions
    run_well "$vftr" report --format=json results
    mv out results.json
    figures results.json functions functions.csv
    end_tui
}

# As vftr top, which has the file open: what is removed at the end was looked at before.
test_a_file_that_goes_with_its_process_was_looked_at() {
    config
    build waits_for_input.c <<'END'
#include <stdio.h>
#include <unistd.h>
void early(void) {}
int main(void)
{
    early();
    printf("%d\n", (int)getpid());
    fflush(stdout);
    getchar();
    return 0;
}
END
    begin ./waits_for_input
    terminal 100 24
    begin_tui --view functions --interval 0.1 waits_for_input_*.tmpvfd
    until_shown 'early'
    until_shown 'live'
    end_it
    until_shown 'is gone, as its process has ended'
    until_gone 'live'
    shows 'early' || fail "the last look is gone: $(screen)"
    end_tui
}

test_what_cannot_be_read_is_told_behind_the_screen() {
    recorded
    mkdir mixed
    cp calls_all.vfd mixed
    echo 'no recording' >mixed/text.vfd
    terminal 100 24
    begin_tui --view functions mixed
    until_shown 'leaf'
    end_tui
    shows 'back=1' || fail "exit code: $(screen)"
    expect_same "$(screen | grep -c 'vftr: mixed/text.vfd')" 1 "lines about the file"
    has BOOST_MATH || return 0
    keys -l "clear; echo cleared"
    keys Enter
    until_gone 'text.vfd'
    begin_tui calls_all.vfd --versus mixed
    end_tui
    shows 'back=1' || fail "exit code of two runs: $(screen)"
    expect_same "$(screen | grep -c 'vftr: mixed/text.vfd')" 1 "lines about the file of two runs"
}

run_tests
