// SPDX-License-Identifier: BSD-3-Clause
// Sends whose end the program never asks for: they are messages like others.
#include "expect.h"

enum { N = 10, ROUNDS = 10, I = sizeof(int), LARGE = 1 << 18 };
static int out[N], in[N];
static char large[LARGE];
static int other;

static void receive(int tag)
{
    MUST(MPI_Recv(in, N, MPI_INT, other, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    GOT(MPI_Recv, other, tag, 3 * I);
}

// The handle is overwritten.
static void dropped(void)
{
    MPI_Request q;
    for (int i = 0; i < ROUNDS; ++i) {
        MUST(MPI_Isend(out, 3, MPI_INT, other, 1, MPI_COMM_WORLD, &q));
        SENT(MPI_Isend, other, 1, 3 * I);
        q = MPI_REQUEST_NULL;
    }
    for (int i = 0; i < ROUNDS; ++i)
        receive(1);
}

// Every mode that has a handle; MPI_Start of a persistent one twice, once with an end that is seen.
static void modes(void)
{
    static char room[1000];
    MPI_Request receives[3], q, persistent;
    void *old;
    int old_size;
    MUST(MPI_Buffer_attach(room, sizeof room));
    for (int i = 0; i < 3; ++i) {
        MUST(MPI_Irecv(in, N, MPI_INT, other, 10 + i, MPI_COMM_WORLD, &receives[i]));
        GOT(MPI_Irecv, other, 10 + i, 3 * I);
    }
    MUST(MPI_Barrier(MPI_COMM_WORLD));
    MUST(MPI_Ibsend(out, 3, MPI_INT, other, 10, MPI_COMM_WORLD, &q));
    SENT(MPI_Ibsend, other, 10, 3 * I);
    MUST(MPI_Issend(out, 3, MPI_INT, other, 11, MPI_COMM_WORLD, &q));
    SENT(MPI_Issend, other, 11, 3 * I);
    MUST(MPI_Irsend(out, 3, MPI_INT, other, 12, MPI_COMM_WORLD, &q));
    SENT(MPI_Irsend, other, 12, 3 * I);
    MUST(MPI_Waitall(3, receives, MPI_STATUSES_IGNORE));
    MUST(MPI_Send_init(out, 3, MPI_INT, other, 13, MPI_COMM_WORLD, &persistent));
    for (int i = 0; i < 2; ++i) {
        MUST(MPI_Start(&persistent));
        SENT(MPI_Start, other, 13, 3 * I);
        receive(13);
        if (i == 0)
            MUST(MPI_Wait(&persistent, MPI_STATUS_IGNORE));
    }
    MUST(MPI_Buffer_detach(&old, &old_size));
}

// The end is seen, or the request is freed: one message all the same.
static void ended(void)
{
    MPI_Request q;
    MUST(MPI_Isend(out, 3, MPI_INT, other, 20, MPI_COMM_WORLD, &q));
    SENT(MPI_Isend, other, 20, 3 * I);
    receive(20);
    MUST(MPI_Wait(&q, MPI_STATUS_IGNORE));
    MUST(MPI_Isend(out, 3, MPI_INT, other, 21, MPI_COMM_WORLD, &q));
    SENT(MPI_Isend, other, 21, 3 * I);
    MUST(MPI_Request_free(&q));
    receive(21);
}

// One that is taken back before anybody receives it: where the library can do that, no message.
static void cancelled(void)
{
    MPI_Request q;
    MPI_Status status;
    int gone;
    if (rank == 0) {
        MUST(MPI_Issend(large, LARGE, MPI_CHAR, other, 30, MPI_COMM_WORLD, &q));
        MUST(MPI_Cancel(&q));
    }
    MUST(PMPI_Barrier(MPI_COMM_WORLD));
    if (rank == 0) {
        MUST(PMPI_Send(out, 1, MPI_INT, other, 31, MPI_COMM_WORLD));
        MUST(MPI_Wait(&q, &status));
        MUST(PMPI_Test_cancelled(&status, &gone));
        if (!gone)
            SENT(MPI_Issend, other, 30, LARGE);
        MUST(PMPI_Send(&gone, 1, MPI_INT, other, 32, MPI_COMM_WORLD));
    } else {
        MUST(PMPI_Recv(in, 1, MPI_INT, other, 31, MPI_COMM_WORLD, &status));
        MUST(PMPI_Iprobe(other, 30, MPI_COMM_WORLD, &gone, &status));
        if (gone) {
            MUST(MPI_Recv(large, LARGE, MPI_CHAR, other, 30, MPI_COMM_WORLD, &status));
            GOT(MPI_Recv, other, 30, LARGE);
        }
        MUST(PMPI_Recv(&gone, 1, MPI_INT, other, 32, MPI_COMM_WORLD, &status));
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    begin_expecting();
    other = 1 - rank;
    dropped();
    modes();
    ended();
    cancelled();
    MPI_Finalize();
    return fclose(expected);
}
