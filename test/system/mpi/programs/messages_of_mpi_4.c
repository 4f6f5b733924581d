// SPDX-License-Identifier: BSD-3-Clause
// 2 ranks: what MPI 4 adds. Partitioned messages, persistent collective calls and MPI_Isendrecv. (Large counts: the other programs.)
#include "expect.h"

enum { I = sizeof(int), N = 12 };
static int a[100], b[100];

#if MPI_VERSION >= 4
enum { ROUNDS = 3, ROOT = 1 };
static const Count counts[2] = {1, 3};
static const Displacement displacements[2] = {0, 9};

static void goes(const char *direction, int peer, long bytes)
{
    for (int round = 0; round < ROUNDS; ++round)
        moves("MPI_Start", direction, peer, -1, bytes);
}

// What a persistent collective call moves belongs to its starts.
#define PERSISTENT(function, ...)                                                                  \
    MUST(MPI_##function##_init(__VA_ARGS__, MPI_INFO_NULL, &request));                             \
    for (int round = 0; round < ROUNDS; ++round) {                                                 \
        MUST(MPI_Start(&request));                                                                 \
        MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));                                               \
    }                                                                                              \
    MUST(MPI_Request_free(&request))

static void persistent_with_a_root(MPI_Comm comm)
{
    MPI_Request request;
    const int here = rank == ROOT;
    PERSISTENT(Bcast, a, 1, MPI_INT, ROOT, comm);
    PERSISTENT(Scatter, a, 2, MPI_INT, b, 2, MPI_INT, ROOT, comm);
    PERSISTENT(Scatterv, a, here ? counts : NULL, displacements, MPI_INT, b, counts[rank], MPI_INT, ROOT, comm);
    const long received[3] = {I, 2 * I, counts[rank] * I};
    for (int call = 0; call < 3; ++call)
        goes("recv", ROOT, received[call]);
    PERSISTENT(Gather, a, 4, MPI_INT, b, 4, MPI_INT, ROOT, comm);
    PERSISTENT(Gatherv, a, counts[rank], MPI_INT, b, here ? counts : NULL, displacements, MPI_INT, ROOT, comm);
    PERSISTENT(Reduce, a, b, 5, MPI_INT, MPI_SUM, ROOT, comm);
    const long sent[3] = {4 * I, counts[rank] * I, 5 * I};
    for (int call = 0; call < 3; ++call)
        goes("send", ROOT, sent[call]);
    for (int i = 0; here && i < 2; ++i) {
        goes("send", i, I), goes("send", i, 2 * I), goes("send", i, counts[i] * I);
        goes("recv", i, 4 * I), goes("recv", i, counts[i] * I), goes("recv", i, 5 * I);
    }
}

static void persistent_of_all(MPI_Comm comm)
{
    MPI_Request request;
    const Count mine[2] = {counts[rank], counts[rank]};
    const Displacement bytes[2] = {0, 36};
    const MPI_Datatype types[2] = {MPI_INT, MPI_INT};
    PERSISTENT(Barrier, comm);
    PERSISTENT(Allgather, a, 6, MPI_INT, b, 6, MPI_INT, comm);
    PERSISTENT(Allgatherv, a, counts[rank], MPI_INT, b, counts, displacements, MPI_INT, comm);
    PERSISTENT(Alltoall, a, 7, MPI_INT, b, 7, MPI_INT, comm);
    PERSISTENT(Alltoallv, a, counts, displacements, MPI_INT, b, mine, displacements, MPI_INT, comm);
    PERSISTENT(Alltoallw, a, counts, bytes, types, b, mine, bytes, types, comm);
    PERSISTENT(Allreduce, a, b, 8, MPI_INT, MPI_SUM, comm);
    for (int i = 0; i < 2; ++i) {
        goes("send", i, 6 * I), goes("recv", i, 6 * I);
        goes("send", i, counts[rank] * I), goes("recv", i, counts[i] * I);
        goes("send", i, 7 * I), goes("recv", i, 7 * I);
        for (int call = 0; call < 2; ++call)
            goes("send", i, counts[i] * I), goes("recv", i, counts[rank] * I);
        goes("send", i, 8 * I), goes("recv", i, 8 * I);
    }
    PERSISTENT(Scan, a, b, 9, MPI_INT, MPI_SUM, comm);
    PERSISTENT(Exscan, a, b, 10, MPI_INT, MPI_SUM, comm);
    goes(rank ? "recv" : "send", 1 - rank, 9 * I);
    goes(rank ? "recv" : "send", 1 - rank, 10 * I);
    PERSISTENT(Reduce_scatter, a, b, counts, MPI_INT, MPI_SUM, comm);
    PERSISTENT(Reduce_scatter_block, a, b, 5, MPI_INT, MPI_SUM, comm);
    goes("send", 0, 4 * I), goes("recv", 0, counts[rank] * I);
    goes("send", 0, 10 * I), goes("recv", 0, 5 * I);
    for (int i = 0; rank == 0 && i < 2; ++i) {
        goes("recv", i, 4 * I), goes("send", i, counts[i] * I);
        goes("recv", i, 10 * I), goes("send", i, 5 * I);
    }
}

// A line of two: each has one neighbour.
static void persistent_of_neighbours(void)
{
    MPI_Comm line;
    MPI_Request request;
    const int two = 2, open = 0;
    const Count ones[2] = {1, 1};
    const MPI_Aint bytes[2] = {0, 36};
    const MPI_Datatype types[2] = {MPI_INT, MPI_INT};
    MUST(MPI_Cart_create(MPI_COMM_WORLD, 1, &two, &open, 0, &line));
    PERSISTENT(Neighbor_allgather, a, 2, MPI_INT, b, 2, MPI_INT, line);
    PERSISTENT(Neighbor_allgatherv, a, 1, MPI_INT, b, ones, displacements, MPI_INT, line);
    PERSISTENT(Neighbor_alltoall, a, 3, MPI_INT, b, 3, MPI_INT, line);
    PERSISTENT(Neighbor_alltoallv, a, ones, displacements, MPI_INT, b, ones, displacements, MPI_INT, line);
    PERSISTENT(Neighbor_alltoallw, a, ones, bytes, types, b, ones, bytes, types, line);
    const long moved[5] = {2 * I, I, 3 * I, I, I};
    for (int call = 0; call < 5; ++call)
        goes("send", 1 - rank, moved[call]), goes("recv", 1 - rank, moved[call]);
    MPI_Comm_free(&line);
}
#endif

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    begin_expecting();
#if MPI_VERSION >= 4
    MPI_Request request, list[2];
    const int other = 1 - rank;
    MUST(MPI_Psend_init(a, 4, 3, MPI_INT, other, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &list[0]));
    MUST(MPI_Precv_init(b, 2, 6, MPI_INT, other, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &list[1]));
    for (int round = 0; round < 2; ++round) {
        MUST(MPI_Startall(2, list));
        MUST(MPI_Pready_range(0, 3, list[0]));
        MUST(MPI_Waitall(2, list, MPI_STATUSES_IGNORE));
        SENT(MPI_Startall, other, 1, N * I);
        GOT(MPI_Startall, other, 1, N * I);
    }
    MPI_Request_free(&list[0]);
    MPI_Request_free(&list[1]);
    persistent_with_a_root(MPI_COMM_WORLD);
    persistent_of_all(MPI_COMM_WORLD);
    persistent_of_neighbours();
    MUST(MPI_Isendrecv(a, 2, MPI_INT, other, 4, b, 2, MPI_INT, other, 4, MPI_COMM_WORLD, &request));
    MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
    SENT(MPI_Isendrecv, other, 4, 2 * I);
    GOT(MPI_Isendrecv, other, 4, 2 * I);
    MUST(MPI_Isendrecv_replace(a, 3, MPI_INT, other, 6, other, 6, MPI_COMM_WORLD, &request));
    MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
    SENT(MPI_Isendrecv_replace, other, 6, 3 * I);
    GOT(MPI_Isendrecv_replace, other, 6, 3 * I);
#endif
    MPI_Finalize();
    return fclose(expected);
}
