# SPDX-License-Identifier: BSD-3-Clause
# How long single calls take, as programs record it (profile_table.show_distribution).
. "${srcdir:-.}/test/system/lib.sh"

# Calls of a known distribution by CPU time, so that a call never takes less, whatever else runs: 900 of 10 µs, 90 of 100 µs, 10 of 2 ms; THREADS threads do so.
# tiny is called a million times by each, and most of its calls are only counted. With "kill" it kills itself in the end.
write_spread() {
    cat >spread.c <<'END'
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
__attribute__((no_instrument_function)) static long cpu(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec * 1000000000L + t.tv_nsec;
}
__attribute__((noinline)) void work(long ns) { for (long end = cpu() + ns; cpu() < end;); }
__attribute__((noinline)) long tiny(long x) { __asm__ volatile("" : "+r"(x)); return x; }
void *calls(void *unused)
{
    for (int i = 0; i < 900; i++) work(10000);
    for (int i = 0; i < 90; i++) work(100000);
    for (int i = 0; i < 10; i++) work(2000000);
    for (long i = 0; i < 1000000; i++) tiny(i);
    return unused;
}
int main(int argc, char **argv)
{
    int threads = argc > 1 ? atoi(argv[1]) : 1;
    pthread_t thread[8];
    for (int i = 1; i < threads; i++) pthread_create(&thread[i], 0, calls, 0);
    calls(0);
    for (int i = 1; i < threads; i++) pthread_join(thread[i], 0);
    if (argc > 2 && !strcmp(argv[2], "kill")) kill(getpid(), SIGKILL);
    return 0;
}
END
}
with_distribution() { config "$@" && sed -i 's/"profile_table": {/&"show_distribution": true, /' config.json; }

# expect_spread FILE TIMES: what the file knows of the calls of work on all its paths, that many times, and of tiny.
expect_spread() {
    "$vftr" export --format=json --output=profile.json "$1" || fail "no export of $1"
    python3 - "$2" "$srcdir/share_src/vftrace-export.schema.json" <<'END' >told || fail "$(cat told)"
import json, sys
times = int(sys.argv[1])
profile = json.load(open("profile.json"))
try:
    import jsonschema
    jsonschema.Draft202012Validator(json.load(open(sys.argv[2]))).validate(profile)
except ImportError:
    pass
paths = profile["profiles"][0]["call_paths"]
for path in paths:
    if path["function"] in ("work", "tiny"):
        print({key: value for key, value in path.items() if "call" in key})
work = [path for path in paths if path["function"] == "work"]
# Beside other work, short calls that were preempted are left out.
assert 800 * times <= sum(path["timed_calls"] for path in work) <= 1000 * times, "calls of work"
for path in work:
    # Within a class, and half of one; a call is as long as what it was asked for, or longer.
    least = dict(median=8e3, p90=8e3, p99=80e3, longest=2e6)
    for name, ns in least.items():
        key = name + "_call_ns"
        assert path[key] >= ns, key
    assert path["median_call_ns"] < 90e3, "half of the calls take a tenth of that"
    assert path["shortest_call_ns"] <= path["median_call_ns"] <= path["p90_call_ns"] <= path["p99_call_ns"] <= path["longest_call_ns"]
tiny = [path for path in paths if path["function"] == "tiny"]
known = sum(path["timed_calls"] for path in tiny)
assert 0.8e6 * times < known < 1.02e6 * times, "calls of tiny"
assert all(path["median_call_ns"] < 5e3 for path in tiny)
END
}

test_single_calls_have_the_distribution_that_the_program_gives_them() {
    have python3 || skip "no python3"
    write_spread
    build spread -O1
    for timing in exact adaptive; do
        with_distribution "\"timing\": \"$timing\""
        run_well ./spread 1
        expect_spread spread_all.vfd 1
        grep -q '| *median *|' spread_all.log || fail "no columns: $(grep -A4 '^Runtime profile$' spread_all.log)"
        grep -q '^min, median, 90 %, 99 %, max: .* that were timed' spread_all.log || fail "no note"
        report spread_all.vfd
        diff spread_all.log report || fail "the report differs from the log"
        run_well "$vftr" report --histogram='^work$' spread_all.vfd
        grep -q '^| *1000 | .* work |$' out || fail "no row: $(cat out)"
        expect_same "$(awk '$2 ~ /s$/ && $3 ~ /^[0-9]+$/ { sum += $3 } END { print sum }' out)" "$(awk -F'|' '/ work / { print $3 + 0 }' out)" "calls in the histogram"
    done
}

test_threads_are_added_up_and_a_kill_loses_nothing() {
    have python3 || skip "no python3"
    write_spread
    build spread -O1
    with_distribution
    run_well ./spread 3
    expect_spread spread_all.vfd 3
    rm -f spread_*
    may_be_killed=yes run ./spread 2 kill
    expect_status 137
    expect_spread "$(ls spread_*.tmpvfd)" 2
}

# Nothing is recorded unless it is asked for.
test_without_the_option_there_are_none() {
    write_spread
    build spread -O1
    config '"sampling": {"active": true}'
    run_well ./spread 1
    run_well "$vftr" export --format=json spread_all.vfd
    ! grep -q 'median_call_ns' out || fail "there are durations"
    run "$vftr" report --histogram='^work$' spread_0.vfd
    expect_status 1
    grep -q 'durations of single calls are not known' err || fail "it says: $(cat err)"
}

run_tests
