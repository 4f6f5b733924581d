# SPDX-License-Identifier: BSD-3-Clause
# Timelines for Perfetto: protoc decodes them, and what perfetto_check.py finds in them is what the program did and what the log says.
. "${srcdir:-.}/test/system/lib.sh"
. "$srcdir/test/system/export/lib_perfetto.sh"

threads_program() {
    if [ ! -e "$shared/threads" ]; then
        build_threads
        cp threads "$shared/"
    fi
    cp "$shared/threads" .
}
build_threads() {
    build threads.cpp -pthread <<'END'
#include <map>
#include <string>
#include <thread>
#include <vector>
#define N __attribute__((noinline))
template <class T, char c> struct Box { N int operator()(const std::map<std::string, T> &) const { return c; } };
N int deep(int n) { volatile int x = n; return n == 0 ? 0 : deep(n - 1) + x - x; }
N int operator<<=(Box<int, ';'>, int n) { return n; }
N int größe(int n) { return n; }
N void work(int n)
{
    for (int i = 0; i < 100 * n; i++)
        größe(Box<int, '"'>()({}) + (Box<int, ';'>() <<= i));
    deep(200);
}
int main()
{
    std::vector<std::thread> threads;
    for (int i = 1; i <= 5; i++)
        threads.emplace_back(work, i);
    for (auto &thread : threads)
        thread.join();
    return 0;
}
END
}

test_calls_nest_and_are_those_of_the_log() {
    threads_program
    every_event '"include_cxx_prelude": true, "max_recursion": 5000'
    run_well ./threads
    perfetto trace threads_0.vfd
    checked trace
    same_calls trace threads_all.log
    expect_same "$(found trace thread | wc -l)" 6 "threads"
    expect_same "$(found trace open)" "" "what stays open"
    found trace note | grep -q '^Times of the timeline contain' || fail "no note about times: $(found trace note)"
    found trace call | grep -q 'größe' || fail "no größe: $(found trace call)"
    found trace process | grep -qE "^[0-9]+	.*threads \([0-9]+\)	$(uname -n), pid [0-9]+$" || fail "process: $(found trace process)"
    perfetto again threads_0.vfd
    cmp -s trace again || fail "two exports differ"
}

# What the checker must find, each time in a trace that is right without it.
test_the_checker_sees_what_is_wrong() {
    threads_program
    every_event
    run_well ./threads
    perfetto trace threads_0.vfd
    checked trace
    wrong() { # COMPLAINT AWK-PROGRAM
        awk "$2" trace.txt >changed
        ! cmp -s trace.txt changed || fail "nothing was changed for: $1"
        ! python3 "$srcdir/test/support/perfetto_check.py" <changed >/dev/null 2>check.err || fail "the checker does not see: $1"
        grep -qF -- "$1" check.err || fail "not '$1': $(cat check.err)"
    }
    wrong 'has flags 3' '/sequence_flags: 3/ && !n++ { sub(/3/, "2") } 1'
    wrong 'has flags 2' '/sequence_flags: 2/ && ++n == 9 { sub(/2/, "3") } 1'
    wrong 'is not defined' '/^ *name_iid: / && ++n == 9 { sub(/[0-9]+$/, "999") } 1'
    wrong 'an end without a begin' '/TYPE_SLICE_BEGIN/ && ++n == 20 { sub(/BEGIN/, "END") } 1'
    wrong 'defined twice' '/^ *iid: / { if (++n == 8) $0 = last; last = $0 } 1'
    wrong 'clocks [' '/clock_id: 1$/ && !n++ { sub(/1$/, "2") } 1'
    wrong 'two sequences of one track' '/track_uuid: / { if (++n == 3) $0 = last; last = $0 } 1'
    wrong 'a slice begins or ends before' '/^  timestamp: / && ++n == 30 { sub(/[0-9]+$/, "-9000") } 1'
    wrong 'a field without a name' '/^  sequence_flags/ && ++n == 30 { print "  99: 1" } 1'
}

test_calls_of_a_killed_process_stay_open() {
    build killed.c <<'END'
#include <stdio.h>
#include <unistd.h>
void waits(void) { printf("%d\n", getpid()); fflush(stdout); pause(); }
void returns(void) { }
int main(void) { returns(); waits(); return 0; }
END
    every_event
    begin ./killed
    kill -9 "$pid"
    wait "$job" 2>/dev/null
    exec 9>&-
    perfetto trace ./*.tmpvfd
    checked trace
    expect_same "$(found trace open | tr '\n' ' ')" "init main waits " "what stays open"
    expect_same "$(found trace call | sed -n 's/	returns$//p')" 1 "calls of returns"
    found trace note | grep -q 'was killed' || fail "no note about the end: $(found trace note)"
}

# Of each function the profile has the time and the calls that a table of it has.
test_a_run_without_a_timeline_is_its_profile() {
    threads_program
    config '"include_cxx_prelude": true, "max_recursion": 5000'
    run_well ./threads
    perfetto trace threads_all.vfd
    checked trace
    "$vftr" export --format=csv -o - threads_all.vfd | tr -d '\r' | python3 -c '
import csv, sys, collections
ns, calls = collections.Counter(), collections.Counter()
for row in csv.DictReader(sys.stdin):
    ns[row["function"]] += int(row["exclusive_ns"])
    calls[row["function"]] += int(row["calls"])
for function in calls:
    print(function, ns[function], calls[function], sep="\t")' | LC_ALL=C sort >expected
    expect_at_least "$(wc -l <expected)" 6 "functions"
    found trace sample | LC_ALL=C sort | diff expected - >differences || fail "csv (<) and Perfetto (>): $(head -6 differences)"
    found trace note | grep -q '^This is a profile without a timeline' || fail "no note: $(found trace note)"
    expect_same "$(found trace call)" "" "slices of calls"
    awk '/^ *frame_ids: / && ++n == 5 { sub(/[0-9]+$/, "999") } 1' trace.txt >changed
    ! python3 "$srcdir/test/support/perfetto_check.py" <changed >/dev/null 2>check.err || fail "the checker does not see a frame that is not defined"
    grep -q 'frame 999 is not defined' check.err || fail "$(cat check.err)"
    # Also where there is one, if that is wanted.
    rm -f ./*.vfd
    every_event
    run_well ./threads
    perfetto trace --no-timeline --each-rank threads_0.vfd
    checked trace
    found trace sample | grep -q '^deep(int)' || fail "no deep: $(cat trace.found)"
    expect_same "$(found trace process | wc -l)" 1 "processes"
}

test_what_cannot_be_written_is_one_line_and_leaves_nothing() {
    threads_program
    config
    run_well ./threads
    run "$vftr" export --format=perfetto --from=1 -o trace threads_all.vfd
    expect_status 1
    expect_same "$(wc -l <err)" 1 "lines: $(cat err)"
    grep -q 'needs a timeline' err || fail "$(cat err)"
    expect_no_file trace
    rm -f ./*.vfd
    every_event
    run_well ./threads
    perfetto trace threads_0.vfd
    mkfifo pipe
    cat pipe >read &
    perfetto pipe threads_0.vfd
    wait $!
    cmp -s read trace || fail "a FIFO gets something else than a file"
    perfetto - threads_0.vfd >read
    cmp -s read trace || fail "standard output gets something else than a file"
    run sh -c '"$0" export --format=perfetto -o - threads_0.vfd >/dev/full' "$vftr"
    expect_status 1
    grep -q 'No space left on device' err || fail "$(cat err)"
}

# A part, and a timeline that is smaller than all of it: the checker finds nothing wrong, and the file says what it lacks.
test_parts_of_a_timeline() {
    threads_program
    every_event '"max_recursion": 5000'
    run_well ./threads
    perfetto trace --functions='^deep' --threads=2 threads_0.vfd
    checked trace
    expect_same "$(found trace call)" "201	deep(int)" "calls of deep"
    expect_same "$(found trace thread | wc -l)" 1 "threads"
    perfetto trace --functions='^there is none of this name$' threads_0.vfd
    checked trace
    expect_same "$(found trace call)" "" "calls"
    perfetto trace --max-size=20k threads_0.vfd
    checked trace
    expect_at_most "$(stat -c %s trace)" 20000 "bytes"
    found trace note | grep -q 'calls are left out' || fail "no note about what is left out: $(found trace note)"
    head -c $(($(stat -c %s threads_0.vfd) * 2 / 3)) threads_0.vfd >cut.vfd
    run "$vftr" export --format=perfetto -o of_cut cut.vfd
    expect_status 1
    expect_same "$(wc -l <err)" 1 "lines: $(cat err)"
    expect_no_file of_cut
}

run_tests
