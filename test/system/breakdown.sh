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
    expect_between "$(cell 'blocked (I/O, lock, sleep)' 2)" 0.29 99 "seconds of sleep"
}

# Issue: threads that are still blocked when the process ends count as computation
test_threads_that_are_blocked_when_the_process_ends_do_not_compute() {
    build blocked.c -pthread <<EOF2
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>
$burn
static sem_t waits, never;
static void helper(void) { __asm__ volatile(""); }
static void *blocks_at_once(void *unused) { sem_post(&waits); sem_wait(&never); return unused; }
static void *blocks_later(void *unused) { burn(0.1); helper(); sem_post(&waits); sem_wait(&never); return unused; }
int main(void)
{
    pthread_t threads[3];
    pthread_create(&threads[0], 0, blocks_at_once, 0);
    pthread_create(&threads[1], 0, blocks_at_once, 0);
    pthread_create(&threads[2], 0, blocks_later, 0);
    for (int i = 0; i < 3; i++)
        sem_wait(&waits);
    burn(0.4);
    return 0;
}
EOF2
    config
    run_well ./blocked
    log=blocked_all.log
    expect_between "$(cell computation 2)" 0.45 0.65 "seconds of computation"
    expect_between "$(cell 'blocked (I/O, lock, sleep)' 2)" 1.1 99 "seconds of waits"
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
    burn(omp_get_thread_num() ? 0.3 : 0.05); /* the first waits, whichever of them has a core */
    burn(0.2);
    return 0;
}
EOF2
    config
    log=team_all.log
    export OMP_WAIT_POLICY=passive
    run_well ./team
    unset OMP_WAIT_POLICY
    expect_between "$(cell computation 2)" 0.49 0.65 "seconds of computation"
    expect_between "$(cell 'OpenMP waiting' 2)" 0.05 99 "seconds of waiting at the end of the region"
    expect_between "$(cell 'OpenMP idle threads' 2)" 0.15 99 "seconds of the worker during the serial part"
    expect_between "$(sed -n 's/^Parallel efficiency \([0-9.]*\) % (OpenMP efficiency .*POP metrics)/\1/p' $log)" 1 80 "parallel efficiency"
}

# Issue: the efficiency of OpenMP was 1 % where the table said that threads worked for a fifth of their time, as workers came and went
test_workers_of_openmp_that_come_and_go_count_for_as_long_as_they_lived() {
    case $("$cc" --version) in *clang*) skip "the compiler's OpenMP is another one" ;; esac
    build changing.c -fopenmp <<EOF2
$burn
int main(void)
{
    for (int i = 0; i < 100; ++i) {
#pragma omp parallel num_threads(2)
        burn(0.001);
#pragma omp parallel num_threads(i % 2 ? 2 : 4)
        burn(0.001);
    }
    return 0;
}
EOF2
    config
    log=changing_all.log
    export OMP_WAIT_POLICY=passive
    run_well ./changing
    unset OMP_WAIT_POLICY
    # All but overhead and waits for a core are the threads' lives.
    local share
    share=$(breakdown_of $log | awk -F'|' 'NF > 4 && $3 + 0 > 0 { n = $3 + 0; if ($2 ~ /computation/) work = n; if ($2 ~ /computation|OpenMP/) all += n } END { print 100 * work / all }')
    expect_between "$(sed -n 's/^Parallel efficiency .*OpenMP efficiency \([0-9.]*\) %.*/\1/p' $log)" "$(awk -v s="$share" 'BEGIN { print 0.5 * s }')" 100 "OpenMP efficiency, of $share % in the table,"
}

# Issue: programs without OpenMP but with forked children got an OpenMP efficiency
test_forked_children_without_openmp_have_no_efficiency_of_openmp() {
    build forks.c <<EOF2
#include <sys/wait.h>
#include <unistd.h>
$burn
int main(void)
{
    if (fork() == 0) {
        burn(0.1);
        return 0;
    }
    wait(0);
    burn(0.1);
    return 0;
}
EOF2
    config
    run_well ./forks
    log=report
    report ./*.vfd
    expect_between "$(cell computation 2)" 0.15 99 "seconds of computation of both"
    ! breakdown_of report | grep -q OpenMP || fail "it tells of OpenMP: $(breakdown_of report)"
}

run_tests
