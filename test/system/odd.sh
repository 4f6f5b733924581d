# SPDX-License-Identifier: BSD-3-Clause
# Odd circumstances: names, stacks, pipes and limits that few programs have, and that must not harm those that do.
. "${srcdir:-.}/test/system/lib.sh"

program() {
    build prog.c "$@" <<'END'
#include <stdio.h>
#include <unistd.h>
static int leaf(int n) { return n & 1; }
int main(int argc, char **argv)
{
    int sum = 0;
    if (argc > 1)
        unlink(argv[0]);
    for (int i = 0; i < 1000; i++)
        sum += leaf(i);
    printf("%d\n", sum);
    return 3;
}
END
}
expect_untouched() {
    expect_status 3
    expect_same "$(cat out)" 500 "output of the program"
}

test_a_pipe_that_nobody_writes_into_is_no_configuration_to_wait_for() {
    program
    mkfifo pipe
    VFTR_CONFIG=pipe run ./prog
    expect_untouched
    expect_said_once 'cannot be read: nothing comes out of it'
}

test_a_pipe_can_be_the_configuration() {
    program
    VFTR_CONFIG=/dev/fd/5 run ./prog 5< <(sleep 0.3; echo '{"outfile_basename": "piped"}')
    expect_untouched
    expect_silence
    expect_file piped_all.log
}

test_a_name_as_long_as_a_file_system_takes_gives_results() {
    config
    program
    local name
    name=$(printf 'n%.0s' {1..255})
    mv prog "$name"
    run "./$name"
    expect_untouched
    expect_silence
    expect_calls "$(echo n*_all.log)" leaf 1000
}

test_an_executable_that_deletes_itself_keeps_its_name() {
    config
    program
    sed -i 's/^int main/__attribute__((no_instrument_function)) &/' prog.c
    $cc -g -finstrument-functions prog.c -o prog $(link_flags) || fail "$cc"
    run ./prog now
    expect_untouched
    expect_silence
    expect_calls prog_all.log leaf 1000
}

# Exceptions within the library need its unwind tables, which gcc -static does not announce.
test_no_memory_left_at_the_end_is_one_warning() {
    for linkage in shared archive static static-pie; do
        build hoards.c <<'END'
#include <stdlib.h>
#include <sys/resource.h>
static int leaf(int n) { return n; }
int main(void)
{
    struct rlimit nothing = {0, 0};
    leaf(1);
    setrlimit(RLIMIT_DATA, &nothing);
    for (size_t size = 1 << 20; size; size /= 2)
        while (malloc(size))
            ;
    return leaf(4);
}
END
        run ./hoards
        expect_status 4
        expect_said_once 'no profile is written'
        report hoards_*.tmpvfd
        rm -f -- *vfd
    done
}

test_the_first_call_may_stand_on_a_small_stack() {
    config
    build small.c <<'END'
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#define BARE __attribute__((no_instrument_function))
static int leaf(int n) { return n; }
static void handler(int signal) { leaf(signal); }
static void leave(volatile char *space, int n) { if (n) { volatile char more[1000]; more[0] = *space; leave(more, n - 1); } else exit(6); }
static void *thread(void *unused) { leaf(1); leave("", 7); return unused; }
/* `size` bytes with nothing mapped below. */
BARE static char *small_stack(size_t size)
{
    size_t room = 1 << 20;
    char *place = mmap(0, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(place, room - size, PROT_NONE);
    return place + room - size;
}
BARE int main(int argc, char **argv)
{
    (void)argv;
    if (argc > 1) {
        size_t size = (sysconf(_SC_MINSIGSTKSZ) + 3000 + 4095) / 4096 * 4096;
        stack_t stack = {.ss_sp = small_stack(size), .ss_size = size};
        struct sigaction action = {.sa_handler = handler, .sa_flags = SA_ONSTACK};
        sigaltstack(&stack, 0);
        sigaction(SIGUSR1, &action, 0);
        raise(SIGUSR1);
        return 6;
    }
    pthread_attr_t attributes;
    pthread_t id;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 16384);
    pthread_create(&id, &attributes, thread, 0);
    pthread_join(id, 0);
    return 1;
}
END
    for how in thread handler; do
        run ./small ${how#thread}
        expect_status 6
        expect_silence
        expect_calls small_all.log leaf 1
    done
}

# Two threads, so that the allocator takes its locks; nearly all time is spent within it.
test_exit_in_a_handler_that_interrupts_malloc_ends_the_program() {
    config
    run_limit=60
    build interrupted.c <<'END'
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>
static int leaf(int n) { return n; }
static void handler(int signal) { (void)signal; exit(leaf(5)); }
static void *idle(void *unused) { pause(); return unused; }
int main(void)
{
    struct itimerval soon = {{0, 0}, {0, 50000}};
    pthread_t id;
    sigset_t alarm;
    sigemptyset(&alarm);
    sigaddset(&alarm, SIGALRM);
    pthread_sigmask(SIG_BLOCK, &alarm, 0);
    pthread_create(&id, 0, idle, 0);
    pthread_sigmask(SIG_UNBLOCK, &alarm, 0);
    signal(SIGALRM, handler);
    setitimer(ITIMER_REAL, &soon, 0);
    for (;;) {
        void *blocks[100];
        for (int i = 0; i < 100; i++)
            blocks[i] = malloc(3000);
        for (int i = 0; i < 100; i++)
            free(blocks[i]);
    }
}
END
    for i in 1 2 3 4 5; do
        run ./interrupted
        expect_status 5
        if [ -e interrupted_all.log ]; then
            expect_silence
        else
            expect_said_once 'exit was called by a signal handler within malloc'
            report interrupted_*.tmpvfd
            mv report interrupted_all.log
        fi
        expect_calls interrupted_all.log leaf 1
        rm -f -- *.vfd *.tmpvfd *.log
    done
}

# Issue: a rare futex denial aborts.
# The C library ends a program in which a lock must wait and may not. So the program here takes none: its threads begin before, and end with it.
test_a_program_that_may_not_use_futexes_comes_to_its_end() {
    local sampled error
    build denied.c -I"$srcdir/test/system/programs" <<'END'
#include "sandbox.h"
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <vftrace.h>
static atomic_int round_now, done;
#define FUNCTION(n) static int leaf##n(int x) { return x + n; }
#define FUNCTIONS(n) FUNCTION(n##0) FUNCTION(n##1) FUNCTION(n##2) FUNCTION(n##3)
FUNCTIONS(1) FUNCTIONS(2) FUNCTIONS(3) FUNCTIONS(4)
#define NAMES(n) leaf##n##0, leaf##n##1, leaf##n##2, leaf##n##3
static int (*const leaves[])(int) = {NAMES(1), NAMES(2), NAMES(3), NAMES(4)};
static void work(void)
{
    for (int i = 0; i < 320; i++)
        leaves[i % 16](i);
}
__attribute__((no_instrument_function)) static void *live(void *early)
{
    if (early)
        work();
    for (int seen = 0; seen < 3; done++) {
        while (round_now == seen)
            sched_yield();
        seen = round_now;
        work();
    }
    for (;;)
        sched_yield();
    return 0;
}
int main(int count, char **arguments)
{
    pthread_t thread;
    for (long i = 0; i < 4; i++)
        if (pthread_create(&thread, 0, live, (void *)(i % 2)))
            return 2;
    if (answer_with(atoi(arguments[count - 1]), These, (int[]){SYS_futex}, 1))
        return 77;
    for (int i = 1; i < 4; i++) {
        done = 0;
        round_now = i;
        work();
        vftrace_region_begin("a region");
        vftrace_region_end("a region");
        while (done < 4)
            sched_yield();
        if (i == 2)
            vftrace_snapshot("snapshot.vfd");
    }
    return 0;
}
END
    for sampled in false true; do
        config '"sampling": {"active": '$sampled', "compress": true}, "filter": {"exclude": {"functions": "leaf.*3$"}}'
        for error in 1 13 38; do # EPERM, EACCES, ENOSYS
            rm -f denied_*
            run ./denied $error
            [ "$status" != 77 ] || skip "no seccomp filters here"
            [ "$status" = 0 ] || fail "sampling $sampled, error $error: exit code $status: $(cat err)"
            expect_at_least "$(calls_of denied_all.log leaf40)" 300 "calls of leaf40" # 20 by each of 5 threads, in three rounds, and by two before
            expect_file snapshot.vfd
        done
    done
}

# The thread that compresses would ask the kernel to wait again and again.
test_where_futexes_are_denied_no_thread_of_ours_uses_up_a_processor() {
    needs ZSTD
    config '"sampling": {"active": true, "compress": true}'
    build sleeps.c -I"$srcdir/test/system/programs" <<'END'
#include "sandbox.h"
#include <errno.h>
#include <stdio.h>
#include <time.h>
static int leaf(int n) { return n + 1; }
int main(void)
{
    leaf(1);
    if (answer_with(EPERM, These, (int[]){SYS_futex}, 1))
        return 77;
    clock_t before = clock();
    sleep(2);
    printf("%ld\n", (long)((clock() - before) * 1000 / CLOCKS_PER_SEC));
    return leaf(-1);
}
END
    run_well ./sleeps
    expect_at_most "$(cat out)" 100 "milliseconds of processor time while it slept for 2000"
}

run_tests
