// SPDX-License-Identifier: BSD-3-Clause
// Collective calls of 4 ranks, blocking and not, on MPI_COMM_WORLD and on a communicator of another order: what each moves as vftrace
// counts it (the root sends to itself too, but with MPI_IN_PLACE nobody does).
#include "expect.h"

enum { P = 4, ROOM = 100, I = sizeof(int), D = sizeof(double) };
static int a[ROOM], b[ROOM];
static MPI_Comm comm;
static int me;       // place in comm
static int world[P]; // rank of each place
static MPI_Request request;

// MPI_Bcast and MPI_Ibcast.
#define BOTH(blocking, other, ...)                                                                 \
    MUST(MPI_##blocking(__VA_ARGS__));                                                             \
    MUST(MPI_##other(__VA_ARGS__, &request));                                                      \
    MUST(MPI_Wait(&request, MPI_STATUS_IGNORE))
static void both(const char *name, const char *direction, int place, long bytes)
{
    char text[64];
    snprintf(text, sizeof text, "MPI_%s", name);
    moves(text, direction, world[place], -1, bytes);
    snprintf(text, sizeof text, "MPI_I%c%s", name[0] - 'A' + 'a', name + 1);
    moves(text, direction, world[place], -1, bytes);
}
#define SENDS(name, place, bytes) both(#name, "send", place, bytes)
#define GETS(name, place, bytes) both(#name, "recv", place, bytes)
#define EACH(i) for (int i = 0; i < P; ++i)
#define OTHER(i)                                                                                   \
    EACH(i)                                                                                        \
    if (i == me) {                                                                                 \
    } else

static Count counts[P] = {1, 0, 2, 3};
static Displacement displacements[P] = {0, 10, 20, 30};

static void one_to_all(int root)
{
    const int here = me == root;
    BOTH(Bcast, Ibcast, a, 3, MPI_INT, root, comm);
    EACH(i) if (here) SENDS(Bcast, i, 3 * I);
    GETS(Bcast, root, 3 * I);
    // What has no meaning on this rank may be anything.
    MPI_Datatype sent = here ? MPI_INT : MPI_DATATYPE_NULL;
    BOTH(Scatter, Iscatter, a, here ? 2 : -5, sent, b, 2, MPI_INT, root, comm);
    EACH(i) if (here) SENDS(Scatter, i, 2 * I);
    GETS(Scatter, root, 2 * I);
    BOTH(Scatter, Iscatter, a, 2, MPI_INT, here ? MPI_IN_PLACE : b, 2, MPI_INT, root, comm);
    if (here) {
        OTHER(i) SENDS(Scatter, i, 2 * I);
    } else {
        GETS(Scatter, root, 2 * I);
    }
    BOTH(Scatterv, Iscatterv, a, here ? counts : NULL, displacements, sent, b, counts[me], MPI_INT, root, comm);
    EACH(i) if (here) SENDS(Scatterv, i, counts[i] * I);
    GETS(Scatterv, root, counts[me] * I);
}

static void all_to_one(int root)
{
    const int here = me == root;
    MPI_Datatype received = here ? MPI_INT : MPI_DATATYPE_NULL;
    BOTH(Gather, Igather, a, 2, MPI_INT, b, here ? 2 : -5, received, root, comm);
    SENDS(Gather, root, 2 * I);
    EACH(i) if (here) GETS(Gather, i, 2 * I);
    BOTH(Gatherv, Igatherv, a, counts[me], MPI_INT, b, here ? counts : NULL, displacements, received, root, comm);
    SENDS(Gatherv, root, counts[me] * I);
    EACH(i) if (here) GETS(Gatherv, i, counts[i] * I);
    BOTH(Gatherv, Igatherv, here ? MPI_IN_PLACE : a, counts[me], MPI_INT, b, counts, displacements, MPI_INT, root, comm);
    if (here) {
        OTHER(i) GETS(Gatherv, i, counts[i] * I);
    } else {
        SENDS(Gatherv, root, counts[me] * I);
    }
    BOTH(Reduce, Ireduce, a, b, 3, MPI_INT, MPI_SUM, root, comm);
    SENDS(Reduce, root, 3 * I);
    EACH(i) if (here) GETS(Reduce, i, 3 * I);
    BOTH(Reduce, Ireduce, here ? MPI_IN_PLACE : a, b, 3, MPI_INT, MPI_SUM, root, comm);
    if (here) {
        OTHER(i) GETS(Reduce, i, 3 * I);
    } else {
        SENDS(Reduce, root, 3 * I);
    }
}

static void all_to_all(void)
{
    MPI_Datatype types[P] = {MPI_INT, MPI_DOUBLE, MPI_INT, MPI_INT};
    Count mine[P];
    EACH(i) mine[i] = counts[me];
    BOTH(Allreduce, Iallreduce, a, b, 5, MPI_INT, MPI_SUM, comm);
    EACH(i) SENDS(Allreduce, i, 5 * I), GETS(Allreduce, i, 5 * I);
    BOTH(Allreduce, Iallreduce, MPI_IN_PLACE, b, 5, MPI_INT, MPI_SUM, comm);
    OTHER(i) SENDS(Allreduce, i, 5 * I), GETS(Allreduce, i, 5 * I);
    BOTH(Allgather, Iallgather, a, 2, MPI_INT, b, 2, MPI_INT, comm);
    EACH(i) SENDS(Allgather, i, 2 * I), GETS(Allgather, i, 2 * I);
    BOTH(Allgather, Iallgather, MPI_IN_PLACE, 7, MPI_DATATYPE_NULL, b, 2, MPI_INT, comm);
    OTHER(i) SENDS(Allgather, i, 2 * I), GETS(Allgather, i, 2 * I);
    BOTH(Allgatherv, Iallgatherv, a, counts[me], MPI_INT, b, counts, displacements, MPI_INT, comm);
    EACH(i) SENDS(Allgatherv, i, counts[me] * I), GETS(Allgatherv, i, counts[i] * I);
    BOTH(Allgatherv, Iallgatherv, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, b, counts, displacements, MPI_INT, comm);
    OTHER(i) SENDS(Allgatherv, i, counts[me] * I), GETS(Allgatherv, i, counts[i] * I);
    BOTH(Alltoall, Ialltoall, a, 2, MPI_INT, b, 2, MPI_INT, comm);
    EACH(i) SENDS(Alltoall, i, 2 * I), GETS(Alltoall, i, 2 * I);
    BOTH(Alltoallv, Ialltoallv, a, counts, displacements, MPI_INT, b, mine, displacements, MPI_INT, comm);
    EACH(i) SENDS(Alltoallv, i, counts[i] * I), GETS(Alltoallv, i, counts[me] * I);
    // Place 1 has doubles, of which nobody sends any to it.
    Displacement bytes[P] = {0, 40, 80, 120};
    Count one[P] = {1, 0, 1, 1}, here[P];
    MPI_Datatype mine_types[P];
    EACH(i) here[i] = one[me], mine_types[i] = types[me];
    BOTH(Alltoallw, Ialltoallw, a, one, bytes, types, b, here, bytes, mine_types, comm);
    EACH(i) SENDS(Alltoallw, i, one[i] * I), GETS(Alltoallw, i, one[me] * I);
    BOTH(Barrier, Ibarrier, comm);
}

static void chains(void)
{
    BOTH(Scan, Iscan, a, b, 3, MPI_INT, MPI_SUM, comm);
    BOTH(Exscan, Iexscan, MPI_IN_PLACE, b, 2, MPI_INT, MPI_SUM, comm);
    if (me + 1 < P)
        SENDS(Scan, me + 1, 3 * I), SENDS(Exscan, me + 1, 2 * I);
    if (me > 0)
        GETS(Scan, me - 1, 3 * I), GETS(Exscan, me - 1, 2 * I);
    BOTH(Reduce_scatter, Ireduce_scatter, a, b, counts, MPI_INT, MPI_SUM, comm);
    SENDS(Reduce_scatter, 0, 6 * I), GETS(Reduce_scatter, 0, counts[me] * I);
    EACH(i) if (me == 0) GETS(Reduce_scatter, i, 6 * I), SENDS(Reduce_scatter, i, counts[i] * I);
    BOTH(Reduce_scatter_block, Ireduce_scatter_block, MPI_IN_PLACE, b, 2, MPI_INT, MPI_SUM, comm);
    if (me == 0) {
        OTHER(i) GETS(Reduce_scatter_block, i, 8 * I), SENDS(Reduce_scatter_block, i, 2 * I);
    } else {
        SENDS(Reduce_scatter_block, 0, 8 * I), GETS(Reduce_scatter_block, 0, 2 * I);
    }
}

static void on(MPI_Comm which)
{
    comm = which;
    MPI_Comm_rank(comm, &me);
    PMPI_Allgather(&rank, 1, MPI_INT, world, 1, MPI_INT, comm);
    one_to_all(1);
    all_to_one(2);
    all_to_all();
    chains();
}

int main(int argc, char **argv)
{
    MPI_Comm turned;
    MPI_Init(&argc, &argv);
    begin_expecting();
    on(MPI_COMM_WORLD);
    MPI_Comm_split(MPI_COMM_WORLD, 0, size - rank, &turned);
    on(turned);
    MPI_Comm_free(&turned);
    MPI_Comm_split(MPI_COMM_WORLD, 0, (rank + 2) % P, &turned); // perhaps with the same handle
    on(turned);
    MPI_Comm_free(&turned);
    MPI_Finalize();
    return fclose(expected);
}
