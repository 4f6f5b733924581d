# SPDX-License-Identifier: BSD-3-Clause
# Viewers with a window show what the log has: speedscope (SPEEDSCOPE, the folder of its npm package) in Chromium, and Chromium's own DevTools.
. "${srcdir:-.}/test/system/export/lib_export.sh"

export PYTHONDONTWRITEBYTECODE=1

test_speedscope_shows_the_times_of_the_log() {
    [ -d "${SPEEDSCOPE:-}" ] || skip "no speedscope"
    have chromium || skip "no Chromium"
    have python3 || skip "no python3"
    needs RAPIDJSON
    build prog.cpp <<'END'
#define N __attribute__((noinline))
template <class T> struct Box { N void work(T n) { volatile T s = 0; for (T i = 0; i < n; i++) s = s + i; } };
N void shorter() { Box<int>().work(3000000); }
N void longer() { for (int i = 0; i < 3; i++) Box<long>().work(3000000); }
int main() { shorter(); longer(); }
END
    config '"sampling": {"active": true, "sample_interval": 0}'
    run_well ./prog
    export_as speedscope --no-timeline -o profile.speedscope.json prog_all.vfd
    export_as speedscope -o timeline.speedscope.json prog_0.vfd
    export_as folded -o prog.folded prog_all.vfd
    export_as callgrind -o callgrind.out.1 prog_all.vfd
    export_as chrome -o prog.trace.json prog_0.vfd
    ! has PROTOZERO || ! has ZLIB || export_as pprof -o prog.pb.gz prog_all.vfd
    # shellcheck disable=SC2046
    python3 "$srcdir/test/system/export/speedscope.py" "$SPEEDSCOPE" profile.speedscope.json timeline.speedscope.json prog.folded \
        callgrind.out.1 prog.trace.json $(ls prog.pb.gz 2>/dev/null) >shown 2>err || fail "$(tail -3 err)"
    # The times of both functions, as far as their digits are shown: those of the log and, as a timeline has waits for a core in it, those of its events.
    export_as csv -o rows prog_all.vfd
    tr -d '\r' <rows | awk -F, '$5 ~ /^Box/ { print $5 "\t" $7 }' >log
    tr '{' '\n' <prog.trace.json | sed -nE 's/.*"name":"(Box[^"]*)","dur":([0-9]*)[.]([0-9]*).*/\1\t\2\3/p' |
        awk -F'\t' '{ ns[$1] += $2 } END { for (f in ns) print f "\t" ns[f] }' >events
    expect_same "$(wc -l <log) $(wc -l <events)" "2 2" "functions in the log and in the timeline"
    awk -F'\t' '
        FILENAME == "log" { time["profile", $1] = $2; next }
        FILENAME == "events" { time["timeline", $1] = $2; next }
        { expected = time[$1 ~ /timeline|trace/ ? "timeline" : "profile", $2] }
        expected > 0 {
            found[$1]++
            off = $3 / expected - 1
            if (off > 0.01 || off < -0.01) print $1 ": " $2 " has " $3 " ns, not " expected
        }
        END { for (file in found) print file, found[file] > "functions" }' log events shown >wrong
    [ ! -s wrong ] || fail "$(cat wrong)"
    expect_same "$(LC_ALL=C sort functions | tr '\n' ' ')" \
        "callgrind.out.1 2 profile.speedscope.json 2 prog.folded 2 $([ ! -e prog.pb.gz ] || echo 'prog.pb.gz 2 ')prog.trace.json 2 timeline.speedscope.json 2 " "files with both functions"
}

# Issue: DevTools or chrome://tracing in Chromium
test_devtools_have_the_calls_of_the_log_on_each_thread() {
    have chromium || skip "no Chromium"
    have python3 || skip "no python3"
    needs RAPIDJSON
    build prog.cpp -pthread <<'END'
#include <thread>
#include <vector>
#define N __attribute__((noinline))
template <class T> struct Box { N T leaf(T n) { volatile T x = n; return x; } };
N int fib(int n) { return n < 2 ? Box<int>().leaf(n) : fib(n - 1) + fib(n - 2); }
N void worker() { fib(7); Box<long>().leaf(1); }
int main()
{
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; i++)
        threads.emplace_back(worker);
    for (auto &thread : threads)
        thread.join();
    fib(5);
}
END
    config '"sampling": {"active": true, "sample_interval": 0}'
    run_well ./prog
    export_as chrome -o prog.trace.json prog_0.vfd
    python3 "$srcdir/test/system/export/devtools.py" prog.trace.json >shown 2>err
    case $? in
    0) ;;
    77) skip "these DevTools have another model of traces" ;;
    *) fail "$(tail -3 err)" ;;
    esac
    awk -F'\t' '$3 != "init" { n[$3] += $4 } END { for (f in n) print n[f] "\t" f }' shown | LC_ALL=C sort >calls
    grouped_counts prog_all.log | grep -v 'init$' | LC_ALL=C sort | diff - calls >differences || fail "calls of the log (<) and of DevTools (>): $(cat differences)"
    expect_same "$(awk -F'\t' '$3 == "worker()" { print $2 ":" $4 }' shown | LC_ALL=C sort | tr '\n' ' ')" 'thread 1:1 thread 2:1 thread 3:1 ' "threads with their calls of worker"
    export_as events -o - prog_0.vfd
    tr -d '\r' <exported | awk -F, '$7 == "fib(int)" { ns += $5 } END { print ns + 0 }' >expected
    expect_same "$(awk -F'\t' '$3 == "fib(int)" { ns += $5 } END { print ns + 0 }' shown)" "$(cat expected)" "nanoseconds of fib"
}

run_tests
