# SPDX-License-Identifier: BSD-3-Clause
# OpenMP programs of gcc and gfortran: regions, worksharing, waits and tasks of GNU's runtime (libgomp).
. "${srcdir:-.}/test/system/lib.sh"
. "$srcdir/test/system/openmp/openmp.sh"

FC=${FC:-gfortran}
case $("$cc" --version) in *clang*) echo "skip: the compiler's OpenMP is another one" && exit 77 ;; esac

# Issue: workers' functions appear under the parallel region's path of the forking thread. Counts exact.
test_workers_functions_are_below_the_region_of_the_thread_that_forked() {
    config
    build_region
    run_well ./region
    expect_same "$(cat out)" done "output"
    expect_calls region_all.log work 40
    expect_calls region_all.log leaf 83
    expect_calls region_all.log solve 10
    expect_region region_all.log 'omp parallel solve' 10
    expect_region region_all.log 'omp parallel main' 1
    expect_path region_all.log 'leaf<work<omp parallel solve<solve<main<init'
    expect_path region_all.log 'leaf<omp parallel main<main<init'
    expect_no_stack region_all.log '^(leaf|work)<init'
}

# Issue: `OMP_NUM_THREADS` changes.
test_teams_of_changing_size_have_exact_counts() {
    config
    build_teams
    run_well ./teams
    expect_calls teams_all.log leaf 56
    expect_region teams_all.log 'omp parallel main' 24
    for n in 1 2 7; do
        OMP_NUM_THREADS=$n run_well ./teams
        expect_calls teams_all.log leaf 56
    done
}

# Issue: Nested parallelism.
test_nested_regions_are_below_each_other() {
    config
    build nested.c -fopenmp <<'END'
#include <omp.h>
static void leaf(void) {}
static void inner(void)
{
#pragma omp parallel num_threads(3)
    leaf();
}
int main(void)
{
    omp_set_max_active_levels(2);
    for (int i = 0; i < 5; i++) {
#pragma omp parallel num_threads(2)
        inner();
    }
    return 0;
}
END
    run_well ./nested
    expect_calls nested_all.log inner 10
    expect_calls nested_all.log leaf 30
    expect_region nested_all.log 'omp parallel inner' 10
    expect_path nested_all.log 'leaf<omp parallel inner<inner<omp parallel main<main<init'
    expect_no_stack nested_all.log '^(leaf|inner)<(omp parallel inner<)?init'
}

test_worksharing_and_waits_are_entries_of_their_own() {
    config
    build constructs -fopenmp
    run_well ./constructs
    expect_calls constructs_all.log leaf $((100 + 50 + 3 * 10 + 5 + 8))
    expect_region constructs_all.log 'omp parallel loops' 3
    expect_region constructs_all.log 'omp for loops' $((6 * 4)) # the static one is no call of the runtime
    expect_region constructs_all.log 'omp ordered loops' 20
    expect_region constructs_all.log 'omp sections parts' $((2 * 4))
    expect_region constructs_all.log 'omp single parts' 4
    expect_region constructs_all.log 'omp barrier parts' 8 # one is at the end of the single
    expect_region constructs_all.log 'omp critical exclusive' 8
    expect_region constructs_all.log 'omp lock exclusive' $((3 * 4)) # omp_test_lock does not wait
    expect_path constructs_all.log 'leaf<omp for loops<omp parallel loops<loops<main<init'
    expect_path constructs_all.log 'leaf<omp sections parts<omp parallel parts<parts<main<init'
    expect_path constructs_all.log 'omp implicit barrier loops<omp parallel loops<loops<main<init'
}

test_tasks_are_below_what_made_them_whoever_executes_them() {
    config
    build tasks.cpp -fopenmp <<'END'
#include <atomic>
#include <cstdint>
#include <cstdio>
static std::atomic<int> copies, alive, bad;
struct Value { // copied by a function of its own, and aligned
    alignas(64) int n;
    explicit Value(int number) : n(number) { ++alive; }
    Value(const Value& other) : n(other.n) { ++copies; ++alive; if (reinterpret_cast<std::uintptr_t>(this) % 64) ++bad; }
    ~Value() { --alive; }
};
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
static long sum(long n)
{
    long total = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop reduction(+ : total) grainsize(7)
    for (long i = 0; i < n; i++) {
        leaf(0);
        total += i;
    }
    return total;
}
int main()
{
    long first = 0, second = 0;
#pragma omp parallel
#pragma omp single
    {
        deep(6);
        Value value(7);
#pragma omp taskgroup
        for (int i = 0; i < 20; i++) {
#pragma omp task firstprivate(value, i)
            if (value.n != 7 || i < 0)
                ++bad;
        }
#pragma omp task depend(out : first)
        first = 1;
#pragma omp task depend(in : first) depend(out : second)
        second = first + 1;
#pragma omp task depend(in : second)
        if (second != 2)
            ++bad;
#pragma omp taskloop num_tasks(5)
        for (unsigned long long i = 1; i <= 30; i++)
            leaf(0);
    }
#pragma omp taskloop num_tasks(20000)
    for (int i = 0; i < 20000; i++)
        first += 0;
    std::printf("%d %d %ld\n", alive.load(), bad.load(), sum(100));
    return 0;
}
END
    run_well ./tasks
    expect_same "$(cat out)" '0 0 4950' output
    expect_calls tasks_all.log 'deep(int)' 127
    expect_calls tasks_all.log 'leaf(int)' $((127 + 30 + 100))
    expect_region tasks_all.log 'omp task deep(int)' 126
    paths_of tasks_all.log | grep -q '^deep.*<omp task deep(int)<deep(int)<.*omp parallel main<main<init$' ||
        fail "tasks are not below what made them: $(paths_of tasks_all.log | grep deep | head)"
    expect_no_stack tasks_all.log '^(leaf|deep)[^<]*<init'
}

test_cancelled_constructs_keep_the_counts() {
    config
    build cancelled.c -fopenmp <<'END'
#include <omp.h>
static void leaf(void) {}
static void after(void) {}
int main(void)
{
    if (!omp_get_cancellation())
        return 2;
    for (int round = 0; round < 20; round++) {
#pragma omp parallel
        {
#pragma omp for schedule(dynamic)
            for (int i = 0; i < 100; i++) {
                leaf();
#pragma omp cancel for if (i == 5)
#pragma omp cancellation point for
            }
            leaf();
#pragma omp sections
            {
#pragma omp section
                {
#pragma omp cancel sections
                    after();
                }
            }
#pragma omp cancel parallel
            after();
        }
    }
    leaf();
    return 0;
}
END
    export OMP_CANCELLATION=true
    run_counted ./cancelled
    [ $status = 0 ] || fail "exit code $status"
    run_well ./cancelled
    expect_calls cancelled_all.log after 0
    expect_region cancelled_all.log 'omp for main' 80
    expect_region cancelled_all.log 'omp parallel main' 20
    expect_path cancelled_all.log 'leaf<main<init'
    expect_path cancelled_all.log 'leaf<omp for main<omp parallel main<main<init'
}

# Issue: exceptions thrown through instrumented frames.
test_exceptions_within_regions_and_tasks() {
    config
    build thrown.cpp -fopenmp <<'END'
#include <cstdio>
#include <stdexcept>
static void leaf() {}
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
    for (int i = 0; i < 10; i++) {
#pragma omp parallel reduction(+ : caught)
        {
            try {
                thrower(3);
            } catch (const std::exception&) {
                caught++;
            }
            leaf();
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
        leaf();
    }
    std::printf("%d\n", caught);
    return 0;
}
END
    run_well ./thrown
    expect_same "$(cat out)" 40 output
    expect_calls thrown_all.log 'thrower(int)' $((40 * 4 + 40 * 2 + 1))
    expect_calls thrown_all.log 'leaf()' $((40 * 5 + 40 * 3 + 2))
    expect_path thrown_all.log 'leaf()<main<init'
    expect_path thrown_all.log 'leaf()<omp parallel main<main<init'
    expect_path thrown_all.log 'leaf()<omp task main<omp parallel main<main<init'
}

run_tests
