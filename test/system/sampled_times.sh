# SPDX-License-Identifier: BSD-3-Clause
# Times of functions by samples of the CPU time and hooks together, in tables and in vftr top.
. "${srcdir:-.}/test/system/lib.sh"
. "$srcdir/test/system/lib_samples.sh"

# The programs work until they have used 1.2 s, of which the first 0.2 to 0.4 are not sampled.
enough='#include <time.h>
#define ENOUGH (clock() > CLOCKS_PER_SEC * 12 / 10)'

test_the_time_of_hooks_is_seen() {
    needs_samples
    build tiny.c -O1 <<END
$enough
__attribute__((noinline)) long one(long i) { return i + 1; }
int main(void)
{
    long sum = 0;
    while (!ENOUGH)
        for (long i = 0; i < 100000; i++)
            sum = one(sum);
    return sum < 100000;
}
END
    run_well ./tiny
    samples_of tiny_0.vfd | awk '{ all += $1 } $2 ~ /^\[libvftrace/ { hooks += $1 } END { print hooks + 0, all + 0; exit !(all >= 100 && hooks > 0.2 * all && hooks < 0.98 * all) }' >shares ||
        fail "samples in hooks, and all: $(cat shares)"
}

# Tiny calls from a loop that works itself: without samples the loop loses all its time to what the hooks are assumed to take.
tiny_calls_program() {
    build loop.c -O1 "$@" <<END
$enough
#ifndef WHERE
#define WHERE noinline
#endif
__attribute__((noinline)) double one(double x) { return x * 1.0000001; }
static __attribute__((WHERE)) inline double loop(void)
{
    double sum = 0;
    for (long i = 0; i < 400000; i++)
        sum += one(i) / (1.0 + i * 3.0) / (2.0 + i);
    return sum;
}
static __attribute__((WHERE)) inline double straight(void)
{
    double sum = 0;
    for (long i = 1; i < 800000; i++)
        sum += 1.0 / i;
    return sum;
}
int main(void)
{
    double sum = 0;
    while (!ENOUGH)
        sum += loop() + straight();
    return sum < 0;
}
END
    run_well ./loop
    "$vftr" report --format=csv loop_0.vfd >rows || fail "no report"
}

# expect_times FUNCTION SAMPLES FUNCTION SAMPLES: the table has times of both in the proportion of their samples.
expect_times() {
    python3 - rows "$@" <<'END' >compared || fail "$(cat compared)"
import csv, sys
rows = {row['function']: row for row in csv.DictReader(open(sys.argv[1])) if row.get('function')}
samples = dict(zip(sys.argv[2::2], map(int, sys.argv[3::2])))
own = {name: float(rows[name]['exclusive_ns']) / 1e6 for name in samples}
print(own, samples)
for name in own:
    assert samples[name] >= 50, name
    share, seen = own[name] / sum(own.values()), samples[name] / sum(samples.values())
    assert abs(share - seen) < 0.1, (share, seen)
END
}

test_the_table_has_the_times_that_samples_show() {
    have python3 || skip "no python3"
    needs_samples
    tiny_calls_program
    expect_times loop "$(count loop_0.vfd loop)" straight "$(count loop_0.vfd straight)"
}

# Issue: the cost of hooks is subtracted from the callers of tiny functions until nothing is left.
test_without_samples_callers_of_tiny_functions_keep_time() {
    config '"timing_samples": "off"'
    build tiny.c -O1 <<'END'
__attribute__((noinline)) long one(long i) { return i + 1; }
__attribute__((noinline)) long loop(void)
{
    long sum = 0;
    for (long i = 0; i < 20000000; i++)
        sum = one(sum);
    return sum;
}
int main(void) { return loop() != 20000000; }
END
    run_well ./tiny
    "$vftr" report --format=csv tiny_all.vfd >rows || fail "no report"
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i } $column["function"] == "loop" { time = $column["exclusive_ns"] } END { print time; exit !(time > 2000000) }' rows >time ||
        fail "the loop of 20 million calls has $(cat time) ns"
    grep -q '^Application time: .* s (±[0-9.]* s)$' tiny_all.log || fail "the log does not say how well the application time is known: $(grep '^Application' tiny_all.log)"
}

# Issue: a 0.05 s program says that samples are too few and keeps the model.
test_a_short_program_says_that_samples_are_too_few() {
    config '"timing_samples": 1000'
    build short.c -O1 <<'END'
__attribute__((noinline)) int tiny(int i) { return i + 1; }
int main(void)
{
    int i = 0;
    while (i < 1000000)
        i = tiny(i);
    return 0;
}
END
    run_well ./short
    grep -q 'as there were too few CPU samples to tell (vftr doctor)' short_all.log || fail "the log: $(sed -n '/^What matters/,/^$/p' short_all.log)$(grep '^Note:' short_all.log)"
}

# count_in_main FUNCTION: the samples in the code of main while the function was running.
count_in_main() {
    "$vftr" dump --skip_samples --show_records loop_0.vfd |
        awk -v stack="$(sed -n "s/^ *STID\([0-9]*\) *$1<main<init\$/\1/p" loop_all.log)" '/^CPU samples, each/ { on = 1 } on && $3 == stack && $6 == "main" { n += $1 } END { print n + 0 }'
}

# Without debug information they follow from what was running.
test_samples_of_an_inlined_function_are_its_own() {
    have python3 || skip "no python3"
    needs_samples
    tiny_calls_program -DWHERE=always_inline -g0
    expect_same "$(count loop_0.vfd loop) $(count loop_0.vfd straight)" "0 0" "samples in code of inlined functions"
    expect_times loop "$(count_in_main loop)" straight "$(count_in_main straight)"
}

# Contract: with the inline chains of the debug information, a hooked function that was inlined counts as itself.
test_debug_information_tells_whose_samples_inlined_code_has() {
    have python3 || skip "no python3"
    needs_samples
    tiny_calls_program -DWHERE=always_inline -g
    expect_times loop "$(count loop_0.vfd loop)" straight "$(count loop_0.vfd straight)"
    [ "$(count loop_0.vfd main)" -lt "$(count loop_0.vfd straight)" ] || fail "main has $(count loop_0.vfd main) samples, straight $(count loop_0.vfd straight)"

    # One that is too short to be seen running: most of its calls are only counted.
    build tiny.c -O2 -g <<END
$enough
static inline __attribute__((always_inline)) double tiny(double x) { return 1 / (1 + x) / (2 + x); }
int main(void)
{
    double sum = 0;
    while (!ENOUGH)
        for (long i = 0; i < 100000; i++)
            sum += tiny(i);
    return sum < 0;
}
END
    run_well ./tiny
    [ "$(count tiny_0.vfd tiny)" -ge 20 ] || fail "tiny has $(count tiny_0.vfd tiny) samples, main $(count tiny_0.vfd main)"
}

# Most calls of the accessor pass without a hook, and what they take is a guess; the code of both loops is sampled as always.
test_with_a_budget_the_samples_show_what_no_hook_sees() {
    have python3 || skip "no python3"
    needs_samples
    config '"timing_samples": 1000, "sampling": {"active": true}, "timing": "budget"'
    build loop.c -O1 <<END
$enough
static inline double one(double x) { return x * 1.0000001; }
__attribute__((noinline)) double quick(void)
{
    double sum = 0;
    for (long i = 0; i < 2000000; i++)
        sum += one(i);
    return sum;
}
__attribute__((noinline)) double slow(void)
{
    double sum = 0;
    for (long i = 0; i < 2000000; i++)
        sum += one(i) / (1.0 + i * 3.0) / (2.0 + i);
    return sum;
}
int main(void)
{
    double sum = 0;
    while (!ENOUGH)
        sum += quick() + slow();
    return sum < 0;
}
END
    run_well ./loop
    "$vftr" report --format=csv loop_0.vfd >rows || fail "no report"
    expect_times quick "$(count loop_0.vfd quick)" slow "$(count loop_0.vfd slow)"
}

library_program() {
    build library.c -O1 -lm <<END
$enough
#include <math.h>
double curve(double x)
{
    double sum = 0;
    for (int i = 0; i < 1000; i++)
        sum += sin(x + i);
    return sum;
}
int main(void)
{
    double sum = 0;
    while (!ENOUGH)
        for (int i = 0; i < 1000; i++)
            sum += curve(i);
    return sum == 1e9;
}
END
    run_well ./library
}

test_code_without_hooks_is_seen() {
    needs_samples
    library_program
    "$vftr" dump --skip_samples --show_records library_0.vfd | awk '/^CPU samples, each/ { on = 1 } on && /\(libm/ { n += $1 } END { exit !(n > 50) }' ||
        fail "no samples in the library: $(samples_of library_0.vfd | head -5)"
}

# As a profiler by samples alone shows it: the library has the time of its samples, below the function that calls it, which has the rest.
test_code_without_hooks_has_rows() {
    have python3 || skip "no python3"
    needs_samples
    library_program
    samples_of library_0.vfd >samples
    "$vftr" export --format=json --output=profile.json library_0.vfd || fail "no export"
    python3 - profile.json samples <<'END' >compared || fail "$(cat compared)"
import json, sys
paths = json.load(open(sys.argv[1]))["profiles"][0]["call_paths"]
seen = [line.split(None, 1) for line in open(sys.argv[2])]
count = lambda wanted: sum(int(n) for n, name in seen if wanted in name)
program = count("") - count("[libvftrace") # with the stub through which curve calls the library
curve = next(path for path in paths if path["function"] == "curve")
library = [path for path in paths if path["function"].startswith("[libm.so")]
assert library, [path["function"] for path in paths]
for path in library:
    assert path["kind"] == "unhooked" and path["calls"] == 0, path
    assert path["parent"] in (curve["id"], curve["parent"]), path
of_sample = sum(path["exclusive_ns"] for path in library) / count("(libm") # a millisecond, and its part of the time before the first one
print(of_sample, curve["exclusive_ns"], program)
assert 0.95e6 < of_sample < 1.5e6
# All of it is known exactly, so the rest of it differs from its samples by what the library's scatter.
assert abs(curve["exclusive_ns"] - (program - count("(libm")) * of_sample) < 0.04 * program * of_sample
assert abs(sum(path["exclusive_ns"] for path in paths) / paths[0]["inclusive_ns"] - 1) < 1e-3
END
    grep -q '^| *---- |.*\[libm\.so\.6\]' library_all.log || fail "no row without calls: $(grep -F '[libm' library_all.log)"
    grep -q '^\[object\] function: code without hooks' library_all.log || fail "no note"
}

# Issue: vftr top from samples. The loop around a tiny function has its time, and code without hooks a row.
test_top_has_the_times_that_samples_show() {
    needs_samples
    build endless.c -O1 -lm <<'END'
#include <math.h>
__attribute__((noinline)) double one(double x) { return x * 1.0000001; }
__attribute__((noinline)) double loop(void)
{
    double sum = 0;
    for (long i = 0; i < 100000; i++)
        sum += one(i) / (1.0 + i * 3.0) / (2.0 + i);
    return sum;
}
__attribute__((noinline)) double curve(double x)
{
    for (int i = 0; i < 100000; i++)
        x = sin(x + i);
    return x;
}
int main(void)
{
    for (double sum = 0;; sum += curve(sum))
        sum = loop();
}
END
    ./endless &
    local program=$! i seen=
    for ((i = 0; i < 60 && ${#seen} == 0; i++)); do
        sleep 0.5
        "$vftr" top --count 1 --interval 0.1 --batch $program >top 2>err || continue # it may not have begun to record
        # The columns in all: calls, time, its share.
        seen=$(awk '$NF == "loop" && $6 > 5 { loop = 1 } $4 == "----" && /\[libm\.so\.6\] / && $6 > 5 { library = 1 } END { if (loop && library) print "both" }' top)
    done
    kill $program
    wait $program 2>/dev/null
    [ "$seen" = both ] || fail "the loop and the library: $(cat top err)"
}

run_tests
