// SPDX-License-Identifier: BSD-3-Clause
// Partitioned communication of MPI 4. An even number of ranks.
#include "calls.h"

int main(int argc, char **argv)
{
    begin(&argc, &argv);
#if MPI_VERSION >= 4
    enum { PARTS = 4 };
    MPI_Request send, receive;
    MPI_Status status = preset();
    int flag = 0;
    int list[] = {0};
    CALL(MPI_Psend_init, out, PARTS, (MPI_Count)2, MPI_INT, other, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &send);
    CALL(MPI_Precv_init, in, PARTS, (MPI_Count)2, MPI_INT, other, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &receive);
    for (int round = 0; round < 2; ++round) {
        fill(round);
        CALL(MPI_Start, &send);
        CALL(MPI_Startall, 1, &receive);
        CALL(MPI_Pready, 3, send);
        CALL(MPI_Pready_list, 1, list, send);
        CALL(MPI_Pready_range, 1, 2, send);
        do
            CALL(MPI_Parrived, receive, 2, &flag);
        while (!flag);
        CALL(MPI_Wait, &send, MPI_STATUS_IGNORE);
        CALL(MPI_Wait, &receive, &status);
        show_count("partitioned", &status);
        show("partitioned");
    }
    CALL(MPI_Request_free, &send);
    CALL(MPI_Request_free, &receive);
#endif
    return end(argc, argv);
}
