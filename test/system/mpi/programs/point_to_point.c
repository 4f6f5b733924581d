// SPDX-License-Identifier: BSD-3-Clause
// Messages from one rank to another: all modes of sending, probes, matched probes, persistent requests, and wrong arguments.
// An even number of ranks.
#include "calls.h"

static void blocking(void)
{
    MPI_Status status = preset();
    char buffer[4 * N * sizeof(int) + 4 * MPI_BSEND_OVERHEAD];
    void *detached;
    Count bytes, number;
    MPI_Count large;
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
        CALL(MPI_Recv, in, ROOM, MPI_INT, other, 1, MPI_COMM_WORLD, &status);
        show_status("recv", &status);
        CALL(MPI_Get_count, &status, MPI_INT, &number);
        CALL(MPI_Get_elements, &status, MPI_BYTE, &bytes);
        CALL(MPI_Get_elements_x, &status, MPI_BYTE, &large);
        printf("count %d, elements %d, %d\n", (int)number, (int)bytes, (int)large);
        CALL(MPI_Get_count, &status, MPI_LONG_DOUBLE, &number);
        printf("not a whole number: %d\n", number == MPI_UNDEFINED);
        status = preset();
        CALL(MPI_Recv, in, ROOM, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &status);
        show_status("recv any source", &status);
        status = preset();
        CALL(MPI_Recv, in, ROOM, MPI_INT, other, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        show_status("recv any tag", &status);
        status = preset();
        CALL(MPI_Irecv, in, ROOM, MPI_INT, other, 4, MPI_COMM_WORLD, &request);
        CALL(MPI_Send, out, 1, MPI_INT, other, 9, MPI_COMM_WORLD);
        CALL(MPI_Wait, &request, &status);
        show_status("ready", &status);
    }
    show("blocking");
    CALL(MPI_Buffer_detach, &detached, &bytes);
    printf("detached %d, %d bytes\n", detached == (void *)buffer, (int)bytes);
}

static void exchanges(void)
{
    MPI_Status status = preset();
    fill(2);
    CALL(MPI_Sendrecv, out, N, MPI_INT, other, 5, in, ROOM, MPI_INT, other, 5, MPI_COMM_WORLD, &status);
    show_status("sendrecv", &status);
    show("sendrecv");
    CALL(MPI_Sendrecv, out, N, MPI_INT, other, 5, in, ROOM, MPI_INT, other, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    status = preset();
    CALL(MPI_Sendrecv, out, N, MPI_INT, MPI_PROC_NULL, 5, in, ROOM, MPI_INT, MPI_PROC_NULL, 5, MPI_COMM_WORLD, &status);
    show_status("sendrecv with nobody", &status);
    memcpy(in, out, sizeof in);
    status = preset();
    CALL(MPI_Sendrecv_replace, in, N, MPI_INT, other, 6, other, 6, MPI_COMM_WORLD, &status);
    show_status("sendrecv_replace", &status);
    show("sendrecv_replace");
    CALL(MPI_Sendrecv_replace, in, N, MPI_INT, other, 6, other, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#if MPI_VERSION >= 4
    MPI_Request request;
    fill(3);
    status = preset();
    CALL(MPI_Isendrecv, out, N, MPI_INT, other, 7, in, ROOM, MPI_INT, other, 7, MPI_COMM_WORLD, &request);
    CALL(MPI_Wait, &request, &status);
    show_status("isendrecv", &status);
    show("isendrecv");
    memcpy(in, out, sizeof in);
    CALL(MPI_Isendrecv_replace, in, N, MPI_INT, other, 8, other, 8, MPI_COMM_WORLD, &request);
    CALL(MPI_Wait, &request, &status);
    show("isendrecv_replace");
#endif
}

static void with_nobody(void)
{
    MPI_Status status = preset();
    MPI_Request request;
    MPI_Message message;
    int flag = -1;
    fill(4);
    CALL(MPI_Send, out, N, MPI_INT, MPI_PROC_NULL, 6, MPI_COMM_WORLD);
    CALL(MPI_Recv, in, N, MPI_INT, MPI_PROC_NULL, 6, MPI_COMM_WORLD, &status);
    show_status("recv from nobody", &status);
    status = preset();
    CALL(MPI_Irecv, in, N, MPI_INT, MPI_PROC_NULL, 6, MPI_COMM_WORLD, &request);
    CALL(MPI_Wait, &request, &status);
    show_status("irecv from nobody", &status);
    status = preset();
    CALL(MPI_Iprobe, MPI_PROC_NULL, 6, MPI_COMM_WORLD, &flag, &status);
    show_status("iprobe of nobody", &status);
    status = preset();
    CALL(MPI_Mprobe, MPI_PROC_NULL, 6, MPI_COMM_WORLD, &message, &status);
    printf("flag %d, no process %d\n", flag, message == MPI_MESSAGE_NO_PROC);
    CALL(MPI_Mrecv, in, N, MPI_INT, &message, &status);
    show_status("mrecv from nobody", &status);
    printf("message null %d\n", message == MPI_MESSAGE_NULL);
    show("nothing came");
}

static void nonblocking(void)
{
    MPI_Request requests[8];
    MPI_Status statuses[8];
    char buffer[4 * N * sizeof(int) + 4 * MPI_BSEND_OVERHEAD];
    void *detached;
    Count number;
    fill(5);
    preset_all(statuses, 8);
    CALL(MPI_Buffer_attach, buffer, (int)sizeof buffer);
    for (int i = 0; i < 4; ++i)
        CALL(MPI_Irecv, in + i * N, N, MPI_INT, other, 10 + i, MPI_COMM_WORLD, &requests[i]);
    CALL(MPI_Barrier, MPI_COMM_WORLD); // the receives are posted
    CALL(MPI_Isend, out, N, MPI_INT, other, 10, MPI_COMM_WORLD, &requests[4]);
    CALL(MPI_Ibsend, out, N - 1, MPI_INT, other, 11, MPI_COMM_WORLD, &requests[5]);
    CALL(MPI_Issend, out, N - 2, MPI_INT, other, 12, MPI_COMM_WORLD, &requests[6]);
    CALL(MPI_Irsend, out, 0, MPI_INT, other, 13, MPI_COMM_WORLD, &requests[7]);
    CALL(MPI_Waitall, 8, requests, statuses);
    for (int i = 0; i < 4; ++i)
        show_status("waitall", &statuses[i]);
    for (int i = 0; i < 8; ++i)
        printf("%s", requests[i] == MPI_REQUEST_NULL ? "null\n" : "not null\n");
    show("nonblocking");
    CALL(MPI_Buffer_detach, &detached, &number);
}

static void persistent(void)
{
    MPI_Request requests[2];
    MPI_Status statuses[2];
    char buffer[8 * N * sizeof(int) + 8 * MPI_BSEND_OVERHEAD];
    void *detached;
    Count bytes;
    CALL(MPI_Buffer_attach, buffer, (int)sizeof buffer);
    for (int kind = 0; kind < 4; ++kind) {
        fill(6);
        CALL(MPI_Recv_init, in, ROOM, MPI_INT, other, 50, MPI_COMM_WORLD, &requests[0]);
        if (kind == 0)
            CALL(MPI_Send_init, out, N, MPI_INT, other, 50, MPI_COMM_WORLD, &requests[1]);
        else if (kind == 1)
            CALL(MPI_Bsend_init, out, N, MPI_INT, other, 50, MPI_COMM_WORLD, &requests[1]);
        else if (kind == 2)
            CALL(MPI_Ssend_init, out, N, MPI_INT, other, 50, MPI_COMM_WORLD, &requests[1]);
        else
            CALL(MPI_Rsend_init, out, N, MPI_INT, other, 50, MPI_COMM_WORLD, &requests[1]);
        const MPI_Request made[2] = {requests[0], requests[1]};
        for (int round = 0; round < 3; ++round) {
            preset_all(statuses, 2);
            CALL(MPI_Start, &requests[0]);
            CALL(MPI_Barrier, MPI_COMM_WORLD);
            CALL(MPI_Startall, 1, &requests[1]);
            CALL(MPI_Waitall, 2, requests, statuses);
            show_status("persistent", &statuses[0]);
            printf("requests stay: %d %d\n", requests[0] == made[0], requests[1] == made[1]);
        }
        show("persistent");
        CALL(MPI_Request_free, &requests[0]);
        CALL(MPI_Request_free, &requests[1]);
        printf("freed: %d %d\n", requests[0] == MPI_REQUEST_NULL, requests[1] == MPI_REQUEST_NULL);
    }
    CALL(MPI_Buffer_detach, &detached, &bytes);
}

static void probes(void)
{
    MPI_Status status = preset();
    MPI_Message message;
    MPI_Request send, receive;
    int flag = 0;
    fill(7);
    CALL(MPI_Isend, out, 3, MPI_INT, other, 60, MPI_COMM_WORLD, &send);
    CALL(MPI_Probe, other, 60, MPI_COMM_WORLD, &status);
    show_status("probe", &status);
    CALL(MPI_Probe, MPI_ANY_SOURCE, 60, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    status = preset();
    do
        CALL(MPI_Iprobe, other, 60, MPI_COMM_WORLD, &flag, &status);
    while (!flag);
    show_status("iprobe", &status);
    status = preset();
    CALL(MPI_Mprobe, other, MPI_ANY_TAG, MPI_COMM_WORLD, &message, &status);
    show_status("mprobe", &status);
    status = preset();
    CALL(MPI_Mrecv, in, N, MPI_INT, &message, &status);
    show_status("mrecv", &status);
    printf("message null %d\n", message == MPI_MESSAGE_NULL);
    CALL(MPI_Wait, &send, MPI_STATUS_IGNORE);
    CALL(MPI_Isend, out, 2, MPI_INT, other, 61, MPI_COMM_WORLD, &send);
    flag = 0;
    do
        CALL(MPI_Improbe, other, 61, MPI_COMM_WORLD, &flag, &message, MPI_STATUS_IGNORE);
    while (!flag);
    status = preset();
    CALL(MPI_Imrecv, in + N, N, MPI_INT, &message, &receive);
    CALL(MPI_Wait, &receive, &status);
    show_status("imrecv", &status);
    show("probes");
    CALL(MPI_Wait, &send, MPI_STATUS_IGNORE);
    status = preset();
    CALL(MPI_Iprobe, MPI_ANY_SOURCE, 99, MPI_COMM_WORLD, &flag, &status);
    printf("nothing to probe: %d\n", flag);
    show_status_bytes("its status", &status);
    CALL(MPI_Improbe, MPI_ANY_SOURCE, 99, MPI_COMM_WORLD, &flag, &message, &status);
    printf("nothing to match: %d\n", flag);
}

// The same codes, and nothing is sent.
static void wrong_arguments(void)
{
    MPI_Status status = preset();
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Request sends[2], receives[2];
    MPI_Status statuses[2];
    int flag = -1;
    fill(8);
    TRIED(MPI_Send, out, -1, MPI_INT, other, 1, MPI_COMM_WORLD);
    TRIED(MPI_Send, out, 1, MPI_DATATYPE_NULL, other, 1, MPI_COMM_WORLD);
    TRIED(MPI_Send, out, 1, MPI_INT, size, 1, MPI_COMM_WORLD);
    TRIED(MPI_Send, out, 1, MPI_INT, other, -5, MPI_COMM_WORLD);
    TRIED(MPI_Recv, in, 1, MPI_INT, -7, 1, MPI_COMM_WORLD, &status);
    TRIED(MPI_Recv, in, -1, MPI_INT, other, 1, MPI_COMM_WORLD, &status);
    TRIED(MPI_Irecv, in, 1, MPI_INT, size + 3, 1, MPI_COMM_WORLD, &request);
    TRIED(MPI_Isend, out, 1, MPI_DATATYPE_NULL, other, 1, MPI_COMM_WORLD, &request);
    TRIED(MPI_Send_init, out, -3, MPI_INT, other, 1, MPI_COMM_WORLD, &request);
    TRIED(MPI_Probe, size, 1, MPI_COMM_WORLD, &status);
    TRIED(MPI_Iprobe, other, -9, MPI_COMM_WORLD, &flag, &status);
    show_status_bytes("after wrong arguments", &status);
    printf("request null %d, flag %d\n", request == MPI_REQUEST_NULL, flag);

    // Too long a message.
    status = preset();
    CALL(MPI_Irecv, in, 2, MPI_INT, other, 70, MPI_COMM_WORLD, &request);
    CALL(MPI_Barrier, MPI_COMM_WORLD);
    CALL(MPI_Send, out, N, MPI_INT, other, 70, MPI_COMM_WORLD);
    TRIED(MPI_Wait, &request, &status);
    printf("truncated: source %d tag %d, null %d\n", status.MPI_SOURCE, status.MPI_TAG, request == MPI_REQUEST_NULL);
    preset_all(statuses, 2);
    CALL(MPI_Irecv, in, 2, MPI_INT, other, 71, MPI_COMM_WORLD, &receives[0]);
    CALL(MPI_Irecv, in + N, N, MPI_INT, other, 72, MPI_COMM_WORLD, &receives[1]);
    CALL(MPI_Barrier, MPI_COMM_WORLD);
    CALL(MPI_Isend, out, N, MPI_INT, other, 72, MPI_COMM_WORLD, &sends[1]);
    CALL(MPI_Isend, out, N, MPI_INT, other, 71, MPI_COMM_WORLD, &sends[0]);
    CALL(MPI_Waitall, 2, sends, MPI_STATUSES_IGNORE);
    CALL(MPI_Barrier, MPI_COMM_WORLD);
    TRIED(MPI_Waitall, 2, receives, statuses);
    for (int i = 0; i < 2; ++i)
        printf("error in status: %d\n", statuses[i].MPI_ERROR);
    if (receives[1] != MPI_REQUEST_NULL)
        CALL(MPI_Wait, &receives[1], MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    blocking();
    exchanges();
    with_nobody();
    nonblocking();
    persistent();
    probes();
    wrong_arguments();
    return end(argc, argv);
}
