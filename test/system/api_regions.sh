# SPDX-License-Identifier: BSD-3-Clause
# The user API: regions that begin and end by a call, from C and C++; with their edge cases.
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

run_tests
