// SPDX-License-Identifier: BSD-3-Clause
//
// Calls every wrapped MPI function and counts its own calls. Two ranks or any even number. Prints what it received and
// what the statuses say; with a file name as argument, writes its counts there, a line "name calls" each, with ".<rank>" behind.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_NAMES 200
static struct {
    const char *name;
    int calls;
} counts[MAX_NAMES];

static void count(const char *name)
{
    int i = 0;
    while (counts[i].name && strcmp(counts[i].name, name) != 0)
        ++i;
    counts[i].name = name;
    ++counts[i].calls;
}

#define CALL(function, ...) (count(#function), check(function(__VA_ARGS__), #function))

static int check(int error, const char *name)
{
    if (error != MPI_SUCCESS) {
        printf("%s returned %d\n", name, error);
        exit(3);
    }
    return error;
}

enum { N = 5 };
static int rank, size, other;
static int out[4 * N], in[4 * N];
static unsigned long sum;

static void fill(int value)
{
    for (int i = 0; i < 4 * N; ++i) {
        out[i] = 1000 * value + 100 * rank + i;
        in[i] = -1;
    }
}

// What came, and what the status says of it.
static void show(const char *what, MPI_Status *status)
{
    int number = -1;
    unsigned long total = 0;
    for (int i = 0; i < 4 * N; ++i)
        total = total * 7ul + in[i];
    sum += total;
    if (status) {
        MPI_Get_count(status, MPI_INT, &number);
        printf("%d %s: %d from %d tag %d, %lu\n", rank, what, number, status->MPI_SOURCE, status->MPI_TAG, total);
    } else {
        printf("%d %s: %lu\n", rank, what, total);
    }
}

static void blocking(void)
{
    MPI_Status status;
    char buffer[4 * N * sizeof(int) + 4 * MPI_BSEND_OVERHEAD];
    void *detached;
    int bytes;
    CALL(MPI_Buffer_attach, buffer, (int)sizeof buffer);
    fill(1);
    if (rank % 2 == 0) {
        CALL(MPI_Send, out, N, MPI_INT, other, 1, MPI_COMM_WORLD);
        CALL(MPI_Bsend, out + 1, N - 1, MPI_INT, other, 2, MPI_COMM_WORLD);
        CALL(MPI_Ssend, out + 2, N - 2, MPI_INT, other, 3, MPI_COMM_WORLD);
        CALL(MPI_Recv, in, N, MPI_INT, other, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE); // the receive of tag 4 is posted
        CALL(MPI_Rsend, out + 3, 2, MPI_INT, other, 4, MPI_COMM_WORLD);
    } else {
        MPI_Request request;
        CALL(MPI_Recv, in, 4 * N, MPI_INT, other, 1, MPI_COMM_WORLD, &status);
        show("recv", &status);
        CALL(MPI_Recv, in, 4 * N, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &status);
        show("recv any source", &status);
        CALL(MPI_Recv, in, 4 * N, MPI_INT, other, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        show("recv any tag", &status);
        CALL(MPI_Irecv, in, 4 * N, MPI_INT, other, 4, MPI_COMM_WORLD, &request);
        CALL(MPI_Send, out, 1, MPI_INT, other, 9, MPI_COMM_WORLD);
        CALL(MPI_Wait, &request, &status);
        show("ready", &status);
    }
    CALL(MPI_Buffer_detach, &detached, &bytes);
    fill(2);
    CALL(MPI_Sendrecv, out, N, MPI_INT, other, 5, in, 4 * N, MPI_INT, other, 5, MPI_COMM_WORLD, &status);
    show("sendrecv", &status);
    memcpy(in, out, sizeof in);
    CALL(MPI_Sendrecv_replace, in, N, MPI_INT, other, 6, other, 6, MPI_COMM_WORLD, &status);
    show("sendrecv_replace", &status);
    CALL(MPI_Send, out, N, MPI_INT, MPI_PROC_NULL, 6, MPI_COMM_WORLD);
}

static void nonblocking(void)
{
    MPI_Request requests[4];
    MPI_Status statuses[4], status;
    int index, indices[4], number, flag = 0;
    char buffer[4 * N * sizeof(int) + 4 * MPI_BSEND_OVERHEAD];
    void *detached;
    fill(3);
    CALL(MPI_Buffer_attach, buffer, (int)sizeof buffer);
    for (int i = 0; i < 4; ++i)
        CALL(MPI_Irecv, in + i * N, N, MPI_INT, other, 10 + i, MPI_COMM_WORLD, &requests[i]);
    MPI_Request sends[4];
    CALL(MPI_Barrier, MPI_COMM_WORLD); // the receives are posted
    CALL(MPI_Isend, out, N, MPI_INT, other, 10, MPI_COMM_WORLD, &sends[0]);
    CALL(MPI_Ibsend, out, N - 1, MPI_INT, other, 11, MPI_COMM_WORLD, &sends[1]);
    CALL(MPI_Issend, out, N - 2, MPI_INT, other, 12, MPI_COMM_WORLD, &sends[2]);
    CALL(MPI_Irsend, out, N - 3, MPI_INT, other, 13, MPI_COMM_WORLD, &sends[3]);
    CALL(MPI_Wait, &requests[3], &status);
    show("wait", &status);
    CALL(MPI_Waitall, 4, sends, MPI_STATUSES_IGNORE);
    requests[3] = MPI_REQUEST_NULL;
    CALL(MPI_Waitall, 4, requests, statuses);
    for (int i = 0; i < 3; ++i)
        show("waitall", &statuses[i]);
    CALL(MPI_Buffer_detach, &detached, &number);

    fill(4);
    for (int i = 0; i < 2; ++i)
        CALL(MPI_Irecv, in + i * N, N, MPI_INT, other, 20 + i, MPI_COMM_WORLD, &requests[i]);
    for (int i = 0; i < 2; ++i)
        CALL(MPI_Isend, out, N, MPI_INT, other, 20 + i, MPI_COMM_WORLD, &requests[2 + i]);
    CALL(MPI_Waitany, 4, requests, &index, &status);
    CALL(MPI_Waitsome, 4, requests, &number, indices, statuses);
    do
        CALL(MPI_Testall, 4, requests, &flag, statuses);
    while (!flag);
    show("waitany, waitsome, testall", NULL);

    fill(5);
    CALL(MPI_Irecv, in, N, MPI_INT, other, 30, MPI_COMM_WORLD, &requests[0]);
    CALL(MPI_Isend, out, N, MPI_INT, other, 30, MPI_COMM_WORLD, &requests[1]);
    do
        CALL(MPI_Request_get_status, requests[0], &flag, &status);
    while (!flag);
    show("request_get_status", &status);
    do
        CALL(MPI_Test, &requests[0], &flag, &status);
    while (!flag);
    show("test", &status);
    do
        CALL(MPI_Testany, 2, requests, &index, &flag, &status);
    while (!flag);
    CALL(MPI_Testsome, 2, requests, &number, indices, statuses);
    printf("%d testany: index %d, testsome: %s\n", rank, index, number == MPI_UNDEFINED ? "undefined" : "?");

    // A receive that is taken back, and a request that is given away while it runs.
    CALL(MPI_Irecv, in, N, MPI_INT, other, 40, MPI_COMM_WORLD, &requests[0]);
    CALL(MPI_Cancel, &requests[0]);
    CALL(MPI_Wait, &requests[0], &status);
    MPI_Test_cancelled(&status, &flag);
    CALL(MPI_Isend, out, N, MPI_INT, other, 41, MPI_COMM_WORLD, &requests[0]);
    CALL(MPI_Request_free, &requests[0]);
    CALL(MPI_Recv, in, N, MPI_INT, other, 41, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("%d cancelled: %d, freed: %d\n", rank, flag, requests[0] == MPI_REQUEST_NULL);
}

static void persistent(void)
{
    MPI_Request requests[5];
    MPI_Status statuses[5];
    char buffer[8 * N * sizeof(int) + 8 * MPI_BSEND_OVERHEAD];
    void *detached;
    int bytes;
    CALL(MPI_Buffer_attach, buffer, (int)sizeof buffer);
    for (int kind = 0; kind < 4; ++kind) {
        fill(6);
        CALL(MPI_Recv_init, in, 4 * N, MPI_INT, other, 50, MPI_COMM_WORLD, &requests[0]);
        if (kind == 0)
            CALL(MPI_Send_init, out, N, MPI_INT, other, 50, MPI_COMM_WORLD, &requests[1]);
        else if (kind == 1)
            CALL(MPI_Bsend_init, out, N, MPI_INT, other, 50, MPI_COMM_WORLD, &requests[1]);
        else if (kind == 2)
            CALL(MPI_Ssend_init, out, N, MPI_INT, other, 50, MPI_COMM_WORLD, &requests[1]);
        else
            CALL(MPI_Rsend_init, out, N, MPI_INT, other, 50, MPI_COMM_WORLD, &requests[1]);
        for (int round = 0; round < 3; ++round) {
            CALL(MPI_Start, &requests[0]);
            CALL(MPI_Barrier, MPI_COMM_WORLD);
            CALL(MPI_Startall, 1, &requests[1]);
            CALL(MPI_Waitall, 2, requests, statuses);
            show("persistent", &statuses[0]);
        }
        CALL(MPI_Request_free, &requests[0]);
        CALL(MPI_Request_free, &requests[1]);
    }
    CALL(MPI_Buffer_detach, &detached, &bytes);
}

static void probes(void)
{
    MPI_Status status;
    MPI_Message message;
    MPI_Request send, receive;
    int flag = 0;
    fill(7);
    CALL(MPI_Isend, out, 3, MPI_INT, other, 60, MPI_COMM_WORLD, &send);
    CALL(MPI_Probe, other, 60, MPI_COMM_WORLD, &status);
    show("probe", &status);
    do
        CALL(MPI_Iprobe, other, 60, MPI_COMM_WORLD, &flag, &status);
    while (!flag);
    CALL(MPI_Mprobe, other, 60, MPI_COMM_WORLD, &message, &status);
    CALL(MPI_Mrecv, in, N, MPI_INT, &message, &status);
    show("mrecv", &status);
    CALL(MPI_Wait, &send, MPI_STATUS_IGNORE);
    CALL(MPI_Isend, out, 2, MPI_INT, other, 61, MPI_COMM_WORLD, &send);
    flag = 0;
    do
        CALL(MPI_Improbe, other, 61, MPI_COMM_WORLD, &flag, &message, &status);
    while (!flag);
    CALL(MPI_Imrecv, in, N, MPI_INT, &message, &receive);
    CALL(MPI_Wait, &receive, &status);
    show("imrecv", &status);
    CALL(MPI_Wait, &send, MPI_STATUS_IGNORE);
}

// BOTH(Bcast, bcast, …): the blocking function, then the non-blocking one to its end.
#define BOTH(name, iname, ...)                                                                     \
    do {                                                                                           \
        MPI_Request request;                                                                       \
        fill(8);                                                                                   \
        CALL(MPI_##name, __VA_ARGS__);                                                             \
        show(#name, NULL);                                                                         \
        fill(9);                                                                                   \
        CALL(MPI_I##iname, __VA_ARGS__, &request);                                                 \
        CALL(MPI_Wait, &request, MPI_STATUS_IGNORE);                                               \
        show("I" #iname, NULL);                                                                    \
    } while (0)

static void collectives(MPI_Comm comm)
{
    const int one[] = {1, 1}, at[] = {0, 1}, bytes[] = {0, sizeof(int)};
    const MPI_Datatype ints[] = {MPI_INT, MPI_INT};
    MPI_Request request;
    CALL(MPI_Barrier, comm);
    CALL(MPI_Ibarrier, comm, &request);
    CALL(MPI_Wait, &request, MPI_STATUS_IGNORE);
    BOTH(Bcast, bcast, rank == 0 ? out : in, N, MPI_INT, 0, comm);
    BOTH(Gather, gather, out, 1, MPI_INT, in, 1, MPI_INT, 0, comm);
    BOTH(Gatherv, gatherv, out, 1, MPI_INT, in, one, at, MPI_INT, 0, comm);
    BOTH(Scatter, scatter, out, 1, MPI_INT, in, 1, MPI_INT, 0, comm);
    BOTH(Scatterv, scatterv, out, one, at, MPI_INT, in, 1, MPI_INT, 0, comm);
    BOTH(Allgather, allgather, out, 1, MPI_INT, in, 1, MPI_INT, comm);
    BOTH(Allgatherv, allgatherv, out, 1, MPI_INT, in, one, at, MPI_INT, comm);
    BOTH(Alltoall, alltoall, out, 1, MPI_INT, in, 1, MPI_INT, comm);
    BOTH(Alltoallv, alltoallv, out, one, at, MPI_INT, in, one, at, MPI_INT, comm);
    BOTH(Alltoallw, alltoallw, out, one, bytes, ints, in, one, bytes, ints, comm);
    BOTH(Reduce, reduce, out, in, N, MPI_INT, MPI_SUM, 0, comm);
    BOTH(Allreduce, allreduce, out, in, N, MPI_INT, MPI_SUM, comm);
    BOTH(Reduce_scatter, reduce_scatter, out, in, one, MPI_INT, MPI_SUM, comm);
    BOTH(Reduce_scatter_block, reduce_scatter_block, out, in, 1, MPI_INT, MPI_SUM, comm);
    BOTH(Scan, scan, out, in, N, MPI_INT, MPI_SUM, comm);
    BOTH(Exscan, exscan, out, in, N, MPI_INT, MPI_SUM, comm);
    fill(10);
    memcpy(in, out, sizeof in);
    CALL(MPI_Allreduce, MPI_IN_PLACE, in, N, MPI_INT, MPI_MAX, comm);
    show("in place", NULL);
}

// On a ring every rank has two neighbours.
static void neighbours(void)
{
    const int dims[] = {size}, periods[] = {1}, one[] = {1, 1}, at[] = {0, 1};
    const MPI_Aint bytes[] = {0, sizeof(int)};
    const MPI_Datatype ints[] = {MPI_INT, MPI_INT};
    MPI_Comm ring;
    MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &ring);
    BOTH(Neighbor_allgather, neighbor_allgather, out, 1, MPI_INT, in, 1, MPI_INT, ring);
    BOTH(Neighbor_allgatherv, neighbor_allgatherv, out, 1, MPI_INT, in, one, at, MPI_INT, ring);
    BOTH(Neighbor_alltoall, neighbor_alltoall, out, 1, MPI_INT, in, 1, MPI_INT, ring);
    BOTH(Neighbor_alltoallv, neighbor_alltoallv, out, one, at, MPI_INT, in, one, at, MPI_INT, ring);
    BOTH(Neighbor_alltoallw, neighbor_alltoallw, out, one, bytes, ints, in, one, bytes, ints, ring);
    MPI_Comm_free(&ring);
}

int main(int argc, char **argv)
{
    MPI_Comm pair;
    CALL(MPI_Init, &argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    other = rank ^ 1;
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &pair);
    blocking();
    nonblocking();
    persistent();
    probes();
    collectives(pair);
    neighbours();
    MPI_Comm_free(&pair);
    CALL(MPI_Finalize);
    printf("%d sum %lu\n", rank, sum);
    if (argc > 1) {
        char name[4096];
        snprintf(name, sizeof name, "%s.%d", argv[1], rank);
        FILE *file = fopen(name, "w");
        for (int i = 0; counts[i].name; ++i)
            fprintf(file, "%s %d\n", counts[i].name, counts[i].calls);
        fclose(file);
    }
    return 0;
}
