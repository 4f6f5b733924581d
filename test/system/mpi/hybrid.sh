# SPDX-License-Identifier: BSD-3-Clause
# MPI and OpenMP in one program.
. "${srcdir:-.}/test/system/mpi/lib_mpi.sh"
. "$srcdir/test/system/openmp/openmp.sh"
. "$srcdir/test/system/thread_rows.sh"

cc=gcc cxx=g++
have gcc || { echo "skip: no gcc" && exit 77; }
export OMP_NUM_THREADS=2

# Issue: MPI+OpenMP hybrids. The threads of all ranks work, the first of each calls MPI.
test_the_merged_log_has_the_regions_of_all_ranks() {
    config
    build_mpi funneled.c -fopenmp <<'END'
#include <mpi.h>
#include <stdio.h>
static double leaf(int i) { return i; }
static double solve(int rank)
{
    double sum = 0, all = 0;
#pragma omp parallel reduction(+ : sum)
    {
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 10; i++)
            sum += leaf(i + rank);
#pragma omp master
        MPI_Allreduce(&(double){1}, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    return all;
}
int main(int argc, char **argv)
{
    int rank, provided;
    double sum = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 5; i++)
        sum = solve(rank);
    if (rank == 0)
        printf("%.0f\n", sum);
    MPI_Finalize();
    return 0;
}
END
    ranks_well 2 ./funneled
    expect_same "$(cat out)" 100 output
    expect_calls funneled_all.log leaf 100
    expect_calls funneled_all.log MPI_Allreduce 10
    expect_region funneled_all.log 'omp parallel solve' 10
    expect_region funneled_all.log 'omp for solve' 20
    expect_path funneled_all.log 'leaf<omp for solve<omp parallel solve<solve<main<init'
    expect_path funneled_all.log 'MPI_Allreduce<omp parallel solve<solve<main<init'
    expect_no_stack funneled_all.log '^leaf<(omp for [^<]*<)?init'
}

# Likewise; every thread calls MPI.
test_mpi_calls_of_workers_are_below_the_region() {
    config '"mpi": {"log_messages": true}'
    build_mpi multiple.c -fopenmp <<'END'
#include <mpi.h>
#include <omp.h>
#include <stdio.h>
static void exchange(int peer)
{
    int sent = omp_get_thread_num(), got = -1;
    MPI_Sendrecv(&sent, 1, MPI_INT, peer, sent, &got, 1, MPI_INT, peer, sent, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (got != sent)
        MPI_Abort(MPI_COMM_WORLD, 1);
}
int main(int argc, char **argv)
{
    int rank, provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (provided == MPI_THREAD_MULTIPLE) {
        for (int i = 0; i < 10; i++) {
#pragma omp parallel
            exchange(1 - rank);
        }
        printf("exchanged\n");
    }
    MPI_Finalize();
    return 0;
}
END
    ranks_patiently 2 ./multiple
    expect_status 0
    expect_silence
    grep -q exchanged out || skip 'this MPI lets one thread call it only'
    expect_calls multiple_all.log exchange 40
    expect_calls multiple_all.log MPI_Sendrecv 40
    expect_region multiple_all.log 'omp parallel main' 20
    expect_path multiple_all.log 'MPI_Sendrecv<exchange<omp parallel main<main<init'
    expect_no_stack multiple_all.log '^(MPI_Sendrecv<)?exchange<init'
}

# Issue: Per-thread profiles merged into the process profile; tables show threads.
test_the_threads_of_all_ranks_are_in_one_table() {
    config '"print_config": false'
    build_mpi spread.c <<'END'
#include <mpi.h>
#include <pthread.h>
static void unit(void) {}
static void *work(void *count)
{
    for (long i = 0; i < (long)count; i++)
        unit();
    return count;
}
static void start(pthread_t *thread, long count) { pthread_create(thread, 0, work, (void *)count); }
int main(int argc, char **argv)
{
    int rank, provided;
    pthread_t threads[2];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 2; i++)
        start(&threads[i], 10 * rank + i + 1);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    MPI_Finalize();
    return 0;
}
END
    ranks_well 2 ./spread
    expect_same "$(thread_rows spread_all.log Rank 'Started by' Calls 'Start function' | grep 'work$' | sort | tr '\n' ' ')" \
        '0|0|2|work 0|0|3|work 1|0|12|work 1|0|13|work ' "rank, creator, calls"
    expect_same "$(thread_rows spread_all.log 'Start function' STID | sed -n 's/^work|//p' | sort -u | while read -r id; do stack_of spread_all.log "$id"; done)" \
        'start<main<init' "where they were created"
    grep -q '^6 threads, 4 of them started by others; t_func of these: longest .* (thread [12] of rank [01]), ' spread_all.log ||
        fail "$(grep ' threads, ' spread_all.log)"
    report spread_all.vfd
    cmp report spread_all.log || fail "vftr report makes another log"
}

run_tests
