// SPDX-License-Identifier: BSD-3-Clause
// 2 ranks: MPI calls from functions of the program that the MPI library calls are the program's; and what a call that fails with
// MPI_ERR_IN_STATUS has completed all the same is recorded.
#include "expect.h"

enum { I = sizeof(int) };
static int a[100], b[4][100];

static int copy(MPI_Comm comm, int key, void *extra, void *in, void *out, int *flag)
{
    (void)key, (void)extra, (void)in, (void)out;
    MUST(MPI_Sendrecv(a, 2, MPI_INT, 1 - rank, 5, b, 9, MPI_INT, 1 - rank, 5, comm, MPI_STATUS_IGNORE));
    SENT(MPI_Sendrecv, 1 - rank, 5, 2 * I);
    GOT(MPI_Sendrecv, 1 - rank, 5, 2 * I);
    *flag = 0;
    return MPI_SUCCESS;
}

static void called_back(void)
{
    MPI_Comm comm;
    int key;
    MPI_Comm_create_keyval(copy, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_WORLD, key, &key);
    MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    MPI_Comm_free(&comm);
    MPI_Comm_delete_attr(MPI_COMM_WORLD, key);
}

static void failed(MPI_Status *statuses)
{
    MPI_Request list[4];
    const int other = 1 - rank;
    for (int i = 0; i < 2; ++i) { // the first has no room for what comes
        MUST(MPI_Irecv(b[i], i ? 9 : 1, MPI_INT, other, 10 + i, MPI_COMM_WORLD, &list[i]));
        MUST(MPI_Isend(a, 5, MPI_INT, other, 10 + i, MPI_COMM_WORLD, &list[2 + i]));
        SENT(MPI_Isend, other, 10 + i, 5 * I);
    }
    const int error = MPI_Waitall(4, list, statuses);
    int class;
    PMPI_Error_class(error, &class);
    printf("%s\n", class == MPI_ERR_IN_STATUS ? "in status" : class == MPI_ERR_TRUNCATE ? "truncated" : "another error");
    GOT(MPI_Irecv, other, 11, 5 * I);
    for (int i = 0; i < 4; ++i) // what is pending still
        MUST(MPI_Wait(&list[i], MPI_STATUS_IGNORE));
}

int main(int argc, char **argv)
{
    MPI_Status statuses[4];
    MPI_Init(&argc, &argv);
    begin_expecting();
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    called_back();
    failed(statuses);
    failed(MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return fclose(expected);
}
