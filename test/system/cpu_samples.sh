# SPDX-License-Identifier: BSD-3-Clause
# Samples of the CPU time that the kernel takes (the option timing_samples), as vftr dump prints them.
. "${srcdir:-.}/test/system/lib.sh"
. "$srcdir/test/system/lib_samples.sh"

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

test_each_thread_is_sampled() {
    needs_samples
    work_program
    run_well ./work 0.9 threads
    for thread in 0 1 2 3; do expect_three_to_one work_0.vfd 100 $thread; done
}

# Issue: where the kernel has no more memory for rings, the threads without one are told of.
test_threads_that_no_ring_is_left_for_are_told_of() {
    local kib processors threads
    needs_samples
    have setpriv || skip "no setpriv"
    [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -ge 0 ] || skip "rings take as much memory as they want here"
    # A user has kib for each processor, and a ring takes 36 of them.
    kib=$(cat /proc/sys/kernel/perf_event_mlock_kb) processors=$(getconf _NPROCESSORS_ONLN)
    threads=$((kib * processors / 36 + 40))
    [ "$threads" -le 1000 ] || skip "$threads threads"
    build many.c -pthread <<'END'
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
static pthread_barrier_t all;
void step(void) { usleep(10000); }
static void *work(void *unused)
{
    for (int i = 0; i < 150; i++)
        step();
    pthread_barrier_wait(&all);
    return unused;
}
int main(int argc, char **argv)
{
    const int count = atoi(argv[argc - 1]);
    pthread_t threads[1024];
    pthread_barrier_init(&all, 0, (unsigned)count);
    for (int i = 0; i < count; i++)
        if (pthread_create(&threads[i], 0, work, 0) != 0)
            return 1;
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], 0);
    return 0;
}
END
    run_well setpriv --bounding-set=-ipc_lock --inh-caps=-ipc_lock sh -c "ulimit -l 0; exec ./many $threads"
    # All of them, where other programs of the user have what is permitted.
    awk -v threads="$threads" '/ threads were not sampled: / { told = $2 > 0 && $2 <= threads + 1 } END { exit !told }' many_all.log ||
        fail "the note: $(grep sampled many_all.log)"
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
