# SPDX-License-Identifier: BSD-3-Clause
# LLVM's OpenMP runtime in programs that fork, have tools of their own, pause, ask for their path, or load.
. "${srcdir:-.}/test/system/lib.sh"
. "$srcdir/test/system/openmp/openmp.sh"
. "$srcdir/test/system/openmp/clang.sh"

# In the child there is one thread, and none of the parent's paths are its own but the one that forked.
test_a_program_that_forks_between_and_within_regions() {
    config
    build_forks -DFORKER=1 -DCHILD_THREADS=2
    run_well ./forks
    expect_calls forks_all.log child 3
    expect_calls forks_all.log leaf 4
    local child children=0 leaves=0
    for child in forks_[0-9]*.tmpvfd; do
        report "$child"
        expect_calls report in_child 1
        leaves=$((leaves + $(calls_of report leaf)))
        stacks_of report | grep -q '^in_child<child<.*main<init$' || fail "the child has no path: $(stacks_of report)"
        children=$((children + 1))
    done
    expect_same $children 3 'recordings of children'
    expect_same $leaves 7 'calls in children'
}

# Issue: no cost where no OpenMP is used; switched off, nothing of it is there. The program is the same with and without us.
test_openmp_that_is_off_and_tools_of_others() {
    build_off -rdynamic
    config '"openmp": {"active": false}'
    run_well ./off
    expect_same "$(cat out)" '4 0' output
    expect_calls off_all.log leaf 8
    expect_no_stack off_all.log 'omp '
    VFTR_OFF=1 run_well ./off
    expect_same "$(cat out)" '4 0' output
    config
    OMP_TOOL=disabled run_well ./off
    expect_same "$(cat out)" '4 0' output
    expect_calls off_all.log leaf 8
    expect_no_stack off_all.log 'omp parallel'
    OMP_TOOL_LIBRARIES=./none.so run_well ./off
    expect_region off_all.log 'omp parallel main' 1
    build_off -rdynamic -DOWN_TOOL
    run_well ./off
    expect_same "$(cat out)" '4 1' output
    expect_calls off_all.log leaf 8
    expect_no_stack off_all.log 'omp parallel'
}

# embedding.md and issue: dump and file carry the thread of every sample; a pause within a region.
test_all_events_and_pauses() {
    config '"sampling": {"active": true, "sample_interval": 0.0}'
    build_paused
    run_well ./paused
    expect_calls paused_all.log seen 100
    expect_calls paused_all.log unseen 0
    expect_program_path paused_all.log 'seen<main<init'
    expect_program_path paused_all.log 'seen<omp parallel main<main<init'
    "$vftr" dump paused_0.vfd >dump || fail "vftr dump"
    expect_same "$(grep -c ' call .*seen<' dump)" 100 'calls in the dump'
    expect_same "$(grep -c ' exit .*seen<' dump)" 100 'ends in the dump'
    awk '$2 == "call" || $2 == "exit" { if ($1 < last) exit 1; last = $1 }' dump || fail "time runs backwards"
}

test_a_worker_is_told_the_path_that_it_works_for() {
    config
    build told.c -fopenmp <<'END'
#include "vftrace.h"
#include <stdio.h>
#include <stdlib.h>
static void work(void)
{
    char *path = vftrace_get_stack();
#pragma omp critical
    puts(path);
    free(path);
}
int main(void)
{
#pragma omp parallel
    work();
    return 0;
}
END
    run_well ./told
    sed -E 's/[:+][0-9a-fx]+</</' out | uniq -c >told
    expect_same "$(awk '{ print $1, $2, $3, $4 }' told)" '4 work<omp parallel main<main<init' 'the paths'
}

# A plugin brings the runtime, which is in nobody else's view.
test_a_plugin_that_uses_openmp() {
    config
    cat >plugin.c <<'END'
static void leaf(void) {}
int work(void)
{
    int members = 0;
#pragma omp parallel num_threads(3) reduction(+ : members)
    {
        leaf();
        members++;
    }
    return members;
}
END
    $cc -g -finstrument-functions -fopenmp -fPIC -shared plugin.c -o plugin.so || fail "cannot build the plugin"
    build_plugin_host
    run_well ./host
    expect_same "$(tr '\n' ' ' <out)" '3 3 3 ' output
    expect_calls host_all.log leaf 9
    expect_region host_all.log 'omp parallel work' 3
    expect_program_path host_all.log 'leaf<omp parallel work<work<main<init'
}

run_tests
