# SPDX-License-Identifier: BSD-3-Clause
# Callbacks instead of files: when there are files, and when there are none.
. "${srcdir:-.}/test/system/lib.sh"
. "$srcdir/test/system/embedding/embedding.sh"

# embedding.md: no callback → files as stand-alone
test_without_callbacks_the_files_are_those_of_any_program() {
    config
    workload
    run_well ./work
    expect_calls work_all.log leaf 2011
    expect_file work_all.vfd
    expect_same "$(cat out)" 'enters 0 leaves 0 leaf 0 region 0 0 modules 0 threads 0 0 finished 0 vanished 0 wrong 0' counts
}

# The choice of the sink is made once.
test_callbacks_that_come_late_are_added_to_the_files() {
    embedder late.c <<'END'
#include "embedder.h"
static void leaf(void) {}
int main(void)
{
    leaf();
    if (embed("el") != VFTRACE_FILES_TOO)
        return 1;
    for (int i = 0; i < 10; i++)
        leaf();
    if (vftrace_set_callbacks(0) != VFTRACE_FILES_TOO)
        return 2;
    leaf();
    printf("%ld %ld\n", enters, leaves);
    return 0;
}
END
    config
    run_well ./late
    expect_same "$(cat out)" '10 10' 'events'
    expect_calls late_all.log leaf 12
}
test_cleared_callbacks_do_not_bring_files() {
    embedder cleared.c <<'END'
#include "embedder.h"
static void leaf(void) {}
int main(void)
{
    embed("elf");
    leaf();
    if (vftrace_set_callbacks(0) != VFTRACE_OK)
        return 1;
    leaf();
    printf("%ld %ld %ld\n", enters, leaves, finishes);
    return 0;
}
END
    run_well ./cleared
    expect_same "$(cat out)" '1 1 0' 'events'
    expect_no_file_of_ours
}

# embedding.md: files and callbacks together: an explicit option
test_files_and_callbacks_together_have_the_same_calls() {
    embedder both.c <<'END'
#include "embedder.h"
static void leaf(void) {}
static void fib(int n) { if (n > 1) fib(n - 1), fib(n - 2); }
int main(void)
{
    struct vftrace_callbacks c = callbacks_of("elELMsxf");
    c.flags = VFTRACE_WITH_FILES;
    if (vftrace_set_callbacks(&c) < 0)
        return 1;
    for (int i = 0; i < 50; i++)
        leaf();
    fib(10);
    vftrace_region_begin("r");
    vftrace_region_end("r");
    report();
    return 0;
}
END
    for more in '' '"sampling": {"active": true, "sample_interval": 0}'; do
        config "$more"
        run_well ./both
        expect_same "$(cat out)" 'enters 227 leaves 227 leaf 50 region 1 1 modules 1 threads 1 0 finished 0 vanished 0 wrong 0' counts
        expect_calls both_all.log fib 177
        expect_calls both_all.log leaf 50
    done
    "$vftr" dump both_0.vfd >dump || fail 'vftr dump'
    rm -f both*vfd both*log
}

test_a_forked_child_delivers_and_leaves_no_file() {
    embedder forks.c <<'END'
#include "embedder.h"
#include <sys/wait.h>
static void leaf(void) {}
int main(void)
{
    int status = 0;
    embed("elMsf");
    leaf();
    pid_t child = fork();
    for (int i = 0; i < 5; i++)
        leaf();
    if (child == 0) {
        vftrace_shutdown();
        report();
        exit(7);
    }
    waitpid(child, &status, 0);
    return WEXITSTATUS(status) != 7 || enters != 6;
}
END
    run_well ./forks
    expect_same "$(cat out)" 'enters 6 leaves 6 leaf 6 region 0 0 modules 2 threads 2 0 finished 1 vanished 0 wrong 0' "the child's counts"
    expect_no_file_of_ours
}

# Preloaded, it stands behind the C library, which the program needs itself.
test_an_embedder_is_preloaded_into_programs_that_know_nothing_of_it() {
    instrument='' embedder preloaded.c -shared -fPIC <<'END'
#include "embedder.h"
__attribute__((constructor)) static void begin(void) { embed("elf"); }
__attribute__((destructor)) static void end(void) { vftrace_region_begin("end"); }
END
    instrument='' linkage=none build unknowing.c -pthread <<'END'
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <sys/wait.h>
#include <threads.h>
#include <ucontext.h>
#include <unistd.h>
static void *run(void *arg) { return arg; }
static int run_c11(void *arg) { return !!arg; }
static ucontext_t here, there;
static void other(void) { swapcontext(&there, &here); }
int main(void)
{
    static char stack[65536];
    pthread_t thread;
    thrd_t c11;
    jmp_buf buffer;
    int status;
    if (pthread_create(&thread, 0, run, 0) || pthread_join(thread, 0) || thrd_create(&c11, run_c11, 0) || thrd_join(c11, 0))
        return 1;
    if (!setjmp(buffer))
        longjmp(buffer, 1);
    getcontext(&there);
    there.uc_stack.ss_sp = stack;
    there.uc_stack.ss_size = sizeof stack;
    makecontext(&there, other, 0);
    swapcontext(&here, &there);
    const pid_t child = fork();
    if (child == 0)
        execlp("true", "true", (char *)0);
    waitpid(child, &status, 0);
    printf("%d\n", status);
    return 3;
}
END
    run env LD_PRELOAD="$PWD/preloaded" ./unknowing
    expect_ending 3 0
    expect_silence
    run_well env LD_PRELOAD="$PWD/preloaded" timeout 300 sh -c 'echo a | cat'
    expect_same "$(cat out)" a 'output of the pipe'
    expect_no_file_of_ours
}

run_tests
