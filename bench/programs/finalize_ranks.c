// SPDX-License-Identifier: BSD-3-Clause
// How long MPI_Finalize takes on the slowest rank, in ms: finalize_ranks FILE. Rank 0 appends it to FILE after the library's end.
#include <mpi.h>
#include <stdio.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static void work(int depth)
{
    if (depth > 0)
        work(depth - 1);
}

int main(int argc, char **argv)
{
    int rank;
    FILE *file;
    double begin;
    MPI_Init(&argc, &argv);
    if (argc < 2)
        MPI_Abort(MPI_COMM_WORLD, 2);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    work(20);
    MPI_Barrier(MPI_COMM_WORLD);
    begin = now();
    MPI_Finalize(); // ends when the last rank has come, so any rank may tell
    if (rank != 0)
        return 0;
    file = fopen(argv[1], "a");
    if (!file)
        return 1;
    fprintf(file, "%.3f\n", now() - begin);
    return fclose(file);
}
