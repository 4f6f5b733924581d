// SPDX-License-Identifier: BSD-3-Clause
// Messages of many kinds. Each rank writes what a timeline must show of them into expected.<rank>: a line for each,
// in the words of vftr dump.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, size;
static FILE *expected;

static void message(const char *direction, int count, const char *type, int peer, int tag) {
    fprintf(expected, "%s count=%d type=%s peer=%d tag=%d\n", direction, count, type, peer, tag);
}
static void from_all(int count, const char *type) {
    for (int peer = 0; peer < size; ++peer)
        message("recv", count, type, peer, -1);
}
static void to_all(int count, const char *type) {
    for (int peer = 0; peer < size; ++peer)
        message("send", count, type, peer, -1);
}

static void blocking(int next, int previous) {
    static double data[200], room[200];
    MPI_Request request;
    MPI_Status status;
    int count;
    MPI_Isend(data, 100, MPI_DOUBLE, next, 7, MPI_COMM_WORLD, &request);
    message("send", 100, "MPI_DOUBLE(8Bytes)", next, 7);
    MPI_Recv(room, 200, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    message("recv", 100, "MPI_DOUBLE(8Bytes)", previous, 7);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Get_count(&status, MPI_DOUBLE, &count);
    if (count != 100)
        abort();
    MPI_Barrier(MPI_COMM_WORLD); // what follows must not be received above
    MPI_Sendrecv(data, 0, MPI_INT, previous, 1, room, 5, MPI_INT, next, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    message("send", 0, "MPI_INT(4Bytes)", previous, 1);
    message("recv", 0, "MPI_INT(4Bytes)", next, 1);
    MPI_Send(data, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
}

static void nonblocking(int next, int previous) {
    int out[5] = {0}, in[5];
    MPI_Request requests[10], persistent[2];
    for (int i = 0; i < 5; ++i) {
        MPI_Irecv(&in[i], 1, MPI_INT, previous, 100 + i, MPI_COMM_WORLD, &requests[i]);
        MPI_Isend(&out[i], 1, MPI_INT, next, 100 + i, MPI_COMM_WORLD, &requests[5 + i]);
        message("recv", 1, "MPI_INT(4Bytes)", previous, 100 + i);
        message("send", 1, "MPI_INT(4Bytes)", next, 100 + i);
    }
    MPI_Waitall(10, requests, MPI_STATUSES_IGNORE);
    MPI_Send_init(out, 5, MPI_CHAR, next, 9, MPI_COMM_WORLD, &persistent[0]);
    MPI_Recv_init(in, 20, MPI_CHAR, previous, 9, MPI_COMM_WORLD, &persistent[1]);
    for (int i = 0; i < 3; ++i) {
        MPI_Startall(2, persistent);
        MPI_Waitall(2, persistent, MPI_STATUSES_IGNORE);
        message("send", 5, "MPI_CHAR(1Bytes)", next, 9);
        message("recv", 5, "MPI_CHAR(1Bytes)", previous, 9);
    }
    MPI_Request_free(&persistent[0]);
    MPI_Request_free(&persistent[1]);
}

// Ranks of a communicator that has them in reverse are those of the world in the timeline.
static void other_communicator(int next, int previous) {
    float out[2] = {0}, in[2];
    MPI_Comm reverse;
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reverse);
    MPI_Sendrecv(out, 2, MPI_FLOAT, size - 1 - next, 3, in, 2, MPI_FLOAT, size - 1 - previous, 3, reverse, MPI_STATUS_IGNORE);
    message("send", 2, "MPI_FLOAT(4Bytes)", next, 3);
    message("recv", 2, "MPI_FLOAT(4Bytes)", previous, 3);
    MPI_Comm_free(&reverse);
}

static void derived_types(int next, int previous) {
    double out[12] = {0}, in[12];
    MPI_Datatype three, named;
    MPI_Type_contiguous(3, MPI_DOUBLE, &three);
    MPI_Type_commit(&three);
    MPI_Type_contiguous(2, MPI_DOUBLE, &named);
    MPI_Type_set_name(named, "pair_of_doubles");
    MPI_Type_commit(&named);
    MPI_Sendrecv(out, 2, three, next, 4, in, 4, named, previous, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    message("send", 2, "(derived)(24Bytes)", next, 4);
    message("recv", 3, "pair_of_doubles(16Bytes)", previous, 4);
    MPI_Type_free(&three);
    MPI_Type_free(&named);
}

static void collectives(void) {
    int root = 1, out[100] = {0}, in[100];
    MPI_Bcast(out, 10, MPI_INT, root, MPI_COMM_WORLD);
    if (rank == root)
        to_all(10, "MPI_INT(4Bytes)");
    message("recv", 10, "MPI_INT(4Bytes)", root, -1);
    MPI_Allreduce(out, in, 3, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    to_all(3, "MPI_INT(4Bytes)");
    from_all(3, "MPI_INT(4Bytes)");
    MPI_Gather(out, 4, MPI_INT, in, 4, MPI_INT, root, MPI_COMM_WORLD);
    message("send", 4, "MPI_INT(4Bytes)", root, -1);
    if (rank == root)
        from_all(4, "MPI_INT(4Bytes)");
    MPI_Barrier(MPI_COMM_WORLD);
    // rank r sends r + p elements to rank p
    int counts[16], places[16];
    for (int peer = 0; peer < size; ++peer) {
        counts[peer] = rank + peer;
        places[peer] = 0;
        if (counts[peer] != 0) {
            message("send", counts[peer], "MPI_INT(4Bytes)", peer, -1);
            message("recv", counts[peer], "MPI_INT(4Bytes)", peer, -1);
        }
    }
    MPI_Alltoallv(out, counts, places, MPI_INT, in, counts, places, MPI_INT, MPI_COMM_WORLD);
}

static void one_sided(int next, int previous) {
    int memory[4] = {0}, out[4] = {0};
    MPI_Win window;
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_fence(0, window);
    MPI_Put(out, 2, MPI_INT, next, 0, 2, MPI_INT, window);
    message("send", 2, "MPI_INT(4Bytes)", next, -1);
    MPI_Win_fence(0, window);
    MPI_Get(out, 3, MPI_INT, previous, 0, 3, MPI_INT, window);
    message("recv", 3, "MPI_INT(4Bytes)", previous, -1);
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
}

int main(int argc, char **argv) {
    char name[32];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    snprintf(name, sizeof name, "expected.%d", rank);
    expected = fopen(name, "w");
    int next = (rank + 1) % size, previous = (rank + size - 1) % size;
    blocking(next, previous);
    nonblocking(next, previous);
    other_communicator(next, previous);
    derived_types(next, previous);
    collectives();
    one_sided(next, previous);
    fclose(expected);
    MPI_Finalize();
    return 0;
}
