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
    run_limit=20
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

run_tests
