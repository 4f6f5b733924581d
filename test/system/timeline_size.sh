# SPDX-License-Identifier: BSD-3-Clause
# Timelines that are compressed, and those of which only the latest part is kept.
. "${srcdir:-.}/test/system/lib.sh"

compressed='"sampling": {"active": true, "sample_interval": 0, "compress": true}'
latest='"sampling": {"active": true, "sample_interval": 0, "keep_last": "1 MiB"}'

dump() {
    "$vftr" dump "$@" >dump 2>dump.err || fail "vftr dump $*: $(cat dump.err)"
}
samples() { awk -v kind="$1" -v stack="$2" '$1 ~ /^[0-9.]+$/ && $2 == kind && $3 == stack' dump | wc -l; }

# ./many [CALLS] [end]: so many calls of leaf and, with an end, what then becomes of the process.
program() {
    build many.c <<'END2'
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static void leaf(void) {}
static void last(void) {}
static void work(int n) { for (int i = 0; i < n; i++) leaf(); last(); }
int main(int argc, char **argv)
{
    const char *end = argc > 2 ? argv[2] : "";
    int n = atoi(argv[1]);
    if (strcmp(end, "fork") == 0 && fork() != 0) {
        int status;
        wait(&status);
        work(n);
        return status;
    }
    work(n);
    if (strcmp(end, "kill") == 0)
        raise(SIGKILL);
    if (strcmp(end, "_exit") == 0)
        _exit(0);
    if (strcmp(end, "wait") == 0) {
        printf("%d\n", (int)getpid());
        fflush(stdout);
        getchar();
    }
    return 0;
}
END2
}

# What a handler jumps out of goes on in another part of the file, which is not to be as large as if the one before were full.
test_a_timeline_stays_small_where_handlers_jump_out_of_hooks() {
    build jumps_out_of_hooks
    config '"sampling": {"active": true, "sample_interval": 0}'
    run_well ./jumps_out_of_hooks 300
    dump jumps_out_of_hooks_0.vfd
    expect_at_least "$(samples call 'mark<main<init')" 100000 'calls of mark in the timeline'
    expect_at_most "$(stat -c %s jumps_out_of_hooks_0.vfd)" 40000000 'bytes of the recording'
}

# Issue: optional zstd of full segments by a helper thread.
test_a_compressed_timeline_is_smaller_and_says_the_same() {
    needs ZSTD
    program
    config '"sampling": {"active": true, "sample_interval": 0}'
    run_well ./many 600000
    plain=$(du -k many_0.vfd | cut -f1)
    rm -f many_*
    program
    config "$compressed"
    run_well ./many 600000
    expect_calls many_all.log leaf 600000
    expect_at_most "$(du -k many_0.vfd | cut -f1)" $((plain * 2 / 3)) "KiB of the compressed file; the plain one has $plain"
    dump many_0.vfd
    expect_same "$(samples call 'leaf<work<main<init')" 600000 "calls in the stream"
    expect_same "$(samples exit 'leaf<work<main<init')" 600000 "exits in the stream"
}

# Issue: trace size. What the last segment of a thread has room for and does not use is not in the file, or has no blocks.
test_a_timeline_ends_at_what_is_used() {
    local file
    program
    config '"sampling": {"active": true, "sample_interval": 0}'
    run_well ./many 600000
    expect_at_least "$(tail -c 4096 many_0.vfd | tr -d '\0' | wc -c)" 1 "bytes that are not 0 in the last page of the file"
    dump many_0.vfd
    expect_same "$(samples exit 'leaf<work<main<init')" 600000 "exits in the stream"
    # 1.9 to 3.1 bytes per call, which the clock decides, end in the first half of a thread's third segment.
    build team.c <<'END2'
#include <pthread.h>
static void leaf(void) {}
static void *work(void *p) { for (int i = 0; i < 110000; i++) leaf(); return p; }
int main(void)
{
    pthread_t threads[8];
    for (int i = 0; i < 8; i++)
        pthread_create(&threads[i], 0, work, 0);
    for (int i = 0; i < 8; i++)
        pthread_join(threads[i], 0);
    return 0;
}
END2
    run_well ./team
    dump team_0.vfd
    expect_same "$(samples exit 'leaf<work<init')" 880000 "exits in the streams"
    truncate -s 1M holes && fallocate -p -o 0 -l 65536 holes 2>/dev/null || return 0
    file=$(stat -c %s team_0.vfd)
    expect_at_most $(($(stat -c %b team_0.vfd) * 512)) $((file * 3 / 4)) "bytes on disk of a file of $file"
}

# The timeline is cut while other threads write to it.
test_a_program_ends_while_its_threads_write_events() {
    local i
    config '"sampling": {"active": true, "sample_interval": 0}'
    build busy.c <<'END2'
#include <pthread.h>
#include <unistd.h>
static void leaf(void) {}
static void *work(void *unused)
{
    for (;;)
        leaf();
    return unused;
}
int main(void)
{
    pthread_t thread;
    for (int i = 0; i < 4; i++)
        pthread_create(&thread, 0, work, 0);
    usleep(20000);
    return 0;
}
END2
    for i in 1 2 3; do
        run_well ./busy
        dump --only_header busy_0.vfd
        ! grep -qE 'lost|damaged' dump || fail "the timeline is not whole: $(cat dump)"
        rm -f busy_*
    done
}

# Issue: a crash leaves each segment once; exec, _exit and fork are safe.
test_a_compressed_timeline_survives_every_end() {
    needs ZSTD
    program
    config "$compressed"
    may_be_killed=1 run ./many 300000 kill
    expect_status 137
    dump many_*.tmpvfd
    expect_same "$(samples exit 'leaf<work<main<init')" 300000 "exits in the stream after kill -9"
    rm -f many_*
    program
    run_well ./many 300000 _exit
    dump many_*.*vfd
    expect_same "$(samples exit 'leaf<work<main<init')" 300000 "exits in the stream after _exit"
    rm -f many_*
    program
    run_well ./many 200000 fork
    for file in many_0.vfd many_[1-9]*.vfd; do
        dump "$file"
        expect_same "$(samples exit 'leaf<work<main<init')" 200000 "exits in $file"
    done
}

test_a_flight_recorder_is_not_compressed_and_says_so_once() {
    program
    config '"sampling": {"active": true, "keep_last": "1 MiB", "compress": true}'
    run ./many 10 fork
    expect_status 0
    expect_said_once 'sampling.compress: not together with sampling.keep_last; the timeline is not compressed'
}

# Issue: a ring mode as a flight recorder, dumped at the end or on demand.
test_a_flight_recorder_keeps_the_latest_part_and_a_complete_profile() {
    program
    config "$latest"
    run_well ./many 2000000
    expect_calls many_all.log leaf 2000000
    expect_at_most "$(stat -c %s many_0.vfd)" 2500000 "bytes of the file"
    dump many_0.vfd
    grep -q '^The samples of thread 0 begin at .* what came before was not kept' dump || fail "it does not say since when: $(head -20 dump)"
    expect_same "$(samples call 'last<work<main<init')" 1 "calls of the last function"
    expect_same "$(samples call 'work<main<init')" 1 "enters of the function around"
    expect_same "$(samples exit 'main<init')" 1 "exits of main"
    expect_at_least "$(samples exit 'leaf<work<main<init')" 200000 "exits that are kept"
}

# Issue: `keep_last`: seconds or MiB. Whatever limit is asked for, what fits on a small disk is the latest part.
test_a_flight_recorder_on_a_full_disk_keeps_the_latest_part() {
    local keep
    [ "$(id -u)" = 0 ] || skip "mounting a small file system needs root"
    mkdir disk
    mount -t tmpfs -o size=1m tmpfs disk 2>/dev/null || skip "cannot mount a tmpfs"
    trap 'umount disk' EXIT
    program
    for keep in '20 ms' '60 min' '1 MiB' '16 MiB'; do
        config '"sampling": {"active": true, "sample_interval": 0, "keep_last": "'"$keep"'"}, "output_directory": "'"$PWD"'/disk"'
        run ./many 3000000
        expect_status 0
        expect_at_most "$(grep -c 'cannot extend' err)" 1 "warnings that the file cannot grow"
        dump disk/many_0.vfd
        expect_same "$(samples exit 'last<work<main<init')" 1 "exits of the last function, keep_last $keep"
        expect_same "$(samples call 'main<init')" 1 "enters of main, keep_last $keep"
        expect_at_least "$(samples exit 'leaf<work<main<init')" "$([ "$keep" = '20 ms' ] && echo 1000 || echo 70000)" "exits that are kept, keep_last $keep"
        rm -rf disk/*
    done
}

test_a_flight_recorder_is_read_while_the_process_runs_and_after_kill_9() {
    program
    config "$latest"
    begin ./many 2000000 wait
    dump many_*.tmpvfd
    expect_same "$(samples exit 'last<work<main<init')" 1 "exits of the last function, of a process that runs"
    expect_same "$(samples call 'main<init')" 1 "enters of main"
    end_it
    expect_status 0
    rm -f many_*
    program
    may_be_killed=1 run ./many 2000000 kill
    expect_status 137
    dump many_*.tmpvfd
    expect_same "$(samples exit 'last<work<main<init')" 1 "exits of the last function after kill -9"
    run "$vftr" recover many_*.tmpvfd
    expect_status 0
    dump many_*.vfd
    grep -q '^The samples of thread 0 begin at' dump || fail "the recovered file does not say since when"
}

# Issue: dumped on demand.
test_a_snapshot_is_a_file_of_its_own() {
    config "$latest"
    build odd.c <<'END2'
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vftrace.h>
static volatile int over;
static void leaf(void) {}
static void odd(void) {}
static void *other(void *unused) { while (!over) leaf(); return unused; }
static void handle(void)
{
    odd();
    errno = 77;
    printf("%d %d", vftrace_snapshot("odd.vfd"), errno);
    mkfifo("pipe", 0600);
    printf(" %d %d %d %d\n", vftrace_snapshot(NULL), vftrace_snapshot(""), vftrace_snapshot("not/there.vfd"), vftrace_snapshot("pipe"));
    char own[64], longest[256];
    snprintf(own, sizeof own, "odd_%d.tmpvfd", getpid());
    memset(longest, 'x', 255);
    longest[255] = 0;
    printf("%d %d\n", vftrace_snapshot(own), vftrace_snapshot(longest));
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, other, 0);
    for (int i = 0; i < 200000; i++)
        leaf();
    handle();
    for (int i = 0; i < 600000; i++)
        leaf();
    over = 1;
    pthread_join(thread, 0);
    return 0;
}
END2
    run ./odd
    expect_status 0
    expect_same "$(xargs <out)" '0 77 -1 -1 -5 -5 -5 0' "what vftrace_snapshot returns"
    expect_said_once 'odd_[0-9]*.tmpvfd is not replaced, as it is the recording itself'
    expect_said_once 'vftrace_snapshot: cannot write not/there.vfd'
    expect_said_once 'pipe is not replaced'
    [ -p pipe ] || fail "the pipe is gone"
    dump odd.vfd
    expect_same "$(samples exit 'odd<handle<main<init')" 1 "exits of the odd function in the snapshot"
    expect_same "$(samples call 'handle<main<init')" 1 "enters of the function that is under way"
    expect_same "$(samples exit 'handle<main<init')" 0 "exits of it"
    dump odd_0.vfd
    expect_same "$(samples exit 'odd<handle<main<init')" 0 "exits of the odd function at the end"
    report odd.vfd
    expect_at_least "$(calls_of report leaf)" 200000 "calls of leaf in the snapshot"
    expect_calls report odd 1
    expect_calls report main 1
    # Issue: `vftr report own.vfd snap.vfd` of one process was refused.
    run "$vftr" report odd_0.vfd odd.vfd
    expect_status 0
    expect_same "$(cat err)" 'vftr: odd.vfd is left out: it is a snapshot, and odd_0.vfd has what it has' "message"
    cp odd_0.vfd copy.vfd
    run "$vftr" report odd_0.vfd copy.vfd
    expect_status 1
    grep -q '^vftr: .* are of the same process, one a copy of the other: give one of them$' err || fail "a copy is not told: $(cat err)"
}

# vftrace.h: the file that was there is replaced by a whole one.
test_threads_take_snapshots_into_one_file() {
    config "$latest"
    build shared.c <<'END2'
#include <pthread.h>
#include <stdio.h>
#include <vftrace.h>
static void leaf(void) {}
static void *work(void *failed)
{
    for (int i = 0; i < 100; i++) {
        leaf();
        if (vftrace_snapshot("same.vfd") != 0)
            __atomic_add_fetch((int *)failed, 1, __ATOMIC_RELAXED);
    }
    return 0;
}
int main(void)
{
    int failed = 0;
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], 0, work, &failed);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], 0);
    printf("%d\n", failed);
    return 0;
}
END2
    run_well ./shared
    expect_same "$(cat out)" 0 "snapshots that failed"
    dump same.vfd
    expect_same "$(ls same*)" same.vfd "files of snapshots"
}

# Where libzstd is not installed, or vftrace was built without it.
test_without_libzstd_the_timeline_is_not_compressed_and_says_so_once() {
    config "$compressed"
    program
    as_if_missing libzstd.so.1 ./many 300000 fork
    expect_status 0
    expect_said_once 'sampling.compress: .*the timeline is not compressed'
    dump many_0.vfd
    expect_same "$(samples exit 'leaf<work<main<init')" 300000 "exits in the stream"
    needs ZSTD
    rm -f many_*
    program
    run_well ./many 600000
    as_if_missing libzstd.so.1 "$vftr" dump many_0.vfd
    expect_status 1
    expect_same "$(cat err)" "vftr: many_0.vfd: its events are compressed, and libzstd.so.1, which is needed to read them, cannot be loaded" "what vftr says"
    as_if_missing libzstd.so.1 "$vftr" report many_0.vfd # needs no events
    expect_status 0
    mv out report
    expect_calls report leaf 600000
}

run_tests
