# SPDX-License-Identifier: BSD-3-Clause
# Colours, progress and notes of vftr: at terminals and where they are asked for, and nowhere else.
. "${srcdir:-.}/test/system/lib.sh"

escape=$(printf '\033')
bare() { sed "s/$escape\[[0-9]*m//g"; }
expect_plain() { ! grep -q "$escape" "$1" || fail "$2 has colours: $(cat -v "$1")"; }
expect_coloured() { grep -q "$escape\[[0-9]*m" "$1" || fail "$2 has no colours: $(cat -v "$1")"; }

# at_terminal COMMAND…: standard output and error are a terminal of its own; what came there is in `shown`, without carriage returns.
at_terminal() {
    have script || skip "no script (util-linux)"
    printf '%q ' "$@" >line
    env TERM="${terminal_name-xterm}" script -qec "$(cat line)" /dev/null </dev/null 2>/dev/null | tr -d '\r' >shown
}

recorded() {
    config
    program one.c 'static void work(void) {}
int main(void) { work(); return 0; }'
}
program() {
    printf '%s\n' "$2" | build "$1"
    run_well ./one
}

test_a_pipe_and_a_file_have_no_colours() {
    recorded
    "$vftr" report one_all.vfd >plain 2>said || fail "$(cat said)"
    expect_plain plain "a file"
    TERM=xterm "$vftr" report one_all.vfd | cat >piped
    expect_plain piped "a pipe"
    ! "$vftr" report no_such.vfd 2>said || fail "a missing file is there"
    expect_plain said "an error in a file"
    "$vftr" report --color=always one_all.vfd >always 2>said || fail "$(cat said)"
    expect_coloured always "--color=always"
    expect_same "$(bare <always)" "$(cat plain)" "the text with colours"
    NO_COLOR=1 "$vftr" report --color=always one_all.vfd >always && expect_coloured always "--color=always in spite of NO_COLOR"
    CLICOLOR_FORCE=1 "$vftr" report one_all.vfd >forced && expect_coloured forced "CLICOLOR_FORCE"
    CLICOLOR_FORCE=1 NO_COLOR=1 "$vftr" report one_all.vfd >forced && expect_plain forced "NO_COLOR with CLICOLOR_FORCE"
    CLICOLOR_FORCE=1 "$vftr" report --color=never one_all.vfd >forced && expect_plain forced "--color=never"
    CLICOLOR_FORCE=1 "$vftr" report -o . one_all.vfd && expect_plain one_all.log "a log that is written"
    CLICOLOR_FORCE=1 "$vftr" export --format=json -o - one_all.vfd >json && expect_plain json "JSON"
    expect_refused 2 "--color is auto, always or never, not blue" "$vftr" report --color=blue one_all.vfd
}

test_a_terminal_has_colours() {
    recorded
    at_terminal "$vftr" report one_all.vfd
    expect_coloured shown "a report at a terminal"
    grep -q "^$escape\[1mRuntime profile (Grouped by function name)$escape\[0m" shown || fail "a heading is not bold: $(cat -v shown)"
    terminal_name=dumb at_terminal "$vftr" report one_all.vfd
    expect_plain shown "a dumb terminal"
    NO_COLOR=1 at_terminal "$vftr" report one_all.vfd
    expect_plain shown "NO_COLOR at a terminal"
    at_terminal "$vftr" report no_such.vfd
    grep -q "^$escape\[31mvftr:$escape\[0m no_such.vfd: " shown || fail "an error is not red: $(cat -v shown)"
    at_terminal "$vftr" doctor --color=never ./one
    expect_plain shown "--color=never at a terminal"
    at_terminal "$vftr" doctor ./one
    grep -q "^$escape\[32mok:$escape\[0m " shown || fail "ok is not green: $(cat -v shown)"
}

test_verdicts_have_colours() {
    needs BOOST_MATH
    recorded
    "$vftr" diff --all --color=always one_all.vfd one_all.vfd >always || fail "vftr diff fails"
    expect_coloured always "a comparison"
    "$vftr" diff --all one_all.vfd one_all.vfd >plain
    expect_same "$(bare <always)" "$(cat plain)" "the comparison with colours"
    "$vftr" diff --all --color=always -o written one_all.vfd one_all.vfd && expect_same "$(cat written)" "$(cat always)" "the file that is written"
    "$vftr" diff --all --color=always --format=csv one_all.vfd one_all.vfd >csv && expect_plain csv "csv"
}

# With a clock that goes on by a second each time it is read, no command is short.
test_progress_is_shown_at_a_terminal_alone() {
    recorded
    build_fast_clock
    at_terminal env LD_PRELOAD="$PWD/clock.so" bash -c "mkdir -p two; cp one_all.vfd two; '$vftr' report --each two >log"
    grep -q 'vftr report: reading' shown || fail "no progress: $(cat -v shown)"
    grep -q "$escape\[K\$" shown || fail "the line is not erased at the end: $(cat -v shown)"
    at_terminal env LD_PRELOAD="$PWD/clock.so" "$vftr" report -q two
    ! grep -q reading shown || fail "progress in spite of --quiet: $(cat -v shown)"
    LD_PRELOAD=$PWD/clock.so "$vftr" report two >log 2>said
    expect_same "$(cat said)" "" "progress in a file"
}

# A note is left out, an error is not.
test_quiet_leaves_notes_out() {
    recorded
    mkdir away
    mv one away # and its lines with it
    "$vftr" export --lines --format=csv --table=functions -o - one_all.vfd >loud 2>said
    grep -q '^vftr: no debug information' said || fail "no note: $(cat said)"
    "$vftr" export -q --lines --format=csv --table=functions -o - one_all.vfd >silent 2>said
    expect_same "$(cat said)" "" "what --quiet tells"
    expect_same "$(cat silent)" "$(cat loud)" "the export with --quiet"
    ! "$vftr" report --quiet no_such.vfd 2>said || fail "a missing file is there"
    expect_same "$(grep -c '^vftr: no_such.vfd: ' said)" 1 "errors with --quiet"
}

run_tests
