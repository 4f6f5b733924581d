// SPDX-License-Identifier: BSD-3-Clause
// 2 ranks spawn 2 others. Ranks of the other job are known by their number there, also on a communicator of all
// four.
#include "expect.h"

enum { I = sizeof(int) };

int main(int argc, char **argv)
{
    MPI_Comm inter, all;
    int a[10] = {0}, b[10], place;
    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&inter);
    const int child = inter != MPI_COMM_NULL;
    char name[32];
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(name, sizeof name, "expected%s.%d", child ? ".child" : "", rank);
    expected = fopen(name, "w");
    if (!child)
        MUST(MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &inter, MPI_ERRCODES_IGNORE));
    // Crosswise.
    MUST(MPI_Sendrecv(a, 1 + rank, MPI_INT, 1 - rank, 1, b, 10, MPI_INT, MPI_ANY_SOURCE, 1, inter, MPI_STATUS_IGNORE));
    fprintf(expected, "MPI_Sendrecv send foreign%d 1 %d\n", 1 - rank, (1 + rank) * I);
    fprintf(expected, "MPI_Sendrecv recv foreign%d 1 %d\n", 1 - rank, (2 - rank) * I);
    MUST(MPI_Intercomm_merge(inter, !child, &all));
    MPI_Comm_rank(all, &place); // children first
    MUST(MPI_Sendrecv(a, 3, MPI_INT, (place + 2) % 4, 2, b, 10, MPI_INT, MPI_ANY_SOURCE, 2, all, MPI_STATUS_IGNORE));
    fprintf(expected, "MPI_Sendrecv send foreign%d 2 %d\n", rank, 3 * I);
    fprintf(expected, "MPI_Sendrecv recv foreign%d 2 %d\n", rank, 3 * I);
    MUST(MPI_Sendrecv(a, 4, MPI_INT, place ^ 1, 3, b, 10, MPI_INT, place ^ 1, 3, all, MPI_STATUS_IGNORE));
    SENT(MPI_Sendrecv, 1 - rank, 3, 4 * I);
    GOT(MPI_Sendrecv, 1 - rank, 3, 4 * I);
    MPI_Comm_free(&all);
    MUST(MPI_Comm_disconnect(&inter));
    MPI_Finalize();
    return fclose(expected);
}
