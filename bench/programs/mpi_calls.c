/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the MPI wrappers cost: mpirun -n 2 mpi_calls [ROUNDS]
 *
 * Each workload runs alternately through MPI_ (recorded) and PMPI_ (the MPI library alone), many short rounds in one
 * process, so that whatever the machine does meanwhile falls on both. Prints a line per workload: its name, the median of the
 * differences of neighbouring rounds and the median of the plain rounds, both in nanoseconds per message, call or request.
 */
#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>

#define REQUESTS 1000

static int rank;
static MPI_Comm other_comm;

struct library {
    int (*send)(const void *, int, MPI_Datatype, int, int, MPI_Comm);
    int (*recv)(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status *);
    int (*allreduce)(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm);
    int (*isend)(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
    int (*irecv)(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
    int (*waitall)(int, MPI_Request[], MPI_Status[]);
};
static const struct library recorded = {MPI_Send, MPI_Recv, MPI_Allreduce, MPI_Isend, MPI_Irecv, MPI_Waitall};
static const struct library plain = {PMPI_Send, PMPI_Recv, PMPI_Allreduce, PMPI_Isend, PMPI_Irecv, PMPI_Waitall};

/* Each returns the number of things that the time is to be divided by. */
static int ping_pong(const struct library *mpi)
{
    double data = 0;
    const int messages = 200;
    for (int i = 0; i < messages; i++)
        if ((i + rank) % 2 == 0)
            mpi->send(&data, 1, MPI_DOUBLE, 1 - rank, 7, MPI_COMM_WORLD);
        else
            mpi->recv(&data, 1, MPI_DOUBLE, 1 - rank, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return messages;
}

static int reduce_over(const struct library *mpi, MPI_Comm comm)
{
    const int calls = 200;
    for (int i = 0; i < calls; i++) {
        double mine = i, sum;
        mpi->allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, comm);
    }
    return calls;
}
static int allreduce(const struct library *mpi) { return reduce_over(mpi, MPI_COMM_WORLD); }
static int allreduce_other(const struct library *mpi) { return reduce_over(mpi, other_comm); }

/* So many receives, so many sends, and one MPI_Waitall for all of them. */
static void exchange(const struct library *mpi, int messages)
{
    static double in[REQUESTS / 2], out[REQUESTS / 2];
    static MPI_Request requests[REQUESTS];
    for (int i = 0; i < messages; i++)
        mpi->irecv(&in[i], 1, MPI_DOUBLE, 1 - rank, i, MPI_COMM_WORLD, &requests[i]);
    for (int i = 0; i < messages; i++)
        mpi->isend(&out[i], 1, MPI_DOUBLE, 1 - rank, i, MPI_COMM_WORLD, &requests[messages + i]);
    mpi->waitall(2 * messages, requests, MPI_STATUSES_IGNORE);
}
static int many_requests(const struct library *mpi)
{
    exchange(mpi, REQUESTS / 2);
    return REQUESTS;
}
static int exchanges(const struct library *mpi, int messages)
{
    const int times = 50;
    for (int i = 0; i < times; i++)
        exchange(mpi, messages);
    return times * 2 * messages;
}
static int windows_of_four(const struct library *mpi) { return exchanges(mpi, 4); }
static int windows_of_eight(const struct library *mpi) { return exchanges(mpi, 8); }

static double seconds_each(int (*workload)(const struct library *), const struct library *mpi)
{
    PMPI_Barrier(MPI_COMM_WORLD);
    double begin = PMPI_Wtime();
    int count = workload(mpi);
    return (PMPI_Wtime() - begin) / count;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}
static double median(double *values, int n)
{
    qsort(values, (size_t)n, sizeof *values, ascending);
    return values[n / 2];
}

static void measure(const char *name, int (*workload)(const struct library *), int rounds)
{
    double *more = malloc(sizeof *more * (size_t)rounds), *alone = malloc(sizeof *alone * (size_t)rounds);
    seconds_each(workload, &plain);
    seconds_each(workload, &recorded);
    for (int i = 0; i < rounds; i++) {
        double first = seconds_each(workload, i % 2 ? &plain : &recorded);
        double second = seconds_each(workload, i % 2 ? &recorded : &plain);
        alone[i] = i % 2 ? first : second;
        more[i] = i % 2 ? second - first : first - second;
    }
    if (rank == 0)
        printf("%s %.1f %.1f\n", name, 1e9 * median(more, rounds), 1e9 * median(alone, rounds));
    free(more);
    free(alone);
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 1000;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &other_comm);
    measure("ping-pong", ping_pong, rounds);
    measure("allreduce", allreduce, rounds);
    measure("allreduce_other", allreduce_other, rounds);
    measure("requests", many_requests, rounds);
    measure("windows_of_four", windows_of_four, rounds);
    measure("windows_of_eight", windows_of_eight, rounds);
    MPI_Comm_free(&other_comm);
    MPI_Finalize();
    return 0;
}
