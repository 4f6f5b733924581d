# SPDX-License-Identifier: BSD-3-Clause
# The user API from C, C++ and Fortran: regions, pause and resume, the stack; with their edge cases.
. "${srcdir:-.}/test/system/lib.sh"

test_two_regions_in_one_function_and_nested_ones_are_counted() {
    config
    check() {
        build regions.c <<'END'
#include <vftrace.h>
static void leaf(void) {}
static void work(void)
{
    vftrace_region_begin("first");
    leaf();
    vftrace_region_end("first");
    vftrace_region_begin("second");
    vftrace_region_begin("inner");
    leaf();
    vftrace_region_end("inner");
    leaf();
    vftrace_region_end("second");
}
int main(void)
{
    for (int i = 0; i < 25; i++)
        work();
    return 0;
}
END
        run_well ./regions
        for region in first second inner work; do expect_calls regions_all.log "$region" 25; done
        expect_calls regions_all.log leaf 75
        expect_stack regions_all.log 'leaf<first<work<main<init'
        expect_stack regions_all.log 'leaf<inner<second<work<main<init'
        expect_stack regions_all.log 'leaf<second<work<main<init'
    }
    for linkage in shared static; do
        check
    done
}

test_crossed_region_ends_are_told_once_and_repaired() {
    config
    build crossed.c <<'END'
#include <vftrace.h>
static void leaf(void) {}
int main(void)
{
    for (int i = 0; i < 10; i++) {
        vftrace_region_begin("a");
        vftrace_region_begin("b");
        vftrace_region_end("a");
        leaf();
        vftrace_region_end("b");
    }
    leaf();
    return 0;
}
END
    run ./crossed
    expect_status 0
    expect_said_once vftrace:
    expect_calls crossed_all.log a 10
    expect_calls crossed_all.log b 10
    expect_calls crossed_all.log leaf 11
    expect_calls crossed_all.log main 1
    expect_stack crossed_all.log 'leaf<main<init'
}

test_an_unmatched_region_end_is_told_once() {
    config
    build unmatched.c <<'END'
#include <vftrace.h>
static void leaf(void) {}
int main(void)
{
    for (int i = 0; i < 10; i++) {
        vftrace_region_end("never begun");
        leaf();
    }
    vftrace_region_begin("left open");
    leaf();
    return 0;
}
END
    run ./unmatched
    expect_status 0
    expect_said_once vftrace:
    expect_calls unmatched_all.log leaf 11
    expect_calls unmatched_all.log 'left open' 1
    expect_calls unmatched_all.log 'never begun' 0
}

test_a_region_may_begin_and_end_in_different_functions() {
    config
    build split.c <<'END'
#include <vftrace.h>
static void leaf(void) {}
static void begin(void) { vftrace_region_begin("phase"); }
static void end(void) { vftrace_region_end("phase"); }
int main(void)
{
    for (int i = 0; i < 5; i++) {
        begin();
        leaf();
        end();
        leaf();
    }
    return 0;
}
END
    run_well ./split
    expect_calls split_all.log phase 5
    expect_calls split_all.log leaf 10
    expect_calls split_all.log begin 5
    expect_calls split_all.log end 5
    expect_calls split_all.log main 1
    expect_at_most "$(stacks_of split_all.log | wc -l)" 9 "call stacks"
}

test_regions_of_any_name_and_from_many_threads() {
    config
    build names.c <<'END'
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <vftrace.h>
static void *work(void *number)
{
    char name[64];
    for (int i = 0; i < 100; i++) {
        snprintf(name, sizeof name, "region %d", i % 10);
        vftrace_region_begin(name);
        memset(name, 'x', sizeof name - 1); /* the name was copied */
        snprintf(name, sizeof name, "region %d", i % 10);
        vftrace_region_end(name);
    }
    return number;
}
int main(void)
{
    pthread_t threads[4];
    char many[20];
    for (long i = 0; i < 4; i++)
        pthread_create(&threads[i], 0, work, 0);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], 0);
    vftrace_region_begin("");
    vftrace_region_end("");
    vftrace_region_begin(0);
    vftrace_region_end(0);
    vftrace_region_begin("a | b\n\t\"c\" %s");
    vftrace_region_end("a | b\n\t\"c\" %s");
    static char huge[100000];
    memset(huge, 'h', sizeof huge - 1);
    vftrace_region_begin(huge);
    vftrace_region_end(huge);
    for (int i = 0; i < 5000; i++) {
        snprintf(many, sizeof many, "many %d", i);
        vftrace_region_begin(many);
        vftrace_region_end(many);
    }
    return 0;
}
END
    run_well ./names
    for i in 0 5 9; do expect_calls names_all.log "region $i" 40; done
    expect_calls names_all.log 'many 4999' 1
    expect_same "$(grouped_counts names_all.log | grep -c 'many ')" 5000 "regions"
}

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
    # Paused time belongs to no function: main takes less than the 0.2 s.
    local own
    own=$(awk -F'|' '/Grouped/ { on = 1 } on && $6 ~ /^ *main *$/ { print int($3 * 1000) }' pauses_all.log)
    expect_at_most "$own" 150 "milliseconds of main itself"
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
    expect_same "$(awk '{ print $1, $2 }' out)" "phase one<__things_MOD_work<MAIN__<main<init44" "the stack and its length"
    expect_calls fort_all.log 'phase one' 1
    expect_calls fort_all.log vftrace_pause 1
    [ -n "$own" ] || fail "no leaf in the region: $(stacks_of fort_all.log)"
}

run_tests
