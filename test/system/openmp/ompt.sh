# SPDX-License-Identifier: BSD-3-Clause
# OpenMP programs of clang: what LLVM's runtime tells of regions, worksharing, waits and tasks by OMPT.
. "${srcdir:-.}/test/system/lib.sh"
. "$srcdir/test/system/openmp/openmp.sh"
. "$srcdir/test/system/openmp/clang.sh"

# Issue: workers' functions appear under the parallel region's path of the forking thread. Regions, calls, counts.
test_workers_functions_are_below_the_region_of_the_thread_that_forked() {
    config
    build_region
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

# Issue: "clang's outlined regions read `omp parallel f:line` in the Caller column, too."
test_the_text_of_a_region_is_the_region() {
    local how kind lines
    config '"sampling": {"active": true, "sample_interval": 0.0}'
    for how in '-g -O0' '-g -O2' '-g0 -O0' '-g0 -O2'; do
        optimise="$how " build_region
        run_well ./region
        "$vftr" dump region_0.vfd >dump || fail "vftr dump"
        # What stands in a region's text may be named after it where there is no debug information.
        sed -E 's/omp [^<|]*\+0x[0-9a-f]+//g' region_all.log dump >shown
        ! grep -q 'omp_outlined' shown || fail "$how: there are the compiler's own functions: $(grep -m 3 'omp_outlined' shown)"
        expect_same "$(grep -c ' call omp parallel ' dump) $(grep -c ' exit omp parallel ' dump)" "43 43" "$how: begins and ends of regions in the dump, by thread"
        kind=''
        [ "${how#-g0}" != "$how" ] || ! has LIBDW || kind='solve:'
        lines=$(sed -n '/^Runtime profile$/,/^$/p' region_all.log | awk -F'|' '$6 ~ /^ *work *$/ { print $7 }')
        [[ $lines == *"omp parallel $kind"* ]] || fail "$how: the caller of work is $lines"
    done
    # Where regions are not recorded there is nothing else.
    config '"openmp": {"active": false}'
    run_well ./region
    expect_stack region_all.log 'leaf<work<.omp_outlined..1<init'
}

# Issue: `OMP_NUM_THREADS` changes. Regions that only one thread executes are regions, too.
test_teams_of_changing_size_have_exact_counts() {
    config
    build_teams
    local n
    for n in 1 3; do
        OMP_NUM_THREADS=$n run_well ./teams
        expect_calls teams_all.log leaf 56
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
    build constructs -fopenmp
    run_well ./constructs
    expect_calls constructs_all.log leaf $((100 + 50 + 3 * 10 + 5 + 8))
    expect_construct constructs_all.log parallel 6
    expect_construct constructs_all.log for $((7 * 4))
    expect_construct constructs_all.log ordered 20
    expect_construct constructs_all.log sections $((2 * 4))
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

# Who gives the rest of an untied task back returns only when another thread has executed that: the runtime tells the
# first of the task's end, and the other of nothing.
test_a_part_of_an_untied_task_that_returns_when_the_task_is_over() {
    config
    build late.c -D_GNU_SOURCE -fopenmp -ldl <<'END'
#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>
static int given, over, late;
static void leaf(void) {}
static void part(void) { leaf(); }
__attribute__((no_instrument_function)) int __kmpc_omp_task(void *where, int thread, void *task)
{
    static void *latest;
    int (*next)(void *, int, void *) = (int (*)(void *, int, void *))dlsym(RTLD_NEXT, "__kmpc_omp_task");
    int again = __atomic_exchange_n(&latest, task, __ATOMIC_SEQ_CST) == task;
    int last = again && __atomic_add_fetch(&given, 1, __ATOMIC_SEQ_CST) == 2;
    int result = next(where, thread, task);
    if (last) {
        for (int i = 0; i < 10000 && !__atomic_load_n(&over, __ATOMIC_SEQ_CST); i++)
            usleep(1000);
        usleep(200000); // the other thread is back in the runtime
        late = __atomic_load_n(&over, __ATOMIC_SEQ_CST);
    }
    return result;
}
static void outer(void)
{
    leaf();
#pragma omp task untied
    {
        part();
#pragma omp taskyield
        part();
        __atomic_store_n(&over, 1, __ATOMIC_SEQ_CST);
    }
#pragma omp taskwait
    leaf();
}
int main(void)
{
#pragma omp parallel num_threads(2)
    {
#pragma omp single
        {
#pragma omp task
            outer();
        }
        leaf();
    }
    leaf();
    printf("%d %d\n", given, late);
    return 0;
}
END
    local i
    for i in 1 2 3 4 5; do
        run_well ./late
        expect_same "$(cat out)" '2 1' 'parts given back, and whether the last one was late'
        expect_calls late_all.log part 2
        expect_calls late_all.log leaf 7
        expect_construct late_all.log task 2
        expect_program_path late_all.log 'leaf<omp parallel main<main<init'
        expect_no_stack late_all.log '^(leaf|part|outer)<init'
        expect_all_left late_all.log
    done
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

run_tests
