# SPDX-License-Identifier: BSD-3-Clause
# OpenMP programs of clang: what LLVM's runtime tells of regions, worksharing, waits and tasks by OMPT.
. "${srcdir:-.}/test/system/lib.sh"
. "$srcdir/test/system/openmp/paths.sh"

grep -q OMP_TOOLS_H "$builddir/config.h" && ! grep -q '#undef OMP_TOOLS_H' "$builddir/config.h" || { echo "skip: built without OMPT" && exit 77; }
cc=
for version in '' -16 -17 -18 -19 -15 -14; do
    echo 'int main(void) { return 0; }' | clang$version -fopenmp -x c - -o /dev/null 2>/dev/null || continue
    cc=clang$version cxx=clang++$version
    break
done
[ -n "$cc" ] || { echo "skip: no clang with OpenMP" && exit 77; }
export OMP_NUM_THREADS=4 OMP_DYNAMIC=false OMP_WAIT_POLICY=passive KMP_BLOCKTIME=0

# expect_construct LOG DIRECTIVE CALLS: of all its places. (What clang makes of a region's text is a function that may have no name of its own.)
expect_construct() {
    expect_file "$1"
    expect_same "$(grouped_counts "$1" | awk -F'\t' -v d="omp $2 " 'index($2, d) == 1 { n += $1 } END { print n + 0 }')" "$3" "calls of omp $2 in $1"
}
# Paths without the functions that clang makes of a region's text.
program_paths_of() { stacks_of "$1" | sed -E 's/(^|<)\.omp_outlined[^<]*(<\.omp_outlined[^<]*)*</\1/g; s/(omp [^<]*)[:+][0-9a-fx]+(<|$)/\1\2/g'; }
expect_program_path() {
    program_paths_of "$1" | grep -qE -- "^$2\$" || fail "$1 has no path $2; it has: $(program_paths_of "$1" | head -20)"
}
# All that was entered was left, by itself.
expect_all_left() { ! grep -E 'ignored|never returned|vanished' "$1" || fail "not all was left"; }

# Issue: workers' functions appear under the parallel region's path of the forking thread. Regions, calls, counts.
test_workers_functions_are_below_the_region_of_the_thread_that_forked() {
    config
    build region.c -fopenmp <<'END'
#include <stdio.h>
static void leaf(void) {}
static void work(void) { leaf(); leaf(); }
static void solve(void)
{
#pragma omp parallel
    work();
}
int main(void)
{
    for (int i = 0; i < 10; i++)
        solve();
#pragma omp parallel num_threads(3)
    leaf();
    puts("done");
    return 0;
}
END
    check() {
        run_well ./region
        expect_same "$(cat out)" done output
        expect_calls region_all.log work 40
        expect_calls region_all.log leaf 83
        expect_calls region_all.log solve 10
        expect_region region_all.log 'omp parallel solve' 10
        expect_region region_all.log 'omp parallel main' 1
        expect_program_path region_all.log 'leaf<work<omp parallel solve<solve<main<init'
        expect_program_path region_all.log 'leaf<omp parallel main<main<init'
        expect_no_stack region_all.log '^(leaf|work)<init'
        expect_all_left region_all.log
    }
    check
    linkage=archive
    build region -fopenmp
    check
}

# Issue: `OMP_NUM_THREADS` changes. Regions that only one thread executes are regions, too.
test_teams_of_changing_size_have_exact_counts() {
    config
    build teams.c -fopenmp <<'END'
#include <omp.h>
static void leaf(void) {}
int main(void)
{
    int members = 0;
    for (int n = 1; n <= 8; n++) {
        omp_set_num_threads(n);
#pragma omp parallel
        leaf();
#pragma omp parallel num_threads(9 - n) reduction(+ : members)
        members++;
#pragma omp parallel if (n % 2)
        leaf();
    }
    return members == 36 ? 0 : 1;
}
END
    local n
    for n in 1 3; do
        OMP_NUM_THREADS=$n run_well ./teams
        expect_calls teams_all.log leaf $((36 + 1 + 1 + 3 + 1 + 5 + 1 + 7 + 1))
        expect_region teams_all.log 'omp parallel main' 24
        expect_no_stack teams_all.log '^leaf<init'
    done
}

# Issue: nested parallelism; regions of threads that the program made itself.
test_nested_regions_and_those_of_other_threads() {
    config
    build nested.c -fopenmp <<'END'
#include <omp.h>
#include <pthread.h>
static void leaf(void) {}
static void inner(void)
{
#pragma omp parallel num_threads(3)
    leaf();
}
static void *work(void *unused)
{
    for (int i = 0; i < 20; i++)
        inner();
    return unused;
}
int main(void)
{
    pthread_t threads[3];
    omp_set_max_active_levels(2);
    for (int i = 0; i < 5; i++) {
#pragma omp parallel num_threads(2)
        inner();
    }
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], 0, work, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    return 0;
}
END
    run_well ./nested
    expect_calls nested_all.log inner $((10 + 60))
    expect_calls nested_all.log leaf $((30 + 180))
    expect_region nested_all.log 'omp parallel inner' 70
    expect_program_path nested_all.log 'leaf<omp parallel inner<inner<omp parallel main<main<init'
    program_paths_of nested_all.log | grep -q '^leaf<omp parallel inner<inner<work<' || fail "no region below work"
    expect_no_stack nested_all.log '^(leaf|inner)<init'
    expect_all_left nested_all.log
}

# Issue: worksharing, barriers, critical and lock waits.
test_worksharing_and_waits_are_entries_of_their_own() {
    config
    build constructs.c -fopenmp <<'END'
#include <omp.h>
static void leaf(void) {}
static int total, in_order, bad;
static omp_lock_t lock;
static omp_nest_lock_t nested_lock;
static void loops(void)
{
#pragma omp parallel for schedule(dynamic, 3)
    for (int i = 0; i < 100; i++)
        leaf();
#pragma omp parallel
    {
#pragma omp for
        for (int i = 0; i < 10; i++)
            leaf();
#pragma omp for ordered schedule(dynamic)
        for (int i = 0; i < 20; i++) {
#pragma omp ordered
            bad += in_order++ != i;
        }
#pragma omp for schedule(guided) nowait reduction(+ : total)
        for (int i = 0; i < 10; i++)
            total++;
    }
}
static void parts(void)
{
#pragma omp parallel
    {
#pragma omp sections
        {
#pragma omp section
            leaf();
#pragma omp section
            leaf();
        }
#pragma omp single
        leaf();
#pragma omp barrier
#pragma omp master
        leaf();
    }
}
static void exclusive(void)
{
#pragma omp parallel
    {
#pragma omp critical
        total++;
#pragma omp critical(named)
        leaf();
        omp_set_lock(&lock);
        total++;
        omp_unset_lock(&lock);
        while (!omp_test_lock(&lock))
            ;
        omp_unset_lock(&lock);
        omp_set_nest_lock(&nested_lock);
        omp_set_nest_lock(&nested_lock);
        omp_unset_nest_lock(&nested_lock);
        omp_unset_nest_lock(&nested_lock);
        leaf();
    }
}
int main(void)
{
    omp_init_lock(&lock);
    omp_init_nest_lock(&nested_lock);
    loops();
    parts();
    exclusive();
    return bad;
}
END
    run_well ./constructs
    expect_calls constructs_all.log leaf $((100 + 10 + 4 + 4 + 4))
    expect_construct constructs_all.log parallel 4
    expect_construct constructs_all.log for $((4 * 4))
    expect_construct constructs_all.log ordered 20
    expect_construct constructs_all.log sections 4
    expect_construct constructs_all.log single 1
    expect_construct constructs_all.log barrier 4
    expect_construct constructs_all.log critical 8
    expect_construct constructs_all.log lock $((4 * 4))
    expect_no_stack constructs_all.log 'omp lock (vftrace|omp_)' # but the function that asks for it
    expect_program_path constructs_all.log 'leaf<omp for [^<]*<omp parallel loops<loops<main<init'
    expect_program_path constructs_all.log 'leaf<omp sections [^<]*<omp parallel parts<parts<main<init'
    expect_program_path constructs_all.log 'leaf<omp parallel exclusive<exclusive<main<init' # the lock is waited for, not held
    expect_program_path constructs_all.log 'omp implicit barrier loops<omp parallel loops<loops<main<init'
    expect_no_stack constructs_all.log '^leaf<init'
    expect_all_left constructs_all.log
}

# Issue: explicit tasks. In all the ways that a thread comes to one and goes from it.
test_tasks_are_below_what_made_them_whoever_executes_them() {
    config
    build tasks.cpp -fopenmp <<'END'
#include <cstdio>
static void leaf(int) {}
static void deep(int depth)
{
    leaf(depth);
    if (depth == 0)
        return;
#pragma omp task
    deep(depth - 1);
#pragma omp task if (depth % 2)
    deep(depth - 1);
#pragma omp taskwait
}
static void loose(int)
{
    leaf(1);
}
int main()
{
    long first = 0, second = 0, bad = 0;
#pragma omp parallel
#pragma omp single
    {
        deep(6);
#pragma omp taskgroup
        for (int i = 0; i < 20; i++) {
#pragma omp task untied
            {
                loose(1);
#pragma omp taskyield
                loose(2);
#pragma omp task
                leaf(0);
#pragma omp taskwait
                loose(3);
            }
        }
#pragma omp task depend(out : first)
        first = 1;
#pragma omp task depend(in : first) depend(out : second)
        second = first + 1;
#pragma omp task depend(in : second)
        if (second != 2)
            ++bad;
#pragma omp taskwait depend(in : second)
#pragma omp taskloop num_tasks(5)
        for (int i = 1; i <= 30; i++)
            leaf(0);
#pragma omp task
#pragma omp task // the one that made it is over by then
        leaf(0);
    }
#pragma omp parallel
#pragma omp task
    leaf(0);
    std::printf("%ld\n", bad);
    return 0;
}
END
    run_well ./tasks
    expect_same "$(cat out)" 0 output
    expect_calls tasks_all.log 'deep(int)' 127
    expect_calls tasks_all.log 'loose(int)' 60
    expect_calls tasks_all.log 'leaf(int)' $((127 + 60 + 20 + 30 + 1 + 4))
    expect_construct tasks_all.log task $((126 + 40 + 3 + 5 + 2 + 4))
    expect_construct tasks_all.log taskloop 1
    expect_program_path tasks_all.log 'leaf\(int\)<loose\(int\)<omp task [^<]*<omp single [^<]*<omp parallel main<main<init'
    expect_program_path tasks_all.log 'leaf\(int\)<omp task [^<]*<omp taskloop [^<]*<omp single [^<]*<omp parallel main<main<init'
    expect_no_stack tasks_all.log '^(leaf|deep|loose)[^<]*<init'
    expect_all_left tasks_all.log
}

test_cancelled_constructs_and_exceptions_keep_the_counts() {
    config
    build ended.cpp -fopenmp <<'END'
#include <omp.h>
#include <cstdio>
#include <stdexcept>
static void leaf() {}
static void after() {}
static void thrower(int depth)
{
    leaf();
    if (depth == 0)
        throw std::runtime_error("thrown");
    thrower(depth - 1);
}
int main()
{
    int caught = 0;
    if (!omp_get_cancellation())
        return 2;
    for (int round = 0; round < 10; round++) {
#pragma omp parallel for
        for (int i = 0; i < 100; i++) {
#pragma omp cancel for
            after();
        }
#pragma omp parallel
        {
#pragma omp cancel parallel
            after();
        }
#pragma omp parallel reduction(+ : caught)
        {
            try {
                thrower(3);
            } catch (const std::exception&) {
                caught++;
            }
#pragma omp task
            try {
                thrower(1);
            } catch (const std::exception&) {
                leaf();
            }
        }
    }
    try {
        thrower(0);
    } catch (const std::exception&) {
#pragma omp parallel
        leaf();
    }
    std::printf("%d\n", caught);
    return 0;
}
END
    OMP_CANCELLATION=true run_well ./ended
    expect_same "$(cat out)" 40 output
    expect_calls ended_all.log 'after()' 0
    expect_calls ended_all.log 'thrower(int)' $((40 * 4 + 40 * 2 + 1))
    expect_calls ended_all.log 'leaf()' $((40 * 4 + 40 * 3 + 1 + 4))
    expect_construct ended_all.log for 40
    expect_construct ended_all.log parallel 31
    expect_program_path ended_all.log 'leaf\(\)<omp parallel main<main<init'
    expect_no_stack ended_all.log 'omp parallel [^<]*<thrower'
    expect_no_stack ended_all.log '^(leaf|thrower)[^<]*<init'
}

# In the child there is one thread, and none of the parent's paths are its own but the one that forked.
test_a_program_that_forks_between_and_within_regions() {
    config
    build forks.c -fopenmp <<'END'
#include <omp.h>
#include <sys/wait.h>
#include <unistd.h>
static void leaf(void) {}
static void in_child(void) { leaf(); }
static int child(int with_region)
{
    int status;
    pid_t pid = fork();
    if (pid == 0) {
        in_child();
        if (with_region) {
#pragma omp parallel num_threads(2)
            leaf();
        }
        _exit(0);
    }
    waitpid(pid, &status, 0);
    return status;
}
int main(void)
{
    int bad = child(1);
#pragma omp parallel num_threads(2)
    {
        leaf();
#pragma omp barrier
        if (omp_get_thread_num() == 1)
            bad += child(0); // by a worker
    }
    bad += child(1);
#pragma omp parallel num_threads(2)
    leaf();
    return bad;
}
END
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
    build off.c -fopenmp -rdynamic <<'END'
#include <omp.h>
#include <omp-tools.h>
#include <stdio.h>
static void leaf(void) {}
static int begun;
#ifdef OWN_TOOL
static void on_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *parallel, unsigned n, int flags, const void *code)
{
    begun++;
}
static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
    ((ompt_set_callback_t)lookup("ompt_set_callback"))(ompt_callback_parallel_begin, (ompt_callback_t)on_begin);
    return 1;
}
static void finalize(ompt_data_t *data) {}
ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime)
{
    static ompt_start_tool_result_t tool = {initialize, finalize, {0}};
    return &tool;
}
#endif
int main(void)
{
    int members = 0;
#pragma omp parallel reduction(+ : members)
    {
        leaf();
#pragma omp task
        leaf();
        members++;
    }
    printf("%d %d\n", members, begun);
    return 0;
}
END
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
    build off -fopenmp -rdynamic -DOWN_TOOL
    run_well ./off
    expect_same "$(cat out)" '4 1' output
    expect_calls off_all.log leaf 8
    expect_no_stack off_all.log 'omp parallel'
}

# embedding.md and issue: dump and file carry the thread of every sample; a pause within a region.
test_all_events_and_pauses() {
    config '"sampling": {"active": true, "sample_interval": 0.0}'
    build paused.c -fopenmp <<'END'
#include "vftrace.h"
static void seen(void) {}
static void unseen(void) {}
int main(void)
{
    for (int i = 0; i < 20; i++) {
#pragma omp parallel
        seen();
#pragma omp parallel
        {
#pragma omp barrier
#pragma omp master
            vftrace_pause();
#pragma omp barrier
            unseen();
#pragma omp critical
            unseen();
#pragma omp barrier
#pragma omp master
            vftrace_resume();
        }
        seen();
    }
    return 0;
}
END
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
    sed -E 's/(^|<)\.omp_outlined[^<]*(<\.omp_outlined[^<]*)*</\1/g; s/[:+][0-9a-fx]+</</' out | uniq -c >told
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
    build host.c -ldl <<'END'
#include <dlfcn.h>
#include <stdio.h>
int main(void)
{
    for (int i = 0; i < 3; i++) {
        void *plugin = dlopen("./plugin.so", RTLD_NOW | RTLD_LOCAL);
        if (!plugin)
            return 1;
        int (*work)(void) = (int (*)(void))dlsym(plugin, "work");
        printf("%d\n", work());
        dlclose(plugin);
    }
    return 0;
}
END
    run_well ./host
    expect_same "$(tr '\n' ' ' <out)" '3 3 3 ' output
    expect_calls host_all.log leaf 9
    expect_region host_all.log 'omp parallel work' 3
    expect_program_path host_all.log 'leaf<omp parallel work<work<main<init'
}

run_tests
