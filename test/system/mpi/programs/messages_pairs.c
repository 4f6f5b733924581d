// SPDX-License-Identifier: BSD-3-Clause
// Messages between two ranks, in pairs 0–1, 2–3: what every function for them moves.
#include "expect.h"

enum { N = 20, I = sizeof(int) };
static int out[N], in[N][N];
static int other;
static MPI_Comm turned; // the ranks in the opposite order

static void blocking(void)
{
    MPI_Status status;
    MPI_Datatype pair;
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    if (rank % 2 == 0) {
        MUST(MPI_Send(out, 3, MPI_INT, other, 1, MPI_COMM_WORLD));
        SENT(MPI_Send, other, 1, 3 * I);
        MUST(MPI_Ssend(out, 0, MPI_INT, other, 2, MPI_COMM_WORLD));
        SENT(MPI_Ssend, other, 2, 0);
        MUST(MPI_Send(out, 4, pair, size - 1 - other, 3, turned));
        SENT(MPI_Send, other, 3, 8 * I);
        MUST(MPI_Send(out, 4, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_WORLD));
    } else {
        MUST(MPI_Recv(in[0], N, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        GOT(MPI_Recv, other, 1, 3 * I);
        MUST(MPI_Recv(in[0], N, MPI_INT, other, 2, MPI_COMM_WORLD, &status));
        GOT(MPI_Recv, other, 2, 0);
        MUST(MPI_Recv(in[0], 5, pair, MPI_ANY_SOURCE, 3, turned, &status));
        GOT(MPI_Recv, other, 3, 8 * I);
        MUST(MPI_Recv(in[0], N, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    }
    MPI_Type_free(&pair);
    MUST(MPI_Sendrecv(out, 2 + rank, MPI_INT, other, 4, in[0], N, MPI_INT, other, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    SENT(MPI_Sendrecv, other, 4, (2 + rank) * I);
    GOT(MPI_Sendrecv, other, 4, (2 + other) * I);
    MUST(MPI_Sendrecv_replace(out, 2, MPI_INT, other, 5, other, 5, MPI_COMM_WORLD, &status));
    SENT(MPI_Sendrecv_replace, other, 5, 2 * I);
    GOT(MPI_Sendrecv_replace, other, 5, 2 * I);
}

// Every mode of sending: blocking, with a request, persistent. A ready send needs a receive that waits.
static void modes(void)
{
    enum { MODES = 8 };
    static char room[10000];
    MPI_Request receives[MODES], list[4];
    void *old;
    Count old_size;
    MUST(MPI_Buffer_attach(room, sizeof room));
    for (int i = 0; i < MODES; ++i) {
        MUST(MPI_Irecv(in[i], N, MPI_INT, other, 50 + i, MPI_COMM_WORLD, &receives[i]));
        GOT(MPI_Irecv, other, 50 + i, (i + 1) * I);
    }
    MUST(MPI_Barrier(MPI_COMM_WORLD));
    MUST(MPI_Bsend(out, 1, MPI_INT, other, 50, MPI_COMM_WORLD));
    SENT(MPI_Bsend, other, 50, I);
    MUST(MPI_Rsend(out, 2, MPI_INT, other, 51, MPI_COMM_WORLD));
    SENT(MPI_Rsend, other, 51, 2 * I);
    MUST(MPI_Ibsend(out, 3, MPI_INT, other, 52, MPI_COMM_WORLD, &list[0]));
    SENT(MPI_Ibsend, other, 52, 3 * I);
    MUST(MPI_Issend(out, 4, MPI_INT, other, 53, MPI_COMM_WORLD, &list[1]));
    SENT(MPI_Issend, other, 53, 4 * I);
    MUST(MPI_Irsend(out, 5, MPI_INT, other, 54, MPI_COMM_WORLD, &list[2]));
    SENT(MPI_Irsend, other, 54, 5 * I);
    MUST(MPI_Waitall(3, list, MPI_STATUSES_IGNORE));
    MUST(MPI_Bsend_init(out, 6, MPI_INT, other, 55, MPI_COMM_WORLD, &list[0]));
    MUST(MPI_Ssend_init(out, 7, MPI_INT, other, 56, MPI_COMM_WORLD, &list[1]));
    MUST(MPI_Rsend_init(out, 8, MPI_INT, other, 57, MPI_COMM_WORLD, &list[2]));
    MUST(MPI_Startall(3, list));
    for (int i = 5; i < 8; ++i)
        SENT(MPI_Startall, other, 50 + i, (i + 1) * I);
    MUST(MPI_Waitall(3, list, MPI_STATUSES_IGNORE));
    for (int i = 0; i < 3; ++i)
        MUST(MPI_Request_free(&list[i]));
    MUST(MPI_Waitall(MODES, receives, MPI_STATUSES_IGNORE));
    MUST(MPI_Buffer_detach(&old, &old_size));
}

static void matched(void)
{
    MPI_Message message;
    MPI_Request request;
    int flag = 0;
    if (rank % 2 == 0) {
        for (int i = 0; i < 3; ++i) {
            MUST(MPI_Send(out, i + 1, MPI_INT, size - 1 - other, 10 + i, turned));
            SENT(MPI_Send, other, 10 + i, (i + 1) * I);
        }
        return;
    }
    MUST(MPI_Mprobe(MPI_ANY_SOURCE, 10, turned, &message, MPI_STATUS_IGNORE));
    MUST(MPI_Mrecv(in[0], N, MPI_INT, &message, MPI_STATUS_IGNORE));
    GOT(MPI_Mrecv, other, 10, I);
    while (!flag)
        MUST(MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, turned, &flag, &message, MPI_STATUS_IGNORE));
    MUST(MPI_Imrecv(in[0], N, MPI_INT, &message, &request));
    MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
    GOT(MPI_Imrecv, other, 11, 2 * I);
    MUST(MPI_Mprobe(MPI_PROC_NULL, 1, turned, &message, MPI_STATUS_IGNORE));
    MUST(MPI_Mrecv(in[0], N, MPI_INT, &message, MPI_STATUS_IGNORE));
    MUST(MPI_Recv(in[0], N, MPI_INT, MPI_ANY_SOURCE, 12, turned, MPI_STATUS_IGNORE));
    GOT(MPI_Recv, other, 12, 3 * I);
}

// Receives and sends of all sizes, the handles copied to another place and in another order. At the end nothing is open.
static void begin_many(MPI_Request *list, int tag)
{
    MPI_Request request;
    for (int i = 0; i < N; ++i) {
        MUST(MPI_Irecv(in[i], N, MPI_INT, i % 2 ? MPI_ANY_SOURCE : other, tag + i, MPI_COMM_WORLD, &request));
        list[(7 * i) % N] = request;
        GOT(MPI_Irecv, other, tag + i, i * I);
    }
    for (int i = 0; i < N; ++i) {
        MUST(MPI_Isend(out, i, MPI_INT, other, tag + i, MPI_COMM_WORLD, &list[N + N - 1 - i]));
        SENT(MPI_Isend, other, tag + i, i * I);
    }
}

static void completed(void)
{
    MPI_Request list[2 * N];
    MPI_Status statuses[2 * N];
    int index, flag, count, indices[2 * N];
    begin_many(list, 100);
    MUST(MPI_Waitall(2 * N, list, MPI_STATUSES_IGNORE));
    begin_many(list, 200);
    for (int i = 2 * N; i-- > 0;)
        MUST(MPI_Wait(&list[i], i % 2 ? statuses : MPI_STATUS_IGNORE));
    begin_many(list, 300);
    for (int i = 0; i < 2 * N; ++i)
        MUST(MPI_Waitany(2 * N, list, &index, i % 2 ? statuses : MPI_STATUS_IGNORE));
    MUST(MPI_Waitany(2 * N, list, &index, statuses)); // MPI_UNDEFINED
    begin_many(list, 400);
    for (int done = 0; done < 2 * N; done += count)
        MUST(MPI_Waitsome(2 * N, list, &count, indices, done % 2 ? statuses : MPI_STATUSES_IGNORE));
    begin_many(list, 500);
    for (flag = 0; !flag;)
        MUST(MPI_Testall(2 * N, list, &flag, statuses));
    begin_many(list, 600);
    for (int done = 0; done < 2 * N; done += flag)
        MUST(MPI_Testany(2 * N, list, &index, &flag, MPI_STATUS_IGNORE));
    begin_many(list, 700);
    for (int done = 0; done < 2 * N; done += count)
        MUST(MPI_Testsome(2 * N, list, &count, indices, MPI_STATUSES_IGNORE));
    begin_many(list, 800);
    for (int i = 0; i < 2 * N; ++i)
        for (flag = 0; !flag;)
            MUST(MPI_Test(&list[i], &flag, MPI_STATUS_IGNORE));
}

static void taken_back(void)
{
    MPI_Request request;
    MPI_Status status;
    int flag = 0;
    // Freed: a send is recorded, a receive is not, unless its end was seen.
    MUST(MPI_Irecv(in[0], N, MPI_INT, other, 21, MPI_COMM_WORLD, &request));
    MUST(MPI_Request_free(&request));
    MUST(MPI_Isend(out, 1, MPI_INT, other, 21, MPI_COMM_WORLD, &request));
    MUST(MPI_Request_free(&request));
    SENT(MPI_Isend, other, 21, I);
    MUST(MPI_Irecv(in[1], N, MPI_INT, other, 22, MPI_COMM_WORLD, &request));
    MUST(MPI_Send(out, 2, MPI_INT, other, 22, MPI_COMM_WORLD));
    SENT(MPI_Send, other, 22, 2 * I);
    while (!flag)
        MUST(MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE));
    MUST(MPI_Request_get_status(request, &flag, &status));
    MUST(MPI_Request_free(&request));
    GOT(MPI_Irecv, other, 22, 2 * I);
    // Cancelled in time, and too late.
    MUST(MPI_Irecv(in[2], N, MPI_INT, other, 23, MPI_COMM_WORLD, &request));
    MUST(MPI_Cancel(&request));
    MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
    MUST(MPI_Irecv(in[2], N, MPI_INT, other, 24, MPI_COMM_WORLD, &request));
    MUST(MPI_Sendrecv(out, 1, MPI_INT, other, 24, in[3], N, MPI_INT, MPI_PROC_NULL, 24, MPI_COMM_WORLD, &status));
    SENT(MPI_Sendrecv, other, 24, I);
    for (flag = 0; !flag;)
        MUST(PMPI_Request_get_status(request, &flag, &status));
    MUST(MPI_Cancel(&request));
    MUST(MPI_Wait(&request, &status));
    GOT(MPI_Irecv, other, 24, I);
    MUST(MPI_Irecv(in[4], N, MPI_INT, MPI_PROC_NULL, 25, MPI_COMM_WORLD, &request));
    MUST(MPI_Wait(&request, &status));
}

static void persistent(void)
{
    MPI_Request list[3];
    MUST(MPI_Recv_init(in[0], N, MPI_INT, MPI_ANY_SOURCE, 31, turned, &list[0]));
    MUST(MPI_Send_init(out, 3, MPI_INT, size - 1 - other, 31, turned, &list[1]));
    MUST(MPI_Send_init(out, 3, MPI_INT, MPI_PROC_NULL, 31, turned, &list[2]));
    for (int round = 0; round < 4; ++round) {
        if (round % 2) {
            MUST(MPI_Startall(3, list));
            MUST(MPI_Waitall(3, list, MPI_STATUSES_IGNORE));
        } else {
            for (int i = 0; i < 3; ++i)
                MUST(MPI_Start(&list[i]));
            for (int i = 3; i-- > 0;)
                MUST(MPI_Wait(&list[i], MPI_STATUS_IGNORE));
        }
        // A persistent request's messages belong to its start.
        if (round % 2) {
            SENT(MPI_Startall, other, 31, 3 * I);
            GOT(MPI_Startall, other, 31, 3 * I);
        } else {
            SENT(MPI_Start, other, 31, 3 * I);
            GOT(MPI_Start, other, 31, 3 * I);
        }
    }
    for (int i = 0; i < 3; ++i) {
        MUST(MPI_Wait(&list[i], MPI_STATUS_IGNORE)); // inactive
        MUST(MPI_Request_free(&list[i]));
    }
}

// Nothing of this is recorded, and what begins before the pause and ends after it still is.
static void paused(void)
{
    MPI_Request across[2], within[2];
    MUST(MPI_Irecv(in[0], N, MPI_INT, other, 41, MPI_COMM_WORLD, &across[0]));
    MUST(MPI_Isend(out, 1, MPI_INT, other, 41, MPI_COMM_WORLD, &across[1]));
    MPI_Pcontrol(0);
    MUST(MPI_Irecv(in[1], N, MPI_INT, other, 42, MPI_COMM_WORLD, &within[0]));
    MUST(MPI_Isend(out, 2, MPI_INT, other, 42, MPI_COMM_WORLD, &within[1]));
    MPI_Pcontrol(1);
    MUST(MPI_Waitall(2, within, MPI_STATUSES_IGNORE));
    MUST(MPI_Waitall(2, across, MPI_STATUSES_IGNORE));
    SENT(MPI_Isend, other, 41, I);
    GOT(MPI_Irecv, other, 41, I);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    begin_expecting();
    other = rank ^ 1;
    MPI_Comm_split(MPI_COMM_WORLD, 0, size - rank, &turned);
    blocking();
    modes();
    matched();
    completed();
    taken_back();
    persistent();
    paused();
    MPI_Comm_free(&turned);
    MPI_Finalize();
    return fclose(expected);
}
