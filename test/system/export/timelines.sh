# SPDX-License-Identifier: BSD-3-Clause
# Timelines in the formats of other tools: every call is in them, they nest, and a part of them is what was asked for.
. "${srcdir:-.}/test/system/export/lib_export.sh"

# A program with threads, recursion and an exception, and its recording with all events.
recorded_program() {
    config '"sampling": {"active": true, "sample_interval": 0}'
    if [ ! -e "$shared/prog" ]; then
        record_program
        cp prog prog_* "$shared/"
    fi
    cp "$shared"/* .
}
record_program() {
    build prog.cpp -pthread <<'END'
#include <csignal>
#include <cstring>
#include <thread>
#include <vector>
#define N __attribute__((noinline))
N int leaf(int n) { volatile int x = n; return x; }
N int fib(int n) { return n < 2 ? leaf(n) : fib(n - 1) + fib(n - 2); }
N void throws(int n) { leaf(n); throw n; }
N void catches() { try { throws(1); } catch (int) { leaf(2); } }
N void worker() { fib(10); catches(); }
N void lasts() { volatile long s = 0; for (int i = 0; i < 20000000; i++) s = s + i; }
int main(int argc, char **argv)
{
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; i++)
        threads.emplace_back(worker);
    for (auto &thread : threads)
        thread.join();
    fib(8);
    if (argc > 1 && !std::strcmp(argv[1], "killed"))
        std::raise(SIGKILL);
    lasts();
}
END
    run_well ./prog
}

# summary FILE: of a file of trace events, lines "function<TAB>calls"; fails where calls of a thread do not nest.
summary() {
    python3 - "$1" <<'END'
import collections, json, sys
file = json.load(open(sys.argv[1]))
calls, threads = collections.Counter(), collections.defaultdict(list)
for event in file['traceEvents']:
    if event['ph'] in 'XB':
        calls[event['name']] += 1
    if event['ph'] == 'X':
        begin = round(event['ts'] * 1000)
        threads[event['pid'], event['tid']].append((begin, -round(event['dur'] * 1000)))
for spans in threads.values():
    open_until = []
    for begin, length in sorted(spans):
        while open_until and open_until[-1] <= begin:
            open_until.pop()
        assert not open_until or begin - length <= open_until[-1], 'calls overlap'
        open_until.append(begin - length)
for name in sorted(calls):
    print(f'{name}\t{calls[name]}')
END
}
calls_in() { summary "$1" >calls.in || fail "$1: $(cat calls.in)"; awk -F'\t' -v f="$2" '$1 == f { n = $2 } END { print n + 0 }' calls.in; }

test_trace_events_have_every_call_and_nest() {
    have python3 || skip "no python3"
    needs RAPIDJSON
    recorded_program
    export_as chrome prog_0.vfd
    expect_same "$(cat exported)" prog_all.trace.json "the file"
    summary prog_all.trace.json >counted || fail "$(cat counted)"
    grouped_counts prog_all.log | awk -F'\t' '{ print $2 "\t" $1 }' | grep -v '^init' | LC_ALL=C sort >expected
    grep -v '^init' counted | LC_ALL=C sort | diff expected - >differences || fail "calls of the log (<) and of the timeline: $(cat differences)"
    expect_at_least "$(grep -c . expected)" 7 "functions"
    expect_same "$(calls_in prog_all.trace.json init)" 4 "threads"
}

test_calls_of_a_killed_program_stay_open() {
    have python3 || skip "no python3"
    needs RAPIDJSON
    recorded_program
    rm prog_0.vfd
    may_be_killed=yes run ./prog killed 2>shell
    export_as chrome -o killed.json ./*.tmpvfd
    grep -oE '"ph":"B"[^}]*"name":"[a-z()]*"' killed.json | grep -oE '[a-z()]*"$' >open
    expect_same "$(tr -d '\n' <open)" 'init"main"' "open calls"
    expect_same "$(calls_in killed.json 'worker()')" 3 "calls of worker"
}

test_speedscope_gets_balanced_events() {
    have python3 || skip "no python3"
    needs RAPIDJSON
    recorded_program
    export_as speedscope -o s.json prog_0.vfd
    python3 - >counted <<'END' || fail "$(cat counted)"
import collections, json
file = json.load(open('s.json'))
names = [frame['name'] for frame in file['shared']['frames']]
calls = collections.Counter()
evented = [profile for profile in file['profiles'] if profile['type'] == 'evented']
assert len(evented) == 4, len(evented)
for profile in evented:
    stack, now = [], profile['startValue']
    for event in profile['events']:
        assert now <= event['at'] <= profile['endValue']
        now = event['at']
        if event['type'] == 'O':
            stack.append(event['frame'])
            calls[names[event['frame']]] += 1
        else:
            assert stack.pop() == event['frame']
    assert not stack
assert sum(profile['type'] == 'sampled' for profile in file['profiles']) == 1
for name in sorted(calls):
    print(f'{name}\t{calls[name]}')
END
    grouped_counts prog_all.log | awk -F'\t' '{ print $2 "\t" $1 }' | grep -v '^init' | LC_ALL=C sort >expected
    grep -v '^init' counted | LC_ALL=C sort | diff expected - >differences || fail "calls of the log (<) and of the timeline: $(cat differences)"
    export_as speedscope --no-timeline -o profile.json prog_0.vfd
    ! grep -q evented profile.json || fail "a timeline in spite of --no-timeline"
}

# Issue: one profile per thread, names that sort
test_names_of_speedscopes_profiles_sort_as_threads_do() {
    have python3 || skip "no python3"
    needs RAPIDJSON
    build twelve.c -pthread <<'END'
#include <pthread.h>
static pthread_barrier_t all;
static void *work(void *unused)
{
    pthread_barrier_wait(&all);
    return unused;
}
int main(void)
{
    pthread_t threads[12];
    pthread_barrier_init(&all, 0, 12);
    for (int i = 0; i < 12; i++)
        pthread_create(threads + i, 0, work, 0);
    for (int i = 0; i < 12; i++)
        pthread_join(threads[i], 0);
    return 0;
}
END
    config '"sampling": {"active": true, "sample_interval": 0}'
    run_well ./twelve
    export_as speedscope -o s.json twelve_0.vfd
    python3 - >said 2>&1 <<'END' || fail "$(tail -1 said)"
import json
names = [profile['name'] for profile in json.load(open('s.json'))['profiles'] if profile['type'] == 'evented']
assert len(names) == 13 and names == sorted(names) and names[2].endswith('thread 02'), names
END
}

# What is half written goes, and who waits for the program sees that a signal has ended it. One that was done before the signal came is tried again.
test_a_signal_leaves_nothing_half_written() {
    needs RAPIDJSON
    local format name try
    build long.c <<'END'
static int leaf(int n) { return n; }
int main(void)
{
    for (int i = 0; i < 1500000; i++)
        leaf(i);
    return 0;
}
END
    config '"sampling": {"active": true, "sample_interval": 0}'
    run_well ./long
    mkdir written
    for format in events chrome "perfetto --split" vfd3 otf2; do
        all_formats | grep -qx "${format%% *}" || continue
        for try in 1 2 3 4 5; do
            # shellcheck disable=SC2086
            "$vftr" export --format=$format -o written/x long_0.vfd 2>err &
            until name=$(ls written) && [ -n "$name" ] || ! kill -0 $! 2>/dev/null; do sleep 0.01; done
            kill -TERM $! 2>/dev/null
            status=0
            wait $! || status=$?
            [ $status = 0 ] || break
            rm -r written/x
        done
        expect_status 143
        expect_same "$(ls written)" "" "what is left of $format, which was written as $name"
        expect_same "$(cat err)" "" "what it says"
    done
    # The signals that are ignored stay so.
    (trap '' TERM && "$vftr" export --format=events -o written/x long_0.vfd && : >done) &
    until [ -n "$(ls written)" ]; do sleep 0.01; done
    kill -TERM $!
    wait $! && [ -e done ] && [ -s written/x ] || fail "an ignored signal ends it"
}

test_a_part_of_a_timeline_is_what_was_asked_for() {
    have python3 || skip "no python3"
    needs RAPIDJSON
    recorded_program
    export_as chrome -o part.json --functions='^(leaf|worker)\(' prog_0.vfd
    summary part.json >counted || fail "$(cat counted)"
    expect_same "$(cut -f1 counted | tr '\n' ' ')" 'leaf(int) worker() ' "functions"
    export_as chrome -o part.json --threads=1,3 prog_0.vfd
    expect_same "$(calls_in part.json 'worker()')" 2 "calls of worker in two of the threads"
    expect_same "$(calls_in part.json main)" 0 "calls of main in the other threads"
    # Only lasts() takes as long as that.
    export_as chrome -o part.json --min-duration=5ms --threads=0 prog_0.vfd
    expect_same "$(calls_in part.json 'lasts()')" 1 "calls of lasts"
    expect_same "$(calls_in part.json 'fib(int)')" 0 "calls of fib"
    grep -q 'Calls shorter than 5000000 ns are left out' part.json || fail "nothing is said of short calls"
    # Where lasts() is under way, nothing else happens but what called it.
    read -r begin end < <(python3 -c '
import json
for event in json.load(open("part.json"))["traceEvents"]:
    if event["name"] == "lasts()":
        print((event["ts"] + event["dur"] * 0.25) / 1e6, (event["ts"] + event["dur"] * 0.75) / 1e6)')
    export_as chrome -o part.json --threads=0 --from="$begin" --to="$end" prog_0.vfd
    summary part.json >counted || fail "$(cat counted)"
    expect_same "$(tr '\t\n' '= ' <counted)" 'init=1 lasts()=1 main=1 ' "calls within lasts()"
    grep -q '"A part of the time only (--from, --to)' part.json && grep -q '"Of threads 0 only (--threads)"' part.json || fail "nothing is said of the part"
    export_as chrome -o part.json --ranks=0 prog_0.vfd
    grep -q '"Of ranks 0 only (--ranks)"' part.json || fail "nothing is said of the ranks"
    expect_same "$(calls_in part.json main)" 1 "calls of main on rank 0"
    run "$vftr" export --format=chrome -o part.json --ranks=5 prog_0.vfd
    expect_status 1
    grep -q 'no file is of rank 5' err || fail "$(cat err)"
}

test_the_shortest_calls_go_where_a_file_would_be_too_large() {
    have python3 || skip "no python3"
    needs RAPIDJSON
    recorded_program
    export_as chrome -o whole.json prog_0.vfd
    ! grep -q 'max-size' whole.json || fail "something is left out of a small file"
    local whole
    whole=$(stat -c %s whole.json)
    export_as chrome -o small.json --max-size=$((whole / 2000))k prog_0.vfd
    expect_at_most "$(stat -c %s small.json)" $((whole / 2)) "bytes"
    expect_at_least "$(stat -c %s small.json)" $((whole / 5)) "bytes"
    grep -qE '"[0-9]+ of [0-9]+ calls are left out, those shorter than [0-9]+ ns' small.json || fail "nothing is said of what is left out"
    expect_same "$(calls_in small.json 'lasts()')" 1 "calls of the longest function"
    export_as chrome -o - --max-size=$((whole / 2000))k prog_0.vfd
    cmp -s exported small.json || fail "standard output gets something else"
    mkfifo pipe
    cat pipe >read &
    export_as chrome -o pipe --max-size=$((whole / 2000))k prog_0.vfd
    wait
    cmp -s read small.json || fail "a FIFO gets something else"
    # Where the format has no place for it, it is said on the terminal.
    export_as events -o small.csv --max-size=10k prog_0.vfd
    grep -qE '^vftr: events: [0-9]+ of [0-9]+ calls are left out' export.err || fail "nothing is said of what is left out of a table: $(cat export.err)"
    export_as events -o some.csv --threads=0 prog_0.vfd
    expect_same "$(cat export.err)" "" "what is said of a part that was asked for"
    export_as speedscope -o small.speedscope.json --max-size=100k prog_0.vfd
    grep -qE '"vftrace_remarks":\[[^]]*"[0-9]+ of [0-9]+ calls are left out' small.speedscope.json || fail "speedscope's file says nothing of what is left out"
    # Less than the description of the threads takes: what is left has no calls.
    export_as chrome -o none.json --max-size=0.1k prog_0.vfd
    summary none.json >counted || fail "$(cat counted)"
}

test_a_sampled_timeline_nests_and_says_that_it_is_sampled() {
    have python3 || skip "no python3"
    needs RAPIDJSON
    recorded_program
    config '"sampling": {"active": true, "sample_interval": 0.000001}'
    run_well ./prog
    export_as chrome -o sampled.json prog_0.vfd
    expect_at_least "$(calls_in sampled.json 'fib(int)')" 1 "calls of fib"
    grep -q 'one event at each sampling.sample_interval' sampled.json || fail "nothing is said of the interval"
}

test_a_flight_recorder_says_that_it_has_the_latest_part() {
    needs RAPIDJSON
    recorded_program
    ! export_as chrome -o whole.json prog_0.vfd || ! grep -q keep_last whole.json || fail "a whole timeline says so, too"
    config '"sampling": {"active": true, "sample_interval": 0, "keep_last": "0.001 s"}'
    run_well ./prog
    export_as chrome -o latest.json prog_0.vfd
    grep -q 'Of each thread there is the latest part only (sampling.keep_last)' latest.json || fail "nothing is said of what is gone"
}

# Issue: progress on a terminal
test_a_terminal_sees_how_far_an_export_is_and_nobody_else() {
    have python3 || skip "no python3"
    needs RAPIDJSON
    recorded_program
    build_fast_clock
    python3 - "$vftr" "$PWD/clock.so" >seen <<'END' || fail "$(cat seen)"
import os, pty, subprocess, sys
def on_terminal(*arguments, **streams):
    terminal, its_end = pty.openpty()
    process = subprocess.Popen([sys.argv[1], 'export', '--format=chrome', *arguments, 'prog_0.vfd'], stderr=its_end, env={**os.environ, 'LD_PRELOAD': sys.argv[2]}, **streams)
    os.close(its_end)
    text = b''
    while True:
        try:
            piece = os.read(terminal, 4096)
        except OSError:  # all have closed it
            break
        if not piece:
            break
        text += piece
    assert process.wait() == 0
    return text.decode()
seen = on_terminal('-o', 'x.json')
assert 'vftr export: chrome, ' in seen and ' %' in seen, repr(seen)
assert seen.endswith('\r\033[K') and '\n' not in seen, repr(seen)
END
    [ ! -s seen ] || fail "$(cat seen)"
    run_well env LD_PRELOAD="$PWD/clock.so" "$vftr" export --format=chrome -o x.json prog_0.vfd
    [ ! -s err ] || fail "a file sees it: $(cat err)"
}

test_bad_requests_for_timelines_are_one_line() {
    needs RAPIDJSON
    recorded_program
    refused() { expect_refused "$1" "$2" "$vftr" export "${@:3}"; }
    refused 1 'has no timeline' --format=chrome prog_all.vfd
    refused 1 '--from needs a timeline' --format=folded --from=1 prog_0.vfd
    refused 2 '--ranks' --format=chrome --ranks=1- prog_0.vfd
    refused 2 '--threads' --format=chrome --threads=x prog_0.vfd
    refused 2 '--functions' --format=chrome --functions='(' prog_0.vfd
    refused 2 '--from' --format=chrome --from=-1 prog_0.vfd
    refused 2 '--to' --format=chrome --to=1h prog_0.vfd
    refused 2 '--from is after --to' --format=chrome --from=2 --to=1 prog_0.vfd
    refused 2 '--min-duration' --format=chrome --min-duration=short prog_0.vfd
    refused 2 '--max-size' --format=chrome --max-size=0 prog_0.vfd
    expect_same "$(ls -- *.json)" config.json "files"
}

run_tests
