# SPDX-License-Identifier: BSD-3-Clause
# Under sanitizers: timelines of many threads are cut, compressed, kept in part and copied.
. "${srcdir:-.}/test/system/sanitized/lib_sanitized.sh"

# Issue: trace size. The timeline is cut while other threads live. (What goes on recording is read without synchronisation, by design: timeline_size.sh.)
test_a_program_that_ends_before_its_threads() {
    config '"sampling": {"active": true, "sample_interval": 0}'
    sanitized stays -DCALLS=20000
    run ./stays </dev/null
    expect_no_report
    "$vftr" dump --only_header stays_0.vfd >dump 2>&1 || fail "vftr dump: $(cat dump)"
    ! grep -qE 'lost|damaged' dump || fail "the timeline is not whole: $(cat dump)"
}

# Issue: optional zstd of full segments by a helper thread; a ring mode, dumped at the end or on demand. Threads fill segments, end, and are forked
# meanwhile; what is there at the end is whole.
timelines() { # OPTION CALLS: of four threads, then of a child and of four more
    local calls=$2
    config "\"sampling\": {\"active\": true, \"sample_interval\": 0, $1}"
    sanitized fills.c -DCALLS="$calls" <<'END'
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vftrace.h>
enum { THREADS = 4 };
static int leaf(int n) { return n + 1; }
static void final(void) {}
static void *work(void *calls)
{
    for (int i = 0; i < (int)(long)calls; i++)
        leaf(i);
    final();
    return 0;
}
static void team(long calls)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, work, (void *)calls);
    for (int i = 0; i < 3; i++) {
        usleep(2000);
        vftrace_snapshot("copy.vfd");
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
}
int main(void)
{
    int status = 1;
    team(CALLS);
    pid_t child = fork();
    if (child == 0) {
        work((void *)(long)CALLS);
        return 0;
    }
    team(CALLS / 4);
    waitpid(child, &status, 0);
    return status;
}
END
    run ./fills
    expect_no_report
    expect_calls fills_all.log leaf $((5 * calls))
    expect_calls fills_all.log final 8
}
dumped() { # FILE: its calls of leaf and of final in the timeline
    run "$vftr" dump "$1"
    expect_no_report
    awk '$2 == "call" { sub(/<.*/, "", $3); n[$3]++ } END { print n["leaf"] + 0, n["final"] + 0 }' out >counted
}
test_a_thread_compresses_what_others_fill() {
    needs ZSTD
    timelines '"compress": true' 40000 # more than a segment each
    dumped fills_0.vfd
    expect_same "$(cat counted)" "200000 8" "calls of leaf and final in the timeline"
    dumped "$(ls fills_[1-9]*.vfd)"
    expect_same "$(cat counted)" "40000 1" "calls in the child's"
    run "$vftr" report copy.vfd
    expect_no_report
}
test_threads_keep_the_latest_part_while_it_is_copied() {
    timelines '"keep_last": "1 ms"' 100000 # more than two
    dumped fills_0.vfd
    read -r leaves finals <counted
    expect_same "$finals" 8 "calls of final in the timeline"
    expect_at_most "$leaves" 450000 "calls of leaf in the timeline"
    dumped "$(ls fills_[1-9]*.vfd)"
    expect_same "$(cut -d' ' -f2 counted)" 1 "calls of final in the child's"
    run "$vftr" report copy.vfd
    expect_no_report
}

run_tests
