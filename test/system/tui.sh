# SPDX-License-Identifier: BSD-3-Clause
# vftr tui: views, keys and the terminal. Views of MPI jobs: mpi/tui.sh.
. "${srcdir:-.}/test/system/lib.sh"
. "$srcdir/test/system/lib_tui.sh"

# A recording of some functions: calls_all.vfd, and what it has: calls.json.
recorded() {
    config
    build calls.c <<'END'
static volatile int n;
void leaf(void) { for (int i = 0; i < 300000; i++) n++; }
void middle(int times) { for (int i = 0; i < times; i++) leaf(); }
void other(void) { middle(2); }
void deep(int more) { if (more) deep(more - 1); else leaf(); }
int main(void) { for (int i = 0; i < 5; i++) { middle(3); other(); } deep(4); return 0; }
END
    run_well ./calls
    run_well "$vftr" report --format=json calls_all.vfd
    mv out calls.json
}

test_figures_are_those_of_the_report() {
    recorded
    terminal 100 30
    begin_tui --view functions calls_all.vfd
    until_shown 'row 1 of 6'
    screen >shown
    figures calls.json functions - <shown
    exported functions
    figures calls.json functions functions.csv
    to_view Tree
    keys +
    # Whole nanoseconds, so that it is the view that is looked at.
    until_shown '- main'
    keys C
    until_shown 'Columns ('
    local wanted
    for wanted in overhead STID parent depth; do
        keys Home
        until_true at_entry "$wanted"
        keys Enter
        until_shown "* $wanted"
    done
    keys Escape
    until_shown 'row 1 of'
    exported tree
    figures calls.json call_paths tree.csv
    to_view Time
    exported time
    figures calls.json breakdown time.csv
    to_view Findings
    exported findings
    figures calls.json findings findings.csv
    end_tui
    shows 'back=0' || fail "exit code: $(screen)"
}
# Moves the cursor of a box on until it is at this entry.
at_entry() {
    ! tmux -L "$server" capture-pane -p -e | grep -qE $'\e\\[[0-9;]*7m(\\* |  )?'"$1"'($|[^a-zA-Z])' || return 0
    keys Down
    return 1
}

test_threads_and_parallel_regions() {
    config
    build team.c -fopenmp <<'END'
#include <pthread.h>
static volatile int n;
static void *work(void *unused)
{
    for (int i = 0; i < 300000; i++)
        n++;
    return unused;
}
static void region(void)
{
#pragma omp parallel num_threads(2)
    work(0);
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    region();
    return 0;
}
END
    run_well ./team
    run_well "$vftr" report --format=json team_all.vfd
    mv out team.json
    terminal 100 30
    begin_tui team_all.vfd
    to_view Threads
    exported threads
    figures team.json threads threads.csv
    to_view OpenMP
    exported regions
    figures team.json openmp_regions regions.csv
    end_tui
}

test_callers_are_those_of_the_call_graph() {
    recorded
    terminal 80 24
    begin_tui --view functions calls_all.vfd
    keys / && until_shown 'Search: '
    keys -l leaf && keys Enter
    until_true cursor_at leaf
    keys Enter
    until_shown 'called by'
    exported callers
    # From `vftr export --format=callgrind`, which has the same graph: leaf is called 25 times by middle, once by deep.
    expect_same "$(tr -d '\r' <callers.csv | cut -d, -f1,2,5 | sed 1d | sort | paste -sd';')" 'called by,1,deep;called by,25,middle;function,26,leaf' "callers of leaf"
    keys b
    until_gone 'called by'
    end_tui
}

test_the_tree_opens_and_closes() {
    recorded
    terminal 80 24
    begin_tui --view tree calls_all.vfd
    until_shown '+ main'
    shows_not 'leaf' || fail "it is open at first: $(screen)"
    keys Down Right
    until_shown '- main'
    until_shown 'middle'
    keys '*'
    until_shown 'leaf'
    keys -- -
    until_gone 'middle'
    keys / && until_shown 'Search: '
    keys -l LEAF && keys Enter # opens what is above it
    until_shown 'leaf'
    until_true cursor_at leaf
    keys Left
    until_true cursor_at middle
    keys Left
    until_gone 'leaf'
    end_tui
}

test_rows_are_sorted_and_chosen() {
    recorded
    terminal 80 24
    begin_tui --view functions calls_all.vfd
    until_shown 'by t_excl[s]'
    keys s
    until_shown 'Sort by'
    keys Home
    until_true at_entry Calls
    keys Enter
    until_shown 'by Calls'
    exported functions
    expect_same "$(sed 1d functions.csv | cut -d, -f1 | sort -nr | paste -sd,)" "$(sed 1d functions.csv | cut -d, -f1 | paste -sd,)" "calls from top to bottom"
    keys r
    until_shown 'Calls^'
    exported functions
    expect_same "$(sed 1d functions.csv | cut -d, -f1 | sort -n | paste -sd,)" "$(sed 1d functions.csv | cut -d, -f1 | paste -sd,)" "calls from top to bottom"
    keys '&' && until_shown 'Only rows with: '
    keys -l mid && keys Enter
    until_shown 'row 1 of 1'
    exported functions
    expect_same "$(sed 1d functions.csv | wc -l)" 1 "rows"
    keys '&' && until_shown 'Only rows with: mid'
    keys C-u Enter
    until_shown ' of 6'
    keys u
    until_shown 't_excl[ns]'
    keys e && until_shown 'Write to the file: functions.csv'
    keys C-u && keys -l shown.txt && keys Enter
    until_shown 'was written to shown.txt'
    grep -q 't_excl\[ns\].*Function' shown.txt || fail "as text: $(cat shown.txt)"
    keys e && until_shown 'Write to the file: '
    keys C-u && keys -l no/such/folder.csv && keys Enter
    until_shown 'Cannot write no/such/folder.csv: No such file or directory'
    mkfifo pipe
    keys e && until_shown 'Write to the file: '
    keys C-u && keys -l pipe && keys Enter
    until_shown 'pipe is there and is no regular file'
    [ -p pipe ] || fail "the pipe was replaced"
    keys / && until_shown 'Search: '
    keys -l 'nothing of this name' && keys Enter
    until_shown '"nothing of this name" is in no row'
    end_tui
}

test_help_has_every_key_and_so_has_the_manual() {
    recorded
    terminal 120 60
    begin_tui calls_all.vfd
    keys '?'
    until_shown 'Keys and views'
    until_shown 'Mouse'
    screen >help
    sed -n 's/^VFTR_COMMAND([A-Za-z]*, "\(.*\)", [k'"'"'].*/\1/p' "$srcdir/src/tui/keys.def" >wanted
    expect_same "$(wc -l <wanted)" "$(grep -c '^VFTR_COMMAND(' "$srcdir/src/tui/keys.def")" "commands"
    while read -r line; do
        grep -qF -- "$line" help || fail "no '$line' in: $(cat help)"
    done <wanted
    awk -F'  +' 'NR > 3 { if ($0 ~ /^ *$/) exit; print $1 }' help | tr ' ' '\n' | sed '/^$/d; /^[2-8]$/d' >named
    expect_at_least "$(wc -l <named)" 45 "keys in help"
    sed -n '/^.SH KEYS/,/^.SH OPTIONS/p' "$srcdir/share_src/man/vftr-tui.1" | grep -E '^\.(B|BR|BI) ' | sed 's/^\.[BRI]* //; s/\\-/-/g' | tr -s '", ' '\n' >manual
    while read -r key; do
        grep -qxF -- "$key" manual || fail "the manual page has no key $key"
    done <named
    keys Escape
    until_gone 'Keys and views'
    end_tui
}

test_it_follows_the_size_of_the_terminal() {
    recorded
    terminal 120 40
    begin_tui --view functions calls_all.vfd
    local size
    for size in '80 24' '200 60' '60 10' '20 5' '10 3' '80 24'; do
        # shellcheck disable=SC2086
        resize $size
        until_true drawn_at $size
    done
    until_shown 'row 1 of 6'
    resize 200 60
    until_true drawn_at 200 60
    # The bar of the largest time is 20 cells long where there is room, and the last line is the last one of the screen.
    until_shown '████████████████████ '
    expect_same "$(screen | grep -n 'q quit' | cut -d: -f1)" 60 "last line"
    end_tui
}
# The heading is in the first line, and no line was broken.
drawn_at() {
    if [ "$2" -lt 4 ]; then screen | tail -n 1 | grep -q 'row 1'; else screen | head -n 1 | grep -q '^calls' && screen | sed -n "$2p" | grep -q 'row 1'; fi
}

# restored: the terminal's settings are those of before, and what stood on it is there again.
restored() {
    keys -l 'stty -a >after; echo settled'
    keys Enter
    until_true test -s after
    until_shown 'settled'
    cmp -s before after || fail "the settings of the terminal differ: $(diff before after)"
    shows 'before it' || fail "what stood on the screen is gone: $(screen)"
    tmux -L "$server" display-message -p '#{alternate_on} #{cursor_flag} #{mouse_any_flag}' >state
    expect_same "$(cat state)" '0 1 0' "alternate screen, cursor, mouse"
}
prepared() {
    terminal 80 24
    keys -l 'echo before it; stty -a >before'
    keys Enter
    until_true test -s before
}

test_the_terminal_is_given_back() {
    recorded
    prepared
    begin_tui calls_all.vfd
    end_tui
    restored
}

test_a_signal_gives_the_terminal_back() {
    recorded
    prepared
    local signal number
    for signal in TERM INT HUP QUIT SEGV; do
        rm -f after
        keys -l "clear; echo before it $signal"
        keys Enter
        until_shown "before it $signal"
        begin_tui --view functions calls_all.vfd
        # Also after the files have been read again, which is done when the next key is.
        keys R Down
        until_shown 'row 2 of 6'
        pkill -"$signal" -t "$(tmux -L "$server" display-message -p '#{pane_tty}' | sed 's,/dev/,,')" vftr || fail "no vftr there"
        until_gone '? help  q quit'
        keys -l 'echo code=$?'
        keys Enter
        number=$((128 + $(kill -l $signal)))
        until_shown "code=$number"
        restored
    done
}

test_stopped_and_continued() {
    recorded
    prepared
    begin_tui --view functions calls_all.vfd
    keys C-z
    until_shown 'Stopped'
    restored
    keys -l 'fg'
    keys Enter
    until_shown '? help  q quit'
    keys Down
    until_shown 'row 2 of 6'
    end_tui
}

test_killed_where_it_is_stopped() {
    recorded
    prepared
    begin_tui --view functions calls_all.vfd
    keys C-z
    until_shown 'Stopped'
    keys -l 'kill %1'
    keys Enter
    until_true said_to_be_terminated
    restored
}
said_to_be_terminated() {
    keys Enter # the shell says so before its next prompt
    shows 'Terminated'
}

test_where_there_is_no_terminal_it_says_so() {
    recorded
    expect_refused 1 'must be a terminal' "$vftr" tui calls_all.vfd
    expect_refused 2 'a FILE or DIR is missing' "$vftr" tui
    expect_refused 2 'no such option' "$vftr" tui --no-such calls_all.vfd
    expect_refused 2 '--interval needs seconds' "$vftr" tui --interval 0 calls_all.vfd
    expect_refused 1 'no/such.vfd' "$vftr" tui no/such.vfd
    terminal 80 24
    keys -l "TERM=nobody '$vftr' tui calls_all.vfd; echo code=\$?; TERM= '$vftr' tui calls_all.vfd; TERM=dumb '$vftr' tui calls_all.vfd"
    keys Enter
    until_shown 'the terminal TERM=nobody is not known here'
    until_shown 'code=1'
    until_shown 'TERM is not set'
    until_shown 'cannot show a screen'
    keys -l "clear; '$vftr' tui --view waits calls_all.vfd; echo code=\$?"
    keys Enter
    until_shown 'there is no view waits'
    until_shown 'code=1'
    keys -l "clear; '$vftr' tui calls.json; echo code=\$?"
    keys Enter
    until_shown 'calls.json'
    until_shown 'code=1'
}

test_colours_leave_the_background_as_it_is() {
    recorded
    terminal 80 24
    begin_tui --view functions calls_all.vfd
    until_shown 'row 1 of 6'
    tmux -L "$server" capture-pane -p -e >shown
    grep -q $'\e\\[[0-9;]*32m' shown || fail "bars are not green: $(cat -v shown)"
    ! grep -qE $'\e\\[([0-9;]*;)?4[0-7](;[0-9;]*)?m' shown || fail "the background has a colour: $(cat -v shown)"
    end_tui
    keys -l "NO_COLOR=1 '$vftr' tui --view functions calls_all.vfd"
    keys Enter
    until_shown 'row 1 of 6'
    tmux -L "$server" capture-pane -p -e >shown
    ! grep -qE $'\e\\[([0-9;]*;)?3[0-7](;[0-9;]*)?m' shown || fail "colours in spite of NO_COLOR: $(cat -v shown)"
    end_tui
}

test_a_recording_of_one_function() {
    config
    build one.c <<'END'
int main(void) { return 0; }
END
    run_well ./one
    terminal 80 24
    begin_tui --view functions one_all.vfd
    until_shown 'row 1 of 2'
    to_view Tree
    until_shown 'init'
    keys + Down
    until_shown 'main'
    to_view Run
    until_shown 'application'
    end_tui
}

test_names_that_are_wide_or_no_text() {
    config
    build wide.cpp -I"$srcdir/include" <<'END'
#include <vftrace.h>
void 漢字関数() {}
void größe() {}
int main()
{
    漢字関数();
    größe();
    vftrace_region_begin("red \033[31m\nline\x80");
    vftrace_region_end("red \033[31m\nline\x80");
    return 0;
}
END
    run_well ./wide
    terminal 80 24
    begin_tui --view functions wide_all.vfd
    until_shown '漢字関数'
    until_shown 'größe'
    until_shown 'red ?[31m?line'
    expect_same "$(screen | head -n 1 | cut -c1-4)" wide "heading"
    keys / && until_shown 'Search: '
    keys -l '関' && keys Enter
    until_true cursor_at '漢字関数'
    end_tui
    tmux -L "$server" kill-server
    terminal 80 24 LC_ALL=C LANG=C
    begin_tui --view functions wide_all.vfd
    until_shown 'red ?[31m?line'
    until_shown '????'
    until_shown '####'
    end_tui
}

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
}

test_a_mouse_is_enough() {
    recorded
    terminal 100 24
    begin_tui --view functions calls_all.vfd
    click '"' '#' # a title
    until_shown 'by Calls'
    click '"' '%' # a row
    until_shown 'row 2 of 6'
    keys -l $'\e[Ma"%' # the wheel
    until_shown 'row 5 of 6'
    click '=' '"' # the view in the middle of the line of views
    until_gone 'row 5 of 6'
    end_tui
}
# click COLUMN ROW: pressed and released, as terminals report it: the button, the column and the row, each as a character from blank on.
click() {
    keys -l $'\e[M '"$1$2"
    keys -l $'\e[M#'"$1$2"
}

test_processes_of_a_folder() {
    config
    build hello.c <<'END'
#include <stdio.h>
void hello(void) { puts("hello"); }
int main(void) { hello(); return 0; }
END
    build again.c <<'END'
void again(void) {}
int main(void) { again(); again(); return 0; }
END
    run_well "$vftr" run -o results -- sh -c './hello; ./hello; ./again'
    terminal 100 30
    begin_tui results
    to_view Processes
    until_shown 'PROGRAM'
    run_well "$vftr" report --tree --wide results
    exported processes
    diff <(sed 1d processes.csv | tr -d '\r"') <(tr -d '"' <out) >differences || fail "vftr report --tree (>) differs: $(cat differences)"
    # A profile for each program.
    to_view Functions
    until_shown 'hello, 2 processes'
    keys p
    until_shown 'Profiles ('
    keys End Enter
    until_gone 'Profiles ('
    until_shown '2  0.' # calls of again
    exported functions
    expect_same "$(tr -d '\r' <functions.csv | awk -F, '$4 == "again" { print $1 }')" 2 "calls of again"
    end_tui
}

run_tests
