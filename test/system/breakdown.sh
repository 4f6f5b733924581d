# SPDX-License-Identifier: BSD-3-Clause
# The first screen of a log without MPI: where the time of the threads went. (With MPI: mpi/breakdown.sh)
. "${srcdir:-.}/test/system/lib.sh"
. "$srcdir/test/system/time_shares.sh"

# Issue: I/O where known
test_what_a_thread_sleeps_is_no_computation() {
    build sleeps.c -pthread <<EOF2
#include <pthread.h>
#include <unistd.h>
$burn
static void *sleeper(void *unused) { usleep(300000); return unused; }
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, sleeper, 0);
    burn(0.2);
    pthread_join(thread, 0);
    return 0;
}
EOF2
    config
    run_well ./sleeps
    log=sleeps_all.log
    expect_between "$(cell computation 2)" 0.17 0.25 "seconds of computation"
    expect_between "$(cell 'blocked (I/O, lock, sleep)' 2)" 0.29 9 "seconds of sleep"
}

test_a_thread_that_computes_alone_has_its_time_in_the_head() {
    build computes.c <<EOF2
$burn
int main(void) { burn(0.4); return 0; }
EOF2
    config
    run_well ./computes
    ! grep -q '^Where the time went' computes_all.log || fail "there is a table of what the head tells: $(breakdown_of computes_all.log)"
    expect_between "$(sed -n 's/^CPU time: *\([0-9.]*\) s/\1/p' computes_all.log)" 0.34 0.5 "CPU time in the head"
}

# Issue: OpenMP waiting, parallel efficiency
test_workers_of_openmp_that_have_nothing_to_do_lower_the_efficiency() {
    case $("$cc" --version) in *clang*) skip "the compiler's OpenMP is another one" ;; esac
    build team.c -fopenmp <<EOF2
#include <omp.h>
$burn
int main(void)
{
#pragma omp parallel num_threads(2)
    burn(omp_get_thread_num() ? 0.15 : 0.05);
    burn(0.2);
    return 0;
}
EOF2
    config
    log=team_all.log
    export OMP_WAIT_POLICY=passive
    run_well ./team
    unset OMP_WAIT_POLICY
    expect_between "$(cell computation 2)" 0.34 0.5 "seconds of computation"
    expect_between "$(cell 'OpenMP waiting' 2)" 0.01 9 "seconds of waiting at the end of the region"
    expect_between "$(cell 'OpenMP idle threads' 2)" 0.15 9 "seconds of the worker during the serial part"
    expect_between "$(sed -n 's/^Parallel efficiency \([0-9.]*\) % (OpenMP efficiency .*POP metrics)/\1/p' $log)" 15 62 "parallel efficiency"
}

run_tests
