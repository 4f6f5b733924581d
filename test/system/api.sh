# SPDX-License-Identifier: BSD-3-Clause
# The user API: the call path, pause and resume, programs that are not instrumented, Fortran; with their edge cases.
. "${srcdir:-.}/test/system/lib.sh"

test_get_stack_gives_the_call_path() {
    config
    build stack.c <<'END'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <vftrace.h>
static void print(const char *what) { char *stack = vftrace_get_stack(); printf("%s: %s\n", what, stack); free(stack); }
static void inner(void) { print("inner"); }
static void *work(void *unused) { inner(); return unused; }
int main(void)
{
    pthread_t thread;
    inner();
    vftrace_region_begin("region");
    inner();
    vftrace_region_end("region");
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    return 0;
}
END
    run_well ./stack
    expect_same "$(cat out)" "inner: print<inner<main<init
inner: print<inner<region<main<init
inner: print<inner<work<init" "output"
}

test_get_stack_is_empty_when_off_before_the_start_and_after_the_end() {
    config
    build empty.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <vftrace.h>
#define QUIET __attribute__((no_instrument_function))
static void QUIET show(const char *when)
{
    char *stack = vftrace_get_stack();
    if (!stack)
        _exit(9);
    dprintf(1, "%s '%s'\n", when, stack);
    free(stack);
    vftrace_region_begin("r");
    vftrace_pause();
    vftrace_resume();
    vftrace_region_end("r");
}
__attribute__((constructor)) static QUIET void before(void) { show("before"); }
__attribute__((destructor)) static QUIET void after(void) { show("after"); }
int main(void) { show("main"); return 0; }
END
    VFTR_OFF=1 run_well ./empty
    expect_same "$(cat out)" "before ''
main ''
after ''" "output when off"
    expect_same "$(echo ./*.log ./*vfd)" "./*.log ./*vfd" "files when off"
    run_well ./empty
    expect_same "$(sed -n 1,2p out)" "before ''
main 'main<init'" "output"
    # Destructors may still belong to the recording.
    expect_at_least "$(calls_of empty_all.log r)" 1 "regions"
    config '"off": true'
    run_well ./empty
    expect_same "$(cat out)" "before ''
main ''
after ''" "output when off by the configuration"
}

test_nothing_is_recorded_while_paused_and_the_pause_is_an_entry() {
    config
    build pauses.c <<'END'
#include <time.h>
#include <vftrace.h>
static void leaf(void) {}
static void hidden(void) { leaf(); }
static void shown(void) { leaf(); }
static void ends_the_pause(void) { vftrace_resume(); leaf(); }
int main(void)
{
    struct timespec time = {0, 200000000};
    shown();
    for (int i = 0; i < 3; i++) {
        vftrace_pause();
        vftrace_pause();
        hidden();
        if (i == 0)
            nanosleep(&time, 0);
        vftrace_resume();
        vftrace_resume();
        shown();
    }
    vftrace_pause();
    ends_the_pause();
    shown();
    return 0;
}
END
    run_well ./pauses
    expect_calls pauses_all.log hidden 0
    expect_calls pauses_all.log shown 5
    expect_calls pauses_all.log leaf 6
    expect_calls pauses_all.log main 1
    expect_calls pauses_all.log vftrace_pause 4
    # Paused time belongs to the pause, which slept for 0.2 s, and not to main.
    awk -F'|' '/Grouped/ { on = 1 } on && NF > 6 { gsub(/ /, ""); time[$6] = $3 } END { exit !(time["vftrace_pause"] >= 0.2 && time["main"] < time["vftrace_pause"] / 2) }' pauses_all.log ||
        fail "main has time of the pauses: $(sed -n '/Grouped/,/^$/p' pauses_all.log)"
}

# Issue: `vftrace_get_stack()` in a pause gives `vftrace_pause<…`. Of functions that are entered in it nothing is known; another thread is
# paused as well, also before its next event.
test_the_call_path_in_a_pause_is_that_of_the_pause() {
    config
    build asked.c <<'END'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <vftrace.h>
static pthread_barrier_t step;
__attribute__((no_instrument_function)) static void show(void)
{
    char *stack = vftrace_get_stack();
    puts(stack ? stack : "none");
    free(stack);
}
static void *other(void *unused)
{
    pthread_barrier_wait(&step);
    pthread_barrier_wait(&step);
    show();
    pthread_barrier_wait(&step);
    pthread_barrier_wait(&step);
    return unused;
}
static void hidden(void) { show(); }
static void work(void)
{
    vftrace_pause();
    hidden();
    show();
}
int main(void)
{
    pthread_t thread;
    pthread_barrier_init(&step, NULL, 2);
    pthread_create(&thread, NULL, other, NULL);
    pthread_barrier_wait(&step);
    work();
    pthread_barrier_wait(&step);
    pthread_barrier_wait(&step);
    vftrace_resume();
    show();
    pthread_barrier_wait(&step);
    pthread_join(thread, NULL);
    return 0;
}
END
    run_well ./asked
    expect_same "$(cat out)" "vftrace_pause<work<main<init
vftrace_pause<work<main<init
vftrace_pause<other<init
main<init" "call paths"
    expect_stack asked_all.log 'vftrace_pause<work<main<init'
}

test_a_pause_without_a_resume_and_a_resume_without_a_pause_do_no_harm() {
    config
    build unpaired.c <<'END'
#include <vftrace.h>
static void leaf(void) {}
static void deep(void) { leaf(); vftrace_pause(); leaf(); }
int main(void)
{
    vftrace_resume();
    leaf();
    deep();
    leaf();
    return 0;
}
END
    run_well ./unpaired
    expect_calls unpaired_all.log leaf 2
    expect_calls unpaired_all.log deep 1
}

test_the_api_works_in_a_program_that_is_not_instrumented() {
    config
    instrument= build plain.c <<'END'
#include <vftrace.h>
int main(void)
{
    for (int i = 0; i < 7; i++) {
        vftrace_region_begin("only");
        vftrace_region_end("only");
    }
    return 0;
}
END
    run_well ./plain
    expect_calls plain_all.log only 7
}

test_the_api_keeps_errno() {
    config
    build errors.c <<'END'
#include <errno.h>
#include <stdlib.h>
#include <vftrace.h>
int main(void)
{
    errno = 33;
    vftrace_region_begin("r");
    free(vftrace_get_stack());
    vftrace_pause();
    vftrace_resume();
    vftrace_region_end("r");
    vftrace_region_end("none");
    return errno != 33;
}
END
    run ./errors
    expect_status 0
}

test_the_fortran_module_does_the_same() {
    have "${FC:-gfortran}" && [ -e "$builddir/vftrace.mod" ] || skip "no Fortran"
    config
    build fort.F90 <<'END'
module things
  use vftrace
  implicit none
contains
  subroutine leaf()
  end subroutine
  subroutine work()
    character(len=:), pointer :: stack
    call vftrace_region_begin("phase one   ")
    call leaf()
    stack => vftrace_get_stack()
    print '(a,i0)', stack, len(stack)
    deallocate (stack)
    call vftrace_region_end("phase one")
    call vftrace_pause()
    call leaf()
    call vftrace_resume()
    call leaf()
  end subroutine
end module
program fort
  use things
  implicit none
  call work()
  call leaf()
end program
END
    run_well ./fort
    local own
    own=$(stacks_of fort_all.log | sed -n 's/^leaf<phase one<//p;s/^.*leaf<phase one<//p')
    expect_same "$(awk '{ print $1, $2 }' out)" "phase one<things::work<MAIN<main<init37" "the stack and its length"
    expect_calls fort_all.log 'phase one' 1
    expect_calls fort_all.log vftrace_pause 1
    [ -n "$own" ] || fail "no leaf in the region: $(stacks_of fort_all.log)"
}

run_tests
