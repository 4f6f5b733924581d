// SPDX-License-Identifier: BSD-3-Clause
// 4 ranks: messages on an intercommunicator, of neighbours in topologies, and to windows of another order. All peers are ranks of
// MPI_COMM_WORLD.
#include "expect.h"

enum { P = 4, ROOM = 100, I = sizeof(int) };
static int a[ROOM], b[ROOM];
static Displacement displacements[P] = {0, 10, 20, 30};

#define REMOTE(i) (2 * (i) + 1 - odd)

// Every rank serves those of the other group; even ones send 1 int to each, odd ones 2.
static void all_between_groups(MPI_Comm inter, int odd)
{
    const int sent = 1 + odd, received = 2 - odd;
    const Count sends[2] = {sent, sent}, receives[2] = {received, received}, parts[2] = {1, 2};
    const Displacement bytes[2] = {0, 40};
    const MPI_Datatype types[2] = {MPI_INT, MPI_INT};
    MUST(MPI_Allgatherv(a, sent, MPI_INT, b, receives, displacements, MPI_INT, inter));
    MUST(MPI_Alltoall(a, sent, MPI_INT, b, received, MPI_INT, inter));
    MUST(MPI_Alltoallv(a, sends, displacements, MPI_INT, b, receives, displacements, MPI_INT, inter));
    MUST(MPI_Alltoallw(a, sends, bytes, types, b, receives, bytes, types, inter));
    MUST(MPI_Allreduce(a, b, 3, MPI_INT, MPI_SUM, inter));
    for (int i = 0; i < 2; ++i) {
        SENT(MPI_Allgatherv, REMOTE(i), -1, sent * I), GOT(MPI_Allgatherv, REMOTE(i), -1, received * I);
        SENT(MPI_Alltoall, REMOTE(i), -1, sent * I), GOT(MPI_Alltoall, REMOTE(i), -1, received * I);
        SENT(MPI_Alltoallv, REMOTE(i), -1, sent * I), GOT(MPI_Alltoallv, REMOTE(i), -1, received * I);
        SENT(MPI_Alltoallw, REMOTE(i), -1, sent * I), GOT(MPI_Alltoallw, REMOTE(i), -1, received * I);
        SENT(MPI_Allreduce, REMOTE(i), -1, 3 * I), GOT(MPI_Allreduce, REMOTE(i), -1, 3 * I);
    }
    // From the first even rank to the odd ones, and back to it.
    const int root = odd ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL;
    const int here = root == MPI_ROOT;
    MUST(MPI_Scatter(a, 2, MPI_INT, b, 2, MPI_INT, root, inter));
    MUST(MPI_Scatterv(a, here ? parts : NULL, displacements, MPI_INT, b, rank == 1 ? 1 : 2, MPI_INT, root, inter));
    MUST(MPI_Gather(a, 3, MPI_INT, b, 3, MPI_INT, root, inter));
    MUST(MPI_Gatherv(a, rank == 1 ? 1 : 2, MPI_INT, b, here ? parts : NULL, displacements, MPI_INT, root, inter));
    for (int i = 1; i < P; i += 2) {
        const int count = i == 1 ? 1 : 2;
        if (rank == 0) {
            SENT(MPI_Scatter, i, -1, 2 * I), SENT(MPI_Scatterv, i, -1, count * I);
            GOT(MPI_Gather, i, -1, 3 * I), GOT(MPI_Gatherv, i, -1, count * I);
        } else if (rank == i) {
            GOT(MPI_Scatter, 0, -1, 2 * I), GOT(MPI_Scatterv, 0, -1, count * I);
            SENT(MPI_Gather, 0, -1, 3 * I), SENT(MPI_Gatherv, 0, -1, count * I);
        }
    }
}

// The odd and the even ranks.
static void between_groups(void)
{
    MPI_Comm half, inter;
    MPI_Request request;
    const int odd = rank % 2, place = rank / 2;
    MPI_Comm_split(MPI_COMM_WORLD, odd, rank, &half);
    MUST(MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - odd, 5, &inter));
    MUST(MPI_Sendrecv(a, 2, MPI_INT, 1 - place, 3, b, 9, MPI_INT, MPI_ANY_SOURCE, 3, inter, MPI_STATUS_IGNORE));
    SENT(MPI_Sendrecv, REMOTE(1 - place), 3, 2 * I);
    GOT(MPI_Sendrecv, REMOTE(1 - place), 3, 2 * I);
    // From the second odd rank to the even ones.
    const int root = !odd ? 1 : place == 1 ? MPI_ROOT : MPI_PROC_NULL;
    MUST(MPI_Bcast(a, 3, MPI_INT, root, inter));
    if (root == MPI_ROOT)
        SENT(MPI_Bcast, 0, -1, 3 * I), SENT(MPI_Bcast, 2, -1, 3 * I);
    else if (!odd)
        GOT(MPI_Bcast, 3, -1, 3 * I);
    MUST(MPI_Reduce(a, b, 3, MPI_INT, MPI_SUM, root, inter));
    if (root == MPI_ROOT)
        GOT(MPI_Reduce, 0, -1, 3 * I), GOT(MPI_Reduce, 2, -1, 3 * I);
    else if (!odd)
        SENT(MPI_Reduce, 3, -1, 3 * I);
    MUST(MPI_Iallgather(a, 1 + odd, MPI_INT, b, 2 - odd, MPI_INT, inter, &request));
    MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
    MUST(MPI_Barrier(inter));
    for (int i = 0; i < 2; ++i)
        SENT(MPI_Iallgather, REMOTE(i), -1, (1 + odd) * I), GOT(MPI_Iallgather, REMOTE(i), -1, (2 - odd) * I);
    all_between_groups(inter, odd);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
}

static void moves_to_neighbours(const char *function, int n_in, const int *in, int n_out, const int *out, long bytes)
{
    char name[64];
    for (int begun = 0; begun < 2; ++begun) {
        snprintf(name, sizeof name, begun ? "MPI_Ineighbor_%s" : "MPI_Neighbor_%s", function);
        for (int i = 0; i < n_out; ++i)
            moves(name, "send", out[i], -1, bytes);
        for (int i = 0; i < n_in; ++i)
            moves(name, "recv", in[i], -1, bytes);
    }
}

static void neighbours(MPI_Comm comm, int n_in, const int *in, int n_out, const int *out)
{
    MPI_Request request;
    MPI_Datatype types[P] = {MPI_INT, MPI_INT, MPI_INT, MPI_INT};
    MPI_Aint bytes[P] = {0, 40, 80, 120};
    Count ones[P] = {1, 1, 1, 1};
#define BOTH(function, ...)                                                                        \
    MUST(MPI_Neighbor_##function(__VA_ARGS__));                                                    \
    MUST(MPI_Ineighbor_##function(__VA_ARGS__, &request));                                         \
    MUST(MPI_Wait(&request, MPI_STATUS_IGNORE))
    BOTH(allgather, a, 2, MPI_INT, b, 2, MPI_INT, comm);
    moves_to_neighbours("allgather", n_in, in, n_out, out, 2 * I);
    BOTH(alltoall, a, 3, MPI_INT, b, 3, MPI_INT, comm);
    moves_to_neighbours("alltoall", n_in, in, n_out, out, 3 * I);
    BOTH(allgatherv, a, 1, MPI_INT, b, ones, displacements, MPI_INT, comm);
    moves_to_neighbours("allgatherv", n_in, in, n_out, out, I);
    BOTH(alltoallv, a, ones, displacements, MPI_INT, b, ones, displacements, MPI_INT, comm);
    moves_to_neighbours("alltoallv", n_in, in, n_out, out, I);
    BOTH(alltoallw, a, ones, bytes, types, b, ones, bytes, types, comm);
    moves_to_neighbours("alltoallw", n_in, in, n_out, out, I);
}

static void topologies(void)
{
    MPI_Comm comm, turned;
    MPI_Comm_split(MPI_COMM_WORLD, 0, P - rank, &turned);
    const int place = P - 1 - rank, open = 0;
    MUST(MPI_Cart_create(turned, 1, &(int){P}, &open, 0, &comm));
    const int line[2] = {place > 0 ? rank + 1 : MPI_PROC_NULL, place < P - 1 ? rank - 1 : MPI_PROC_NULL};
    neighbours(comm, 2, line, 2, line);
    MPI_Comm_free(&comm);
    const int index[P] = {1, 3, 5, 6}, edges[6] = {1, 0, 2, 1, 3, 2};
    MUST(MPI_Graph_create(turned, P, index, edges, 0, &comm));
    int graph[2], degree = 0;
    for (int e = place ? index[place - 1] : 0; e < index[place]; ++e)
        graph[degree++] = P - 1 - edges[e];
    neighbours(comm, degree, graph, degree, graph);
    MPI_Comm_free(&comm);
    // A ring one way.
    const int from = (place + 1) % P, to = (place + P - 1) % P;
    MUST(MPI_Dist_graph_create_adjacent(turned, 1, &from, MPI_UNWEIGHTED, 1, &to, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm));
    const int in[1] = {P - 1 - from}, out[1] = {P - 1 - to};
    neighbours(comm, 1, in, 1, out);
    MPI_Comm_free(&comm);
    MPI_Comm_free(&turned);
}

// A window of the ranks in another order.
static void windows(void)
{
    MPI_Comm turned;
    MPI_Win win;
    MPI_Request list[4];
    const int zero = 0;
    int one = 1, result = 0;
    const int peer = (rank + 2) % P, place = P - 1 - peer;
    MPI_Comm_split(MPI_COMM_WORLD, 0, P - rank, &turned);
    MUST(MPI_Win_create(b, sizeof b, I, MPI_INFO_NULL, turned, &win));
    MUST(MPI_Win_fence(0, win));
    MUST(MPI_Put(a, 3, MPI_INT, place, 0, 3, MPI_INT, win));
    MUST(MPI_Put(a, 3, MPI_INT, MPI_PROC_NULL, 0, 3, MPI_INT, win));
    MUST(MPI_Get(a, 4, MPI_INT, place, 10, 4, MPI_INT, win));
    MUST(MPI_Accumulate(a, 5, MPI_INT, place, 20, 5, MPI_INT, MPI_SUM, win));
    MUST(MPI_Win_fence(0, win));
    SENT(MPI_Put, peer, -1, 3 * I);
    GOT(MPI_Get, peer, -1, 4 * I);
    SENT(MPI_Accumulate, peer, -1, 5 * I);
    MUST(MPI_Win_lock_all(0, win));
    MUST(MPI_Fetch_and_op(&one, &result, MPI_INT, place, 30, MPI_SUM, win));
    SENT(MPI_Fetch_and_op, peer, -1, I);
    GOT(MPI_Fetch_and_op, peer, -1, I);
    MUST(MPI_Compare_and_swap(&one, &zero, &result, MPI_INT, place, 31, win));
    SENT(MPI_Compare_and_swap, peer, -1, I);
    GOT(MPI_Compare_and_swap, peer, -1, I);
    // With MPI_NO_OP nothing is sent, and what would be need not be anything.
    MUST(MPI_Get_accumulate(NULL, 0, MPI_INT, a + 70, 2, MPI_INT, place, 70, 2, MPI_INT, MPI_NO_OP, win));
    GOT(MPI_Get_accumulate, peer, -1, 2 * I);
    MUST(MPI_Rput(a, 2, MPI_INT, place, 40, 2, MPI_INT, win, &list[0]));
    MUST(MPI_Rget(a + 50, 3, MPI_INT, place, 50, 3, MPI_INT, win, &list[1]));
    MUST(MPI_Rget_accumulate(a, 1, MPI_INT, a + 60, 1, MPI_INT, place, 60, 1, MPI_INT, MPI_SUM, win, &list[2]));
    MUST(MPI_Raccumulate(a, 4, MPI_INT, place, 20, 4, MPI_INT, MPI_SUM, win, &list[3]));
    MUST(MPI_Waitall(4, list, MPI_STATUSES_IGNORE));
    SENT(MPI_Raccumulate, peer, -1, 4 * I);
    SENT(MPI_Rput, peer, -1, 2 * I);
    GOT(MPI_Rget, peer, -1, 3 * I);
    SENT(MPI_Rget_accumulate, peer, -1, I);
    GOT(MPI_Rget_accumulate, peer, -1, I);
    MUST(MPI_Win_unlock_all(win));
    MUST(MPI_Win_free(&win));
    MPI_Comm_free(&turned);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    begin_expecting();
    between_groups();
    topologies();
    windows();
    MPI_Finalize();
    return fclose(expected);
}
