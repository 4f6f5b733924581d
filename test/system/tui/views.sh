# SPDX-License-Identifier: BSD-3-Clause
# vftr tui: what its views show, and what keys do there. Views of MPI jobs: ../mpi/tui.sh.
. "${srcdir:-.}/test/system/lib.sh"
. "$srcdir/test/system/lib_tui.sh"

test_figures_are_those_of_the_report() {
    show_calls 100 30 --view functions
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

# same_rows DIFF.csv VIEW.csv: each row and column of the exported view is that of vftr diff.
same_rows() {
    python3 - "$1" "$2" <<'END_OF_PYTHON' || fail "the rows of $2 differ: $(screen)"
import csv, sys
known, shown = (list(csv.DictReader(open(path, newline=""))) for path in sys.argv[1:])
assert len(known) == len(shown) > 5, (len(known), len(shown))
name = "path" if "path" in known[0] else "function"
columns = [column for column in shown[0] if column in known[0]]
assert {"base", "new", "ratio", "verdict"} <= set(columns), columns
ours, theirs = (sorted([row[column] for column in columns] for row in rows) for rows in (known, shown))
assert ours == theirs, (ours, theirs)
END_OF_PYTHON
}

test_two_runs_have_the_rows_of_their_comparison() {
    needs BOOST_MATH
    recorded
    sed -i 's/"profile_table": {/&"show_distribution": true, /' config.json
    mkdir before after
    run_well ./calls
    run_well "$vftr" report --format=json calls_all.vfd
    mv out calls.json
    mv calls_all.vfd before
    run_well ./calls
    mv calls_all.vfd after
    run_well "$vftr" diff --format=csv -o functions.diff before after
    run_well "$vftr" diff --format=csv --paths -o paths.diff before after
    terminal 120 30
    begin_tui before --versus after
    until_shown '1 Difference'
    until_shown ' s, then ' # whichever verdict
    exported difference
    head -1 difference.csv | grep -q 'p99_call_difference_ns' || fail "no durations of single calls: $(head -1 difference.csv)"
    same_rows functions.diff difference.csv
    to_view 'Changed paths'
    keys '*'
    until_shown 'leaf'
    exported paths
    same_rows paths.diff paths.csv
    to_view Functions
    until_shown 'new: '
    keys p && until_shown 'base: '
    keys Down Enter
    until_gone 'Profiles ('
    exported functions
    figures calls.json functions functions.csv
    end_tui
    expect_refused 2 'give the files of both sides' "$vftr" tui before --versus
    expect_refused 2 '--versus stands once' "$vftr" tui before --versus after --versus before
    expect_refused 1 'missing' "$vftr" tui before --versus missing
}

test_callers_are_those_of_the_call_graph() {
    show_calls 80 24 --view functions
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
    show_calls 80 24 --view tree
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
    show_calls 80 24 --view functions
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
    show_calls 120 60
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
