// SPDX-License-Identifier: BSD-3-Clause
// Processes that are started or met while the program runs. Two ranks; starts itself as its children.
#include <netinet/in.h>
#include <sys/socket.h>
#include "calls.h"

static int child(MPI_Comm parent)
{
    int number = -1;
    CALL(MPI_Comm_remote_size, parent, &number);
    CALL(MPI_Bcast, in, N, MPI_INT, 0, parent);
    for (int i = 0; i < N; ++i)
        in[i] += 1000 * (rank + 1) + number;
    CALL(MPI_Send, in, N, MPI_INT, 0, 3, parent);
    CALL(MPI_Comm_disconnect, &parent);
    CALL(MPI_Finalize);
    return 0;
}

static void with_children(const char *what, MPI_Comm *children, const int *codes)
{
    MPI_Status status = preset();
    int number = -1;
    CALL(MPI_Comm_remote_size, *children, &number);
    printf("%s: %d children, codes %d %d\n", what, number, codes[0], codes[1]);
    fill(1);
    CALL(MPI_Bcast, out, N, MPI_INT, rank == 0 ? MPI_ROOT : MPI_PROC_NULL, *children);
    for (int i = 0; rank == 0 && i < number; ++i) {
        CALL(MPI_Recv, in, N, MPI_INT, i, 3, *children, &status);
        show_status(what, &status);
        show(what);
    }
    CALL(MPI_Comm_disconnect, children);
    printf("null %d\n", *children == MPI_COMM_NULL);
}

static void spawned(char *program)
{
    MPI_Comm children;
    int codes[2] = {-1, -1}, one_each[2] = {1, 1};
    char *programs[2] = {program, program}, *child_argv[] = {(char *)"child", NULL}, **child_argvs[] = {child_argv, child_argv};
    MPI_Info infos[2] = {MPI_INFO_NULL, MPI_INFO_NULL};
    // MPICH as Debian builds it cannot.
    if (TRIED(MPI_Comm_spawn, program, child_argv, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children, codes) != MPI_SUCCESS)
        return;
    with_children("spawn", &children, codes);
    codes[0] = codes[1] = 0;
    CALL(MPI_Comm_spawn_multiple, 2, programs, child_argvs, one_each, infos, 0, MPI_COMM_WORLD, &children, MPI_ERRCODES_IGNORE);
    with_children("spawn_multiple", &children, codes);
}

// Rank 0 waits, rank 1 comes; the name of the port goes by message.
static void met(void)
{
    char port[MPI_MAX_PORT_NAME] = "", found[MPI_MAX_PORT_NAME] = "";
    MPI_Comm between = MPI_COMM_NULL;
    MPI_Status status = preset();
    fill(2);
    if (rank == 0) {
        TRIED(MPI_Open_port, MPI_INFO_NULL, port);
        CALL(MPI_Send, port, MPI_MAX_PORT_NAME, MPI_CHAR, 1, 4, MPI_COMM_WORLD);
        TRIED(MPI_Comm_accept, port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &between);
        if (between != MPI_COMM_NULL)
            CALL(MPI_Close_port, port);
    } else {
        CALL(MPI_Recv, port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        TRIED(MPI_Comm_connect, port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &between);
    }
    if (between != MPI_COMM_NULL) {
        CALL(MPI_Sendrecv, out, N, MPI_INT, 0, 5, in, N, MPI_INT, 0, 5, between, &status);
        show_status("met", &status);
        show("met");
        CALL(MPI_Comm_disconnect, &between);
    }

    // There may be no name server.
    if (rank == 0) {
        TRIED(MPI_Publish_name, "a service", MPI_INFO_NULL, port);
        TRIED(MPI_Lookup_name, "a service", MPI_INFO_NULL, found);
        TRIED(MPI_Unpublish_name, "a service", MPI_INFO_NULL, port);
    }
}

// By a socket that the two ranks have opened by themselves.
static void joined(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t length = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM, 0), connection = listener, port = 0;
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Status status = preset();
    fill(3);
    if (rank == 0) {
        if (bind(listener, (struct sockaddr *)&address, length) || listen(listener, 1) ||
            getsockname(listener, (struct sockaddr *)&address, &length))
            bad = 6;
        port = address.sin_port;
        CALL(MPI_Send, &port, 1, MPI_INT, 1, 6, MPI_COMM_WORLD);
        connection = accept(listener, NULL, NULL);
    } else {
        CALL(MPI_Recv, &port, 1, MPI_INT, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        address.sin_port = (in_port_t)port;
        if (connect(connection, (struct sockaddr *)&address, length))
            bad = 6;
    }
    TRIED(MPI_Comm_join, connection, &comm);
    if (comm != MPI_COMM_NULL) {
        CALL(MPI_Sendrecv, out, N, MPI_INT, 0, 5, in, N, MPI_INT, 0, 5, comm, &status);
        show_status("joined", &status);
        show("joined");
        CALL(MPI_Comm_disconnect, &comm);
    }
}

int main(int argc, char **argv)
{
    MPI_Comm parent;
    CALL(MPI_Init, &argc, &argv);
    learn_rank();
    CALL(MPI_Comm_get_parent, &parent);
    if (parent != MPI_COMM_NULL)
        return child(parent);
    spawned(argv[0]);
    met();
    joined();
    return end(argc, argv);
}
