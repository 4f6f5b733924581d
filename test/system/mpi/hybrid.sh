# SPDX-License-Identifier: BSD-3-Clause
# MPI and OpenMP in one program.
. "${srcdir:-.}/test/system/mpi/lib_mpi.sh"
. "$srcdir/test/system/openmp/paths.sh"

cc=gcc cxx=g++
have gcc || { echo "skip: no gcc" && exit 77; }
export OMP_NUM_THREADS=2 OMP_DYNAMIC=false OMP_WAIT_POLICY=passive

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

run_tests
