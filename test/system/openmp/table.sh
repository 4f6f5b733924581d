# SPDX-License-Identifier: BSD-3-Clause
# The table of parallel regions, and what they are named.
. "${srcdir:-.}/test/system/lib.sh"
. "$srcdir/test/system/openmp/openmp.sh"

gcc_=$cc
clang=$(find_clang_with_openmp && echo "$cc")
case $("$gcc_" --version) in *clang*) gcc_= ;; esac
[ -n "$gcc_$clang" ] || { echo "skip: no compiler whose OpenMP is seen" && exit 77; }
lines_known=0
has LIBDW && lines_known=1

# For the compilers whose OpenMP we see. (linkage: that of the shared library only.)
with_openmp_compilers() {
    local compiler
    for compiler in $gcc_ $clang; do
        cc=$compiler "$@" || return 1
    done
}

# The rows of LOG's table: region, caller, calls, threads, time, wait, wait in percent, imbalance; tabs between.
region_rows() {
    expect_file "$1"
    awk -F'|' '
        /^OpenMP regions$/ { on = 1; next }
        on && /^$/ { exit }
        on && $2 ~ /^ *[0-9]+ *$/ {
            for (i = 2; i <= 9; i++) { sub(/^ */, "", $i); sub(/ *$/, "", $i) }
            print $8 "\t" $9 "\t" $2 "\t" $3 "\t" $4 "\t" $5 "\t" $6 "\t" $7
        }' "$1"
}
# value_of LOG REGION CALLER COLUMN
value_of() { region_rows "$1" | awk -F'\t' -v r="$2" -v c="$3" -v n="$4" '$1 == r && (c == "" || $2 == c) { print $n }'; }
expect_row() { # LOG REGION CALLER CALLS THREADS
    expect_same "$(value_of "$1" "$2" "$3" 3) $(value_of "$1" "$2" "$3" 4)" "$4 $5" "calls and threads of $2 from $3; there is: $(region_rows "$1")"
}
is_true() { awk "BEGIN { exit !($1) }"; }

regions_program() {
    cat >regions.c <<'END_OF_PROGRAM'
#include <omp.h>
#include <stdatomic.h>
#include <time.h>
static atomic_int come;
static void work(void) { }
static void pause_for(long ms) { nanosleep(&(struct timespec){0, ms * 1000000}, 0); }
/* Both threads are here from the time that the first one comes. */
static void meet(void) { for (int at = ++come + 1 & ~1; come < at;) pause_for(1); }
__attribute__((noinline)) void solve(int long_ms)
{
    int n = 3;
#pragma omp parallel num_threads(2) /* line 12 */
    {
        meet();
        pause_for(omp_get_thread_num() == 0 ? long_ms : 60);
    }
    (void)n;
}
__attribute__((noinline)) void uneven(void) { solve(300); }
__attribute__((noinline)) void even(void) { solve(60); }
__attribute__((noinline)) void nested(void)
{
#pragma omp parallel num_threads(2) /* line 23 */
    {
        work();
#pragma omp parallel num_threads(3) /* line 26 */
        work();
    }
}
__attribute__((noinline)) void waits(int *sum)
{
#pragma omp parallel num_threads(2) /* line 32 */
    {
#pragma omp critical /* line 34 */
        ++*sum;
#pragma omp barrier /* line 36 */
        work();
    }
}
__attribute__((noinline)) void last(void)
{
#pragma omp parallel num_threads(2) /* line 42 */
    {
        work();
#pragma omp barrier /* line 45 */
    }
}
int main(void)
{
    int sum = 0;
    last();
    omp_set_max_active_levels(2);
    uneven();
    even();
    even();
    nested();
    for (int i = 0; i < 5; i++)
        waits(&sum);
    return sum != 10;
}
END_OF_PROGRAM
}

# Issue: an OpenMP table in the log: region, calls, threads, time, wait time, imbalance. Regions are named by function and line. Nested
# parallelism.
check_table() {
    local optimise region=solve:12 outer=nested:23 inner=nested:26 row
    for optimise in -O0 -O2; do
        rm -f ./*.log
        config
        build regions -fopenmp
        run_well ./regions
        if [ "$lines_known" != 1 ]; then
            expect_same "$(region_rows regions_all.log | cut -f3 | sort | tr '\n' ' ')" "1 1 1 2 2 5 " "calls of regions"
            continue
        fi
        expect_row regions_all.log "omp parallel solve:12" "" "1
2" "2
2"
        expect_row regions_all.log "omp parallel nested:23" nested 1 2
        expect_row regions_all.log "omp parallel nested:26" "" 2 3
        expect_row regions_all.log "omp parallel waits:32" waits 5 2
        stacks_of regions_all.log | grep -q '^omp parallel nested:26<.*omp parallel nested:23<nested<main<init$' ||
            fail "$cc $optimise: the inner region is not below the outer one"
        stacks_of regions_all.log | grep -q '^omp parallel solve:12<solve<uneven<main<init$' || fail "$cc $optimise: no region below uneven"
        stacks_of regions_all.log | grep -q '^omp parallel solve:12<solve<even<main<init$' || fail "$cc $optimise: no region below even"
        stacks_of regions_all.log | grep -q '^omp barrier waits:36<.*omp parallel waits:32<waits<main<init$' ||
            fail "$cc $optimise: the barrier is not named by its line: $(stacks_of regions_all.log | grep 'omp barrier')"
        # The call of the runtime may be a jump out of the region.
        stacks_of regions_all.log | grep -qE '^omp barrier last:(42|45)<.*omp parallel last:42<last<main<init$' ||
            fail "$cc $optimise: the last call of a region is not named by a place of the program: $(stacks_of regions_all.log | grep 'omp barrier')"
    done
}
test_regions_have_rows_and_are_named_by_function_and_line() {
    regions_program
    with_openmp_compilers check_table
}

# Issue: regions are named by function and line: what is within regions and tasks by the function that they are written in. Of a template's
# instances, it may be another.
check_places() {
    local optimise place
    for optimise in -O0 -O2; do
        config
        cxx=$(echo "$cc" | sed 's/gcc/g++/; s/clang/clang++/') build places.cpp -fopenmp <<'END_OF_PROGRAM'
static int sum;
static void add(int i)
{
#pragma omp atomic
    sum += i;
}
template <class T> struct Solver {
    __attribute__((noinline)) void run(T value)
    {
        // Nothing stands before the region.
#pragma omp parallel num_threads(2) // line 11
        {
            add(value);
#pragma omp critical // line 14
            add(value);
        }
    }
};
__attribute__((noinline)) void tasks(int n)
{
    for (int i = 0; i < n; i++)
#pragma omp task // line 22
    {
        add(i);
#pragma omp critical // line 25
        add(1);
    }
}
static inline void inlined(int n)
{
#pragma omp parallel num_threads(2) // line 31
#pragma omp single // line 31 or 32
    tasks(n);
}
__attribute__((noinline)) void away()
{
#pragma omp target // line 37
    {
#pragma omp parallel num_threads(2) // line 39
        {
#pragma omp critical // line 41
            __asm__ volatile("");
        }
    }
}
__attribute__((noinline)) void behind()
{
#pragma omp parallel num_threads(2) // line 48
    {
#pragma omp critical // line 50
        add(0);
    }
}
int main()
{
    away();
    behind();
    Solver<int>().run(1);
    Solver<long>().run(2);
    inlined(3);
    return sum != 18;
}
END_OF_PROGRAM
        run_well ./places
        for place in 'critical Solver<(int|long)>::run(\((int|long)\))?:14' 'task tasks(\(int\))?:22' \
            'critical tasks(\(int\))?:25' 'parallel inlined(\(int\))?:31' 'single inlined(\(int\))?:3[12]' \
            'parallel away(\(\))?:39' 'critical away(\(\))?:41' 'parallel behind(\(\))?:48' 'critical behind(\(\))?:50'; do
            grep -qE "omp $place *[<|]" places_all.log || fail "$cc $optimise: no omp $place: $(stacks_of places_all.log | grep ^omp)"
        done
    done
}
test_what_is_within_regions_and_tasks_is_named_by_the_function_around_it() {
    [ "$lines_known" = 1 ] || return 0
    with_openmp_compilers check_places
}

# Issue: wait time, imbalance. One thread works five times as long as the other: the team waits for 240 of 600 ms, and the longer one is 67 % above
# the average.
check_imbalance() {
    config '"openmp": {"sort_table": {"column": "time"}}'
    build regions -fopenmp
    run_well ./regions
    local rows
    rows=$(region_rows regions_all.log | grep solve)
    expect_same "$(echo "$rows" | cut -f3 | tr '\n' ' ')" "1 2 " "calls of the regions, the longer one first"
    echo "$rows" >rows
    { IFS=$'\t' read -r _ _ _ _ _ uneven_wait percent imbalance && IFS=$'\t' read -r _ _ _ _ _ even_wait _ even_imbalance; } <rows
    is_true "$uneven_wait >= 0.1 && $percent > 15 && $percent < 50" || fail "$cc: the uneven region waits: $rows"
    is_true "$imbalance > 30 && $imbalance <= 100" || fail "$cc: the imbalance of the uneven region: $rows"
    is_true "$even_wait < $uneven_wait && $even_imbalance < $imbalance" || fail "$cc: the even region: $rows"
}
test_the_table_tells_which_region_waits() {
    regions_program
    with_openmp_compilers check_imbalance
}

# Issue: an OpenMP table in the log. As the other tables: options, a file of its own; none where no OpenMP is used.
test_the_table_follows_its_options() {
    cc=${gcc_:-$clang}
    regions_program
    config '"openmp": {"max_rows": 2, "sort_table": {"column": "calls"}}, "profile_table": {"separate": true}'
    sed -i '/^"profile_table": {"max_rows": 0}, /s/"profile_table": {"max_rows": 0}, //' config.json
    build regions -fopenmp
    run_well ./regions
    expect_same "$(region_rows regions_all_openmp.log | cut -f3 | tr '\n' ' ')" "5 2 5 " "calls of the rows and of the rest"
    config '"openmp": {"show_table": false}'
    run_well ./regions
    ! grep -q '^OpenMP regions$' regions_all.log || fail "there is a table"
    config '"openmp": {"active": false}'
    run_well ./regions
    ! grep -q '^OpenMP regions$' regions_all.log || fail "there is a table without regions"
}

# Issue: regions are named by function and line: also where and when the program is not there any more.
test_recordings_carry_the_lines_of_regions() {
    [ "$lines_known" = 1 ] || return 0
    cc=${gcc_:-$clang}
    regions_program
    config '"sampling": {"active": true}'
    build regions -fopenmp
    run_well ./regions
    mkdir elsewhere
    mv regions_0.vfd elsewhere/
    cat >killed.c <<'END_OF_PROGRAM'
#include <signal.h>
static void work(void) { }
int main(void)
{
#pragma omp parallel num_threads(2) /* line 5 */
    {
        work();
#pragma omp barrier
#pragma omp master
        raise(SIGKILL);
    }
}
END_OF_PROGRAM
    build killed -fopenmp
    may_be_killed=1 run ./killed
    "$vftr" recover killed_*.tmpvfd >recovered || fail "vftr recover"
    mv killed_*.vfd elsewhere/
    rm -rf regions regions.c killed killed.c vftrace_symbols
    report elsewhere/regions_0.vfd
    grep -q 'omp parallel nested:26' report || fail "the recording has no lines without its program"
    report elsewhere/killed_*.vfd
    grep -q 'omp parallel main:5' report || fail "the recovered recording has no lines without its program: $(cat report)"
}

run_tests
