# SPDX-License-Identifier: BSD-3-Clause
# GNU's OpenMP runtime (libgomp) in programs that load, fork, start threads, pause, are old, or bring two runtimes.
. "${srcdir:-.}/test/system/lib.sh"
. "$srcdir/test/system/openmp/openmp.sh"

FC=${FC:-gfortran}
case $("$cc" --version) in *clang*) echo "skip: the compiler's OpenMP is another one" && exit 77 ;; esac

# Issue: workers' functions appear under the parallel region's path of the forking thread. Here several threads fork at once.
test_regions_of_several_threads_at_once() {
    config
    build threads.c -fopenmp <<'END'
#include <pthread.h>
static void leaf(void) {}
static void *work(void *unused)
{
    for (int i = 0; i < 50; i++) {
#pragma omp parallel num_threads(2)
        leaf();
    }
    return unused;
}
int main(void)
{
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], 0, work, 0);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], 0);
    return 0;
}
END
    run_well ./threads
    expect_calls threads_all.log work 4
    expect_calls threads_all.log leaf 400
    expect_region threads_all.log 'omp parallel work' 200
    paths_of threads_all.log | grep -q '^leaf<omp parallel work<work<' || fail "no region below work"
    expect_no_stack threads_all.log '^leaf<init'
}

test_a_program_that_forks_between_and_within_regions() {
    config
    build_forks -DFORKER=0 -DCHILD_THREADS=1
    run_well ./forks
    expect_calls forks_all.log child 3
    expect_calls forks_all.log leaf 4
    local child children=0
    for child in forks_[0-9]*.tmpvfd; do
        report "$child"
        expect_calls report in_child 1
        expect_calls report leaf 2
        expect_region report 'omp parallel child' 1
        children=$((children + 1))
    done
    expect_same $children 3 'recordings of children'
}

# A plugin brings the runtime for itself, so that it is in nobody else's view.
test_a_plugin_that_uses_openmp() {
    config
    cat >plugin.c <<'END'
#include <omp.h>
static void leaf(void) {}
int work(void)
{
    int members = 0;
    omp_lock_t lock;
    omp_init_lock(&lock);
#pragma omp parallel num_threads(3)
    {
        leaf();
        omp_set_lock(&lock);
        members++;
        omp_unset_lock(&lock);
    }
    return members;
}
END
    gcc -g -finstrument-functions -fopenmp -fPIC -shared plugin.c -o plugin.so || fail "cannot build the plugin"
    build_plugin_host
    run_well ./host
    expect_same "$(tr '\n' ' ' <out)" '3 3 3 ' output
    expect_calls host_all.log leaf 9
    expect_region host_all.log 'omp parallel work' 3
    expect_region host_all.log 'omp lock work' 9
    expect_path host_all.log 'leaf<omp parallel work<work<main<init'
}

# A compiler with LLVM's runtime, in `clang`.
other_compiler() {
    for clang in clang clang-16; do
        echo 'int main(void) { return 0; }' | $clang -fopenmp -x c - -o probe 2>/dev/null && return
    done
    skip 'no compiler with the other runtime'
}

# Plugins may bring different runtimes: a call goes where it would go without us.
test_plugins_with_two_runtimes() {
    other_compiler
    config
    cat >plugin.c <<'END'
#include <omp.h>
static void leaf(void) {}
int work(void)
{
    int members = 0;
    omp_nest_lock_t lock;
    omp_init_nest_lock(&lock);
#pragma omp parallel num_threads(3)
    {
        leaf();
        omp_set_nest_lock(&lock);
        members++;
        omp_unset_nest_lock(&lock);
#pragma omp barrier
    }
    omp_destroy_nest_lock(&lock);
    return members;
}
END
    $clang -g -finstrument-functions -fopenmp -fPIC -shared plugin.c -o llvm.so || fail "cannot build the plugin"
    gcc -g -finstrument-functions -fopenmp -fPIC -shared plugin.c -o gnu.so || fail "cannot build the plugin"
    build host.c -ldl <<'END'
#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    for (int round = 0; round < 2; round++)
        for (int i = 1; i < argc; i++) {
            void *plugin = dlopen(argv[i], RTLD_NOW | RTLD_LOCAL);
            if (!plugin)
                return 1;
            int (*work)(void) = (int (*)(void))dlsym(plugin, "work");
            printf("%d ", work());
        }
    return 0;
}
END
    for order in './gnu.so ./llvm.so' './llvm.so ./gnu.so'; do
        # shellcheck disable=SC2086
        run_well ./host $order
        expect_same "$(cat out)" '3 3 3 3 ' "output of $order"
        for plugin in gnu llvm; do expect_calls host_all.log "leaf ($plugin.so)" 6; done
    done
}

# LLVM's runtime offers what libgomp has, and tells of itself as well; and its locks are called by names that we offer.
test_what_the_other_runtime_tells_of_is_recorded_once() {
    other_compiler
    config
    cat >locks.c <<'END'
#include <omp.h>
#include <stdio.h>
static void leaf(void) {}
int main(void)
{
    int members = 0;
    omp_lock_t lock;
    omp_init_lock(&lock);
#pragma omp parallel num_threads(3)
    {
        leaf();
        omp_set_lock(&lock);
        members++;
        omp_unset_lock(&lock);
    }
    printf("%d\n", members);
    return 0;
}
END
    cc=$clang build locks -fopenmp
    run_well ./locks
    expect_same "$(cat out)" 3 output
    expect_calls locks_all.log leaf 3
    grep -q '#define OMP_TOOLS_H' "$builddir/config.h" || skip 'built without OMPT'
    expect_region locks_all.log 'omp lock main' 3
    expect_region locks_all.log 'omp parallel main' 1
    local runtime
    runtime=$(ldd locks | awk '$1 ~ /^libomp/ { print $3 }')
    build locks -fopenmp
    run_well env LD_PRELOAD="$runtime" ./locks
    expect_same "$(cat out)" 3 output
    expect_region locks_all.log 'omp lock main' 3
    expect_region locks_all.log 'omp parallel main' 1
}

# We offer what the program uses of the runtime, so that the linker may find it superfluous.
test_a_runtime_that_the_linker_left_out_is_found() {
    config
    build bare.c -Wl,--as-needed -fopenmp <<'END'
static void leaf(void) {}
int main(void)
{
#pragma omp parallel
    leaf();
    return 0;
}
END
    run_well ./bare
    expect_calls bare_all.log leaf 4
    expect_path bare_all.log 'leaf<omp parallel main<main<init'
}

test_regions_of_old_compilers() {
    config
    build old.c -fopenmp <<'END'
#include <omp.h>
#include <stdbool.h>
void GOMP_parallel_start(void (*fn)(void *), void *data, unsigned threads);
void GOMP_parallel_loop_dynamic_start(void (*fn)(void *), void *data, unsigned threads, long start, long end, long step, long chunk);
bool GOMP_loop_dynamic_next(long *start, long *end);
void GOMP_loop_end_nowait(void);
void GOMP_parallel_end(void);
static void leaf(void) {}
__attribute__((no_instrument_function)) static void loop(void *count)
{
    long start, end;
    while (GOMP_loop_dynamic_next(&start, &end))
        for (; start < end; start++) {
            leaf();
            __sync_fetch_and_add((long *)count, 1);
        }
    GOMP_loop_end_nowait();
}
__attribute__((no_instrument_function)) static void region(void *count)
{
    leaf();
    GOMP_parallel_loop_dynamic_start(loop, count, 2, 0, 10, 1, 1);
    loop(count);
    GOMP_parallel_end();
}
int main(void)
{
    long count = 0;
    omp_set_max_active_levels(2);
    for (int i = 0; i < 5; i++) {
        GOMP_parallel_start(region, &count, 3);
        region(&count);
        GOMP_parallel_end();
    }
    return count == 5 * 3 * 10 ? 0 : 1;
}
END
    run_well ./old
    expect_calls old_all.log leaf $((5 * 3 * 11))
    expect_region old_all.log 'omp parallel region' 5
    expect_region old_all.log 'omp parallel loop' 15
    expect_region old_all.log 'omp for loop' 30
    expect_path old_all.log 'leaf<omp for loop<omp parallel loop<omp parallel region<main<init'
    expect_no_stack old_all.log '^leaf<init'
}

# Issue: No cost where no OpenMP is used; switched off, nothing of it is there.
test_openmp_that_is_off_is_passed_on() {
    config '"openmp": {"active": false}'
    build_off
    run_well ./off
    expect_same "$(cat out)" '4 0' output
    expect_calls off_all.log leaf 8
    expect_no_stack off_all.log 'omp '
    VFTR_OFF=1 run_well ./off
    expect_same "$(cat out)" '4 0' output
}

test_pauses_within_regions() {
    config
    build_paused
    run_well ./paused
    expect_calls paused_all.log seen 100
    expect_calls paused_all.log unseen 0
    expect_path paused_all.log 'seen<main<init'
    expect_path paused_all.log 'seen<omp parallel main<main<init'
}

test_fortran_programs() {
    have "$FC" || skip "no Fortran compiler"
    config
    build heat.F90 -fopenmp <<'END'
module numbers
contains
    subroutine leaf(n)
        integer, intent(inout) :: n
        n = n + 1
    end subroutine
end module
program heat
    use numbers
    use omp_lib
    implicit none
    integer :: i, total, mine
    integer(omp_lock_kind) :: lock
    total = 0
    call omp_init_lock(lock)
    !$omp parallel do schedule(dynamic) reduction(+:total) private(mine)
    do i = 1, 40
        mine = i
        call leaf(mine)
        total = total + mine
    end do
    !$omp end parallel do
    !$omp parallel private(mine)
    mine = 0
    call omp_set_lock(lock)
    call leaf(mine)
    call omp_unset_lock(lock)
    !$omp workshare
    total = total + 0
    !$omp end workshare
    !$omp end parallel
    print '(i0)', total
end program
END
    run_well ./heat
    expect_same "$(cat out)" 860 output
    expect_calls heat_all.log numbers::leaf 44
    expect_region heat_all.log 'omp for MAIN' 4
    expect_region heat_all.log 'omp lock MAIN' 4
    expect_path heat_all.log 'numbers::leaf<omp for MAIN<omp parallel MAIN<MAIN<main<init'
}

run_tests
