// SPDX-License-Identifier: BSD-3-Clause
// 2 ranks: what MPI 4 adds. Partitioned messages, persistent collective calls, MPI_Isendrecv, and large counts.
#include "expect.h"

enum { I = sizeof(int), N = 12 };
static int a[100], b[100];

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
    const int counts[2] = {1, 3}, displacements[2] = {0, 9};
    MUST(MPI_Allgatherv_init(a, counts[rank], MPI_INT, b, counts, displacements, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &request));
    for (int round = 0; round < 3; ++round) {
        MUST(MPI_Start(&request));
        MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
        for (int i = 0; i < 2; ++i) {
            SENT(MPI_Start, i, -1, counts[rank] * I);
            GOT(MPI_Start, i, -1, counts[i] * I);
        }
    }
    MPI_Request_free(&request);
    MUST(MPI_Isendrecv(a, 2, MPI_INT, other, 4, b, 2, MPI_INT, other, 4, MPI_COMM_WORLD, &request));
    MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
    SENT(MPI_Isendrecv, other, 4, 2 * I);
    GOT(MPI_Isendrecv, other, 4, 2 * I);
    const MPI_Count large[2] = {2, 5};
    const MPI_Aint places[2] = {0, 9};
    MUST(MPI_Alltoallv_c(a, large, places, MPI_INT, b, (MPI_Count[]){large[rank], large[rank]}, places, MPI_INT, MPI_COMM_WORLD));
    for (int i = 0; i < 2; ++i) {
        SENT(MPI_Alltoallv_c, i, -1, large[i] * I);
        GOT(MPI_Alltoallv_c, i, -1, large[rank] * I);
    }
    MUST(MPI_Sendrecv_c(a, 3, MPI_INT, other, 5, b, 9, MPI_INT, other, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    SENT(MPI_Sendrecv_c, other, 5, 3 * I);
    GOT(MPI_Sendrecv_c, other, 5, 3 * I);
#endif
    MPI_Finalize();
    return fclose(expected);
}
