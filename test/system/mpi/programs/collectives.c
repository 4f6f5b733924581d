// SPDX-License-Identifier: BSD-3-Clause
// Collectives, blocking and not, and persistent where MPI has them: on the world, in place, on an intercommunicator, and with wrong
// arguments. Any even number of ranks.
#include "calls.h"

#if MPI_VERSION >= 4
#define PERSISTENT(name, ...)                                                                      \
    do {                                                                                           \
        MPI_Request request;                                                                       \
        CALL(MPI_##name##_init, __VA_ARGS__, MPI_INFO_NULL, &request);                             \
        for (int round = 0; round < 2; ++round) {                                                  \
            begin_round();                                                                         \
            status = preset();                                                                     \
            CALL(MPI_Start, &request);                                                             \
            CALL(MPI_Wait, &request, &status);                                                     \
            show(#name "_init");                                                                   \
            show_status_error(#name, &status);                                                     \
        }                                                                                          \
        CALL(MPI_Request_free, &request);                                                          \
    } while (0)
#else
#define PERSISTENT(name, ...) (void)0
#endif

// The blocking function, the non-blocking and the persistent one.
#define ALL(name, iname, ...)                                                                      \
    do {                                                                                           \
        MPI_Request request;                                                                       \
        MPI_Status status = preset();                                                              \
        begin_round();                                                                             \
        CALL(MPI_##name, __VA_ARGS__);                                                             \
        show(#name);                                                                               \
        begin_round();                                                                             \
        CALL(MPI_I##iname, __VA_ARGS__, &request);                                                 \
        CALL(MPI_Wait, &request, &status);                                                         \
        show("I" #iname);                                                                          \
        show_status_error(#name, &status);                                                         \
        printf("null %d\n", request == MPI_REQUEST_NULL);                                          \
        PERSISTENT(name, __VA_ARGS__);                                                             \
    } while (0)

static int in_place;
static void begin_round(void)
{
    fill(8);
    if (in_place)
        memcpy(in, out, sizeof in);
}

static Count ones[64];
static Displacement at[64], bytes[64];
static MPI_Datatype ints[64];

static void barrier(MPI_Comm comm)
{
    MPI_Request request;
    MPI_Status status = preset();
    CALL(MPI_Barrier, comm);
    CALL(MPI_Ibarrier, comm, &request);
    CALL(MPI_Wait, &request, &status);
    show_status_error("Ibarrier", &status);
#if MPI_VERSION >= 4
    CALL(MPI_Barrier_init, comm, MPI_INFO_NULL, &request);
    CALL(MPI_Start, &request);
    CALL(MPI_Wait, &request, &status);
    CALL(MPI_Request_free, &request);
#endif
}

static void on_the_world(MPI_Comm comm)
{
    in_place = 0;
    barrier(comm);
    ALL(Bcast, bcast, rank == 0 ? out : in, N, MPI_INT, 0, comm);
    ALL(Gather, gather, out, 1, MPI_INT, in, 1, MPI_INT, 0, comm);
    ALL(Gatherv, gatherv, out, 1, MPI_INT, in, ones, at, MPI_INT, 0, comm);
    ALL(Scatter, scatter, out, 1, MPI_INT, in, 1, MPI_INT, 0, comm);
    ALL(Scatterv, scatterv, out, ones, at, MPI_INT, in, 1, MPI_INT, 0, comm);
    ALL(Allgather, allgather, out, 1, MPI_INT, in, 1, MPI_INT, comm);
    ALL(Allgatherv, allgatherv, out, 1, MPI_INT, in, ones, at, MPI_INT, comm);
    ALL(Alltoall, alltoall, out, 1, MPI_INT, in, 1, MPI_INT, comm);
    ALL(Alltoallv, alltoallv, out, ones, at, MPI_INT, in, ones, at, MPI_INT, comm);
    ALL(Alltoallw, alltoallw, out, ones, bytes, ints, in, ones, bytes, ints, comm);
    ALL(Reduce, reduce, out, in, N, MPI_INT, MPI_SUM, 0, comm);
    ALL(Allreduce, allreduce, out, in, N, MPI_INT, MPI_SUM, comm);
    ALL(Reduce_scatter, reduce_scatter, out, in, ones, MPI_INT, MPI_SUM, comm);
    ALL(Reduce_scatter_block, reduce_scatter_block, out, in, 1, MPI_INT, MPI_SUM, comm);
    ALL(Scan, scan, out, in, N, MPI_INT, MPI_SUM, comm);
    if (rank == 0) { // what rank 0 gets of Exscan is undefined
        ALL(Exscan, exscan, out, in, N, MPI_INT, MPI_SUM, comm);
    } else {
        ALL(Exscan, exscan, out, in, N, MPI_INT, MPI_SUM, comm);
    }
    // Counts and types that only the root knows.
    ALL(Gather, gather, out, 1, MPI_INT, rank == 0 ? in : NULL, rank == 0 ? 1 : -1, rank == 0 ? MPI_INT : MPI_DATATYPE_NULL, 0, comm);
    fill(9);
    CALL(MPI_Reduce_local, out, in, N, MPI_INT, MPI_MAX);
    show("Reduce_local");
}

static void with_in_place(MPI_Comm comm)
{
    in_place = 1;
    if (rank == 0) {
        ALL(Gather, gather, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, 1, MPI_INT, 0, comm);
        ALL(Scatter, scatter, out, 1, MPI_INT, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, 0, comm);
        ALL(Reduce, reduce, MPI_IN_PLACE, in, N, MPI_INT, MPI_SUM, 0, comm);
        ALL(Gatherv, gatherv, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, ones, at, MPI_INT, 0, comm);
        ALL(Scatterv, scatterv, out, ones, at, MPI_INT, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, 0, comm);
    } else {
        ALL(Gather, gather, out, 1, MPI_INT, NULL, 0, MPI_DATATYPE_NULL, 0, comm);
        ALL(Scatter, scatter, NULL, 0, MPI_DATATYPE_NULL, in, 1, MPI_INT, 0, comm);
        ALL(Reduce, reduce, out, NULL, N, MPI_INT, MPI_SUM, 0, comm);
        ALL(Gatherv, gatherv, out, 1, MPI_INT, NULL, NULL, NULL, MPI_DATATYPE_NULL, 0, comm);
        ALL(Scatterv, scatterv, NULL, NULL, NULL, MPI_DATATYPE_NULL, in, 1, MPI_INT, 0, comm);
    }
    ALL(Allgather, allgather, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, 1, MPI_INT, comm);
    ALL(Allgatherv, allgatherv, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, ones, at, MPI_INT, comm);
    ALL(Alltoall, alltoall, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, 1, MPI_INT, comm);
    ALL(Alltoallv, alltoallv, MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, in, ones, at, MPI_INT, comm);
    ALL(Alltoallw, alltoallw, MPI_IN_PLACE, NULL, NULL, NULL, in, ones, bytes, ints, comm);
    ALL(Allreduce, allreduce, MPI_IN_PLACE, in, N, MPI_INT, MPI_MAX, comm);
    ALL(Reduce_scatter, reduce_scatter, MPI_IN_PLACE, in, ones, MPI_INT, MPI_SUM, comm);
    ALL(Reduce_scatter_block, reduce_scatter_block, MPI_IN_PLACE, in, 1, MPI_INT, MPI_SUM, comm);
    ALL(Scan, scan, MPI_IN_PLACE, in, N, MPI_INT, MPI_SUM, comm);
}

// The even ranks on one side, the odd ones on the other.
static void between_two_groups(void)
{
    MPI_Comm half, inter;
    MPI_Request request;
    int root;
    CALL(MPI_Comm_split, MPI_COMM_WORLD, rank % 2, rank, &half);
    CALL(MPI_Intercomm_create, half, 0, MPI_COMM_WORLD, (rank + 1) % 2, 11, &inter);
    in_place = 0;
    CALL(MPI_Barrier, inter);
    fill(10);
    root = rank == 0 ? MPI_ROOT : rank % 2 == 0 ? MPI_PROC_NULL : 0;
    CALL(MPI_Bcast, rank % 2 == 0 ? out : in, N, MPI_INT, root, inter);
    show("Bcast between groups");
    CALL(MPI_Allgather, out, 1, MPI_INT, in, 1, MPI_INT, inter);
    show("Allgather between groups");
    CALL(MPI_Alltoall, out, 1, MPI_INT, in, 1, MPI_INT, inter);
    show("Alltoall between groups");
    CALL(MPI_Allreduce, out, in, N, MPI_INT, MPI_SUM, inter);
    show("Allreduce between groups");
    CALL(MPI_Gather, out, 1, MPI_INT, in, 1, MPI_INT, root, inter);
    show("Gather between groups");
    CALL(MPI_Scatter, out, 1, MPI_INT, in, 1, MPI_INT, root, inter);
    show("Scatter between groups");
    CALL(MPI_Reduce, out, in, N, MPI_INT, MPI_SUM, root, inter);
    show("Reduce between groups");
    CALL(MPI_Ibarrier, inter, &request);
    CALL(MPI_Wait, &request, MPI_STATUS_IGNORE);
    CALL(MPI_Comm_free, &inter);
    CALL(MPI_Comm_free, &half);
}

static void wrong_arguments(void)
{
    MPI_Request request = MPI_REQUEST_NULL;
    fill(11);
    TRIED(MPI_Bcast, in, N, MPI_INT, -3, MPI_COMM_WORLD);
    TRIED(MPI_Bcast, in, N, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD);
    TRIED(MPI_Bcast, in, -1, MPI_INT, 0, MPI_COMM_WORLD);
    TRIED(MPI_Reduce, out, in, N, MPI_INT, MPI_OP_NULL, 0, MPI_COMM_WORLD);
    TRIED(MPI_Allreduce, out, in, N, MPI_DATATYPE_NULL, MPI_SUM, MPI_COMM_WORLD);
    TRIED(MPI_Allreduce, out, in, 1, MPI_INT, MPI_OP_NULL, MPI_COMM_WORLD);
    TRIED(MPI_Gather, out, 1, MPI_DATATYPE_NULL, in, 1, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD);
    TRIED(MPI_Scan, out, in, 1, MPI_INT, MPI_OP_NULL, MPI_COMM_WORLD);
    TRIED(MPI_Ibcast, in, N, MPI_INT, size + 7, MPI_COMM_WORLD, &request);
    TRIED(MPI_Iallreduce, out, in, 2, MPI_INT, MPI_OP_NULL, MPI_COMM_WORLD, &request);
    printf("request null %d\n", request == MPI_REQUEST_NULL);
    show("nothing came");
}

int main(int argc, char **argv)
{
    MPI_Comm pair;
    begin(&argc, &argv);
    for (int i = 0; i < 64; ++i) {
        ones[i] = 1;
        at[i] = i;
        bytes[i] = i * (int)sizeof(int);
        ints[i] = MPI_INT;
    }
    on_the_world(MPI_COMM_WORLD);
    with_in_place(MPI_COMM_WORLD);
    CALL(MPI_Comm_split, MPI_COMM_WORLD, rank / 2, rank, &pair);
    CALL(MPI_Allreduce, out, in, N, MPI_INT, MPI_SUM, pair);
    show("of a pair");
    CALL(MPI_Comm_free, &pair);
    between_two_groups();
    wrong_arguments();
    return end(argc, argv);
}
