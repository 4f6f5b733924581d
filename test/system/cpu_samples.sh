# SPDX-License-Identifier: BSD-3-Clause
# Samples of the CPU time that the kernel takes (the option timing_samples), as vftr dump prints them.
. "${srcdir:-.}/test/system/lib.sh"

# The kernel may not permit them here, as in many containers.
needs_samples() {
    instrument='' linkage=none build permitted.c <<'END'
#include <linux/perf_event.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(void)
{
    struct perf_event_attr attr;
    memset(&attr, 0, sizeof attr);
    attr.size = sizeof attr;
    attr.type = PERF_TYPE_SOFTWARE;
    attr.config = PERF_COUNT_SW_CPU_CLOCK;
    attr.sample_period = 1000000;
    attr.sample_type = PERF_SAMPLE_IP;
    attr.exclude_kernel = attr.exclude_hv = 1;
    const long event = syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
    const long bytes = sysconf(_SC_PAGESIZE) + 32768;
    return event < 0 || mmap(0, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, event, 0) == MAP_FAILED || prctl(PR_GET_SECCOMP) != 0;
}
END
    ./permitted || skip "the kernel permits no samples here"
    config '"timing_samples": 1000, "sampling": {"active": true}'
}

# The program: three times as much work in `much` as in `little`, for about SECONDS of CPU time in each of its threads, then what `then` says.
work_program() {
    build work.c -O1 <<'END'
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#define WORK(name, rounds) \
    __attribute__((noinline)) void name(void) \
    { \
        for (long i = 0; i < rounds * 100000L; i++) \
            asm volatile(""); /* in a register, as memory is written at one speed or another */ \
    }
WORK(little, 1)
WORK(much, 3)
static double seconds;
static double cpu(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec + now.tv_nsec * 1e-9;
}
void *work(void *unused)
{
    for (const double end = cpu() + seconds; cpu() < end;) {
        little();
        much();
    }
    return unused;
}
int main(int argc, char **argv)
{
    const char *const then = argc > 2 ? argv[2] : "";
    seconds = atof(argv[1]);
    work(0);
    if (!strcmp(then, "threads")) {
        pthread_t threads[3];
        for (int i = 0; i < 3; i++)
            pthread_create(&threads[i], 0, work, 0);
        for (int i = 0; i < 3; i++)
            pthread_join(threads[i], 0);
    }
    if (!strcmp(then, "fork")) {
        if (fork() == 0) {
            work(0);
            exit(0);
        }
        wait(0);
    }
    if (!strcmp(then, "exec"))
        execl(argv[0], argv[0], argv[1], (char *)0);
    if (!strcmp(then, "kill"))
        kill(getpid(), SIGKILL);
    return 0;
}
END
}

# samples_of FILE [THREAD]: lines "count function" of all its threads or of one.
samples_of() {
    "$vftr" dump --skip_samples --show_records "$1" 2>dump.err | awk -v wanted="${2-}" '
        /^Thread [0-9]/ { thread = $2 + 0; on = 0 }
        /^CPU samples, each/ { on = wanted == "" || wanted == thread; getline; next }
        !/^ *[0-9]/ { on = 0 }
        on { print $1, $6, $7 }'
}
# count FILE FUNCTION [THREAD]
count() { samples_of "$1" ${3+"$3"} | awk -v name="$2" '$2 == name { n += $1 } END { print n + 0 }'; }

# expect_three_to_one FILE LEAST [THREAD]: samples are as the work is, and there are so many.
expect_three_to_one() {
    local little much
    little=$(count "$1" little ${3+"$3"}) much=$(count "$1" much ${3+"$3"})
    [ "$((little + much))" -ge "$2" ] || fail "$1: $little and $much samples, expected at least $2: $(samples_of "$1" ${3+"$3"} | head -5)"
    awk -v a="$little" -v b="$much" 'BEGIN { exit !(b > 2 * a && b < 4.5 * a) }' || fail "$1: $little and $much samples, expected 1 : 3"
}

test_samples_are_as_the_work_is() {
    needs_samples
    work_program
    run_well ./work 0.9
    expect_three_to_one work_0.vfd 200
    # A sample belongs to the path that was running, also where that has called nothing for long.
    "$vftr" dump --skip_samples --show_records work_0.vfd | awk '/^CPU samples, each/ { on = 1 } on && $6 == "much" { n[$3] += $1 } END { for (i in n) print n[i], i }' |
        sort -rn | head -1 >most
    expect_same "$(cut -d' ' -f2 most)" "$(sed -n 's/^ *STID\([0-9]*\) *much<work<main<init$/\1/p' work_all.log)" "the stack of most samples of much"
}

test_the_time_of_hooks_is_seen() {
    needs_samples
    build tiny.c -O1 <<'END'
__attribute__((noinline)) long one(long i) { return i + 1; }
int main(void)
{
    long sum = 0;
    for (long i = 0; i < 60000000; i++)
        sum = one(sum);
    return sum != 60000000;
}
END
    run_well ./tiny
    samples_of tiny_0.vfd | awk '{ all += $1 } $2 ~ /^\[libvftrace/ { hooks += $1 } END { print hooks + 0, all + 0; exit !(all >= 100 && hooks > 0.2 * all && hooks < 0.98 * all) }' >shares ||
        fail "samples in hooks, and all: $(cat shares)"
}

# Tiny calls from a loop that works itself: without samples the loop loses all its time to what the hooks are assumed to take.
tiny_calls_program() {
    build loop.c -O1 "$@" <<'END'
#ifndef WHERE
#define WHERE noinline
#endif
__attribute__((noinline)) double one(double x) { return x * 1.0000001; }
static __attribute__((WHERE)) inline double loop(void)
{
    double sum = 0;
    for (long i = 0; i < 4000000; i++)
        sum += one(i) / (1.0 + i * 3.0) / (2.0 + i);
    return sum;
}
static __attribute__((WHERE)) inline double straight(void)
{
    double sum = 0;
    for (long i = 1; i < 8000000; i++)
        sum += 1.0 / i;
    return sum;
}
int main(void)
{
    double sum = 0;
    for (int i = 0; i < 10; i++)
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

# count_in_main FUNCTION: the samples in the code of main while the function was running.
count_in_main() {
    "$vftr" dump --skip_samples --show_records loop_0.vfd |
        awk -v stack="$(sed -n "s/^ *STID\([0-9]*\) *$1<main<init\$/\1/p" loop_all.log)" '/^CPU samples, each/ { on = 1 } on && $3 == stack && $6 == "main" { n += $1 } END { print n + 0 }'
}

test_samples_of_an_inlined_function_are_its_own() {
    have python3 || skip "no python3"
    needs_samples
    tiny_calls_program -DWHERE=always_inline
    expect_same "$(count loop_0.vfd loop) $(count loop_0.vfd straight)" "0 0" "samples in code of inlined functions"
    expect_times loop "$(count_in_main loop)" straight "$(count_in_main straight)"
}

# Most calls of the accessor pass without a hook, and what they take is a guess; the code of both loops is sampled as always.
test_with_a_budget_the_samples_show_what_no_hook_sees() {
    have python3 || skip "no python3"
    needs_samples
    config '"timing_samples": 1000, "sampling": {"active": true}, "timing": "budget"'
    build loop.c -O1 <<'END'
static inline double one(double x) { return x * 1.0000001; }
__attribute__((noinline)) double quick(void)
{
    double sum = 0;
    for (long i = 0; i < 40000000; i++)
        sum += one(i);
    return sum;
}
__attribute__((noinline)) double slow(void)
{
    double sum = 0;
    for (long i = 0; i < 40000000; i++)
        sum += one(i) / (1.0 + i * 3.0) / (2.0 + i);
    return sum;
}
int main(void)
{
    double sum = 0;
    for (int i = 0; i < 4; i++)
        sum += quick() + slow();
    return sum < 0;
}
END
    run_well ./loop
    "$vftr" report --format=csv loop_0.vfd >rows || fail "no report"
    expect_times quick "$(count loop_0.vfd quick)" slow "$(count loop_0.vfd slow)"
}

library_program() {
    build library.c -O1 -lm <<'END'
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
    for (int i = 0; i < 60000; i++)
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
assert curve["exclusive_ns"] > 0.9 * (program - count("(libm")) * of_sample # the rest is its time in the kernel
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

test_each_thread_is_sampled() {
    needs_samples
    work_program
    run_well ./work 0.9 threads
    for thread in 0 1 2 3; do expect_three_to_one work_0.vfd 100 $thread; done
}

test_forked_children_are_sampled_by_themselves() {
    needs_samples
    work_program
    run_well ./work 0.9 fork
    for file in work_*vfd; do
        case $file in *_all.vfd) continue ;; esac
        expect_three_to_one "$file" 150
    done
    expect_same "$(find . -name 'work_*.vfd' ! -name '*_all.vfd' | wc -l)" 2 "recordings"
}

test_samples_of_a_program_are_there_after_exec() {
    needs_samples
    work_program
    run_well ./work 0.9 exec
    expect_same "$(find . -name 'work*vfd' ! -name '*_all.vfd' | wc -l)" 2 "recordings"
    for file in work_*vfd; do
        case $file in *_all.vfd) continue ;; esac
        expect_three_to_one "$file" 150
    done
}

test_a_killed_process_loses_none_that_were_taken() {
    needs_samples
    work_program
    status=0
    timeout "$run_limit" ./work 0.9 kill >out 2>err || status=$?
    expect_same "$status" 137 "exit code"
    expect_three_to_one "$(find . -name 'work_*.tmpvfd')" 200
}

test_no_descriptor_stays_open() {
    needs_samples
    build open.c <<'END'
#include <dirent.h>
#include <stdio.h>
#include <time.h>
static int descriptors(void)
{
    int n = 0;
    DIR *dir = opendir("/proc/self/fd");
    while (readdir(dir))
        n++;
    closedir(dir);
    return n;
}
void work(void)
{
    for (volatile int i = 0; i < 100000; i++)
        ;
}
int main(void)
{
    const int before = descriptors();
    while (clock() < CLOCKS_PER_SEC)
        work();
    printf("%d\n", descriptors() - before);
    return 0;
}
END
    run_well ./open
    expect_same "$(cat out)" 0 "descriptors more"
    [ "$(count open_0.vfd work)" -ge 50 ] || fail "it was not sampled: $(samples_of open_0.vfd | head -3)"
}

test_the_programs_own_timer_and_event_are_not_disturbed() {
    needs_samples
    build own.c <<'END'
#include <linux/perf_event.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
static volatile int ticks;
static void on_tick(int signal) { ticks += signal == SIGPROF; }
void work(void)
{
    for (volatile int i = 0; i < 100000; i++)
        ;
}
int main(void)
{
    struct perf_event_attr attr;
    memset(&attr, 0, sizeof attr);
    attr.size = sizeof attr;
    attr.type = PERF_TYPE_SOFTWARE;
    attr.config = PERF_COUNT_SW_TASK_CLOCK;
    attr.exclude_kernel = 1;
    const int event = syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
    signal(SIGPROF, on_tick);
    const struct itimerval each = {{0, 10000}, {0, 10000}};
    setitimer(ITIMER_PROF, &each, 0);
    while (ticks < 30 || clock() < CLOCKS_PER_SEC) /* without ticks it does not end */
        work();
    long long ns = 0;
    if (read(event, &ns, sizeof ns) != sizeof ns)
        return 1;
    printf("%d\n", ns > 200000000);
    return 0;
}
END
    run_well ./own
    expect_same "$(cat out)" 1 "whether the event has counted enough time"
    [ "$(count own_0.vfd work)" -ge 100 ] || fail "it was not sampled: $(samples_of own_0.vfd | head -3)"
}

# What the kernel does not permit is left out, without a word and without another try in each thread.
test_without_permission_everything_else_is_as_always() {
    config '"timing_samples": "auto", "sampling": {"active": true}'
    build boxed.c <<'END'
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
void work(void)
{
    for (volatile int i = 0; i < 100000; i++)
        ;
}
__attribute__((constructor, no_instrument_function)) static void box(void)
{
    struct sock_filter filter[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
                                   BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 0, 1),
                                   BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
                                   BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
    struct sock_fprog program = {4, filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
        _exit(77);
}
int main(void)
{
    for (int i = 0; i < 2000; i++)
        work();
    return 0;
}
END
    run ./boxed
    [ "$status" != 77 ] || skip "no seccomp filters here"
    expect_same "$status" 0 "exit code"
    expect_same "$(cat err)" "" "messages"
    expect_calls boxed_all.log work 2000
    expect_same "$(samples_of boxed_0.vfd)" "" "samples"
}

test_they_are_taken_as_often_as_wanted() {
    needs_samples
    work_program
    config '"timing_samples": 100, "sampling": {"active": true}'
    run_well ./work 2.3
    expect_three_to_one work_0.vfd 100
    samples_of work_0.vfd | awk '{ n += $1 } END { print n; exit n > 240 }' >number || fail "$(cat number) samples, one of 10 ms, in less than 2.4 s"
    "$vftr" dump --skip_samples --show_records work_0.vfd | grep -q '^CPU samples, each [^ ]* *10' || fail "what a sample stands for: $("$vftr" dump --skip_samples --show_records work_0.vfd | grep '^CPU samples')"
}

# As often as takes no more than 0.2 % of the time where a sample takes 1 to 20 µs.
test_they_are_taken_as_often_as_takes_little_time() {
    needs_samples
    work_program
    config '"timing_samples": "auto", "sampling": {"active": true}'
    run_well ./work 2
    "$vftr" dump --skip_samples --show_records work_0.vfd | sed -n 's/^CPU samples, each of \([0-9]*\) ns:$/\1/p' >each
    awk '{ exit !($1 >= 999000 && $1 <= 20000000) }' each || fail "a sample each $(cat each) ns: $("$vftr" dump --skip_samples --show_records work_0.vfd | grep '^CPU samples')"
    samples_of work_0.vfd | awk -v each="$(cat each)" '{ n += $1 } END { print n; exit !(n * each > 1.2e9 && n * each < 2.1e9) }' >number || fail "$(cat number) samples, one of $(cat each) ns, in 2 s"
}

test_there_are_none_where_they_are_off_and_of_short_processes() {
    work_program
    for options in '"timing_samples": "off" 0.6' '"timing_samples": "auto" 0.05'; do
        config "${options% *}, \"sampling\": {\"active\": true}"
        run_well ./work "${options##* }"
        expect_same "$(samples_of work_0.vfd)" "" "samples"
        ! "$vftr" dump --skip_samples --show_records work_0.vfd | grep -q '^cpusample' || fail "there is a segment of samples"
    done
}

run_tests
