// SPDX-License-Identifier: BSD-3-Clause
//
// Makes communicators in all ways and sends messages on each. Tags from 100 on are of calls that make one communicator,
// tags from 200 on of calls that make two, of the even and of the odd ranks. No tag is used for two calls.
#include <mpi.h>

static int rank, size, one = 100, two = 200;

static void talk(MPI_Comm comm, int tag)
{
    int inter, own, n, out = tag, in = -1;
    MPI_Comm_test_inter(comm, &inter);
    MPI_Comm_rank(comm, &own);
    MPI_Comm_size(comm, &n);
    MPI_Sendrecv(&out, 1, MPI_INT, inter ? own : (own + 1) % n, tag, &in, 1, MPI_INT, inter ? own : (own + n - 1) % n, tag, comm,
                 MPI_STATUS_IGNORE);
    if (in != tag)
        MPI_Abort(MPI_COMM_WORLD, 1);
}
static void talk_and_free(MPI_Comm comm, int *tag)
{
    if (comm != MPI_COMM_NULL) {
        talk(comm, *tag);
        MPI_Comm_free(&comm);
    }
    ++*tag;
}
static void copies(MPI_Comm parent)
{
    MPI_Comm comm, other;
    MPI_Request request;
    MPI_Comm_dup(parent, &other);
    for (int i = 0; i < 3; i++) { // the same handle again and again
        MPI_Comm_dup(parent, &comm);
        talk_and_free(comm, &one);
    }
    MPI_Comm_idup(parent, &comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    talk_and_free(comm, &one);
    MPI_Comm_dup_with_info(other, MPI_INFO_NULL, &comm);
    talk_and_free(comm, &one);
    talk_and_free(other, &one);
}
static void parts(MPI_Comm parent)
{
    MPI_Comm comm;
    MPI_Group group, half;
    int own, first[][3] = {{0, 1, 1}}, halves[][3] = {{0, size - 1, 2}};
    MPI_Comm_rank(parent, &own);
    halves[0][0] = own % 2;
    MPI_Comm_split(parent, own % 2, own, &comm);
    talk_and_free(comm, &two);
    MPI_Comm_split(parent, own < 2 ? 0 : MPI_UNDEFINED, own, &comm);
    talk_and_free(comm, &one);
    MPI_Comm_split_type(parent, MPI_COMM_TYPE_SHARED, own, MPI_INFO_NULL, &comm);
    talk_and_free(comm, &one);
    MPI_Comm_group(parent, &group);
    MPI_Group_range_incl(group, 1, halves, &half);
    MPI_Comm_create(parent, half, &comm);
    talk_and_free(comm, &two);
    MPI_Group_free(&half);
    MPI_Group_range_incl(group, 1, first, &half);
    for (int i = 0; i < 3; i++) {
        comm = MPI_COMM_NULL;
        if (own < 2) // others do not call
            MPI_Comm_create_group(parent, half, i / 2, &comm);
        talk_and_free(comm, &one);
    }
    MPI_Group_free(&half);
    MPI_Group_free(&group);
    MPI_Comm_split(parent, own % 2, -own, &comm);
    talk_and_free(comm, &two);
}
static void two_sides(void)
{
    MPI_Comm half, sides, again, comm;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    talk(half, two++);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 5, &sides);
    talk(sides, one++);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 5, &again);
    talk_and_free(again, &one);
    MPI_Comm_dup(sides, &comm);
    talk_and_free(comm, &one);
    for (int i = 0; i < 2; i++) {
        MPI_Intercomm_merge(sides, rank % 2, &comm);
        talk_and_free(comm, &one);
    }
    MPI_Comm_free(&sides);
    MPI_Comm_free(&half);
}
static void topologies(void)
{
    MPI_Comm grid, comm;
    int dims[] = {size / 2, 2}, wraps[] = {0, 0}, rows[] = {1, 0}, index[8], edges[8], next = (rank + 1) % size, from = (rank + size - 1) % size;
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, wraps, 0, &grid);
    talk(grid, one++);
    MPI_Cart_sub(grid, rows, &comm);
    talk_and_free(comm, &two);
    MPI_Comm_free(&grid);
    for (int i = 0; i < size; i++)
        index[i] = i + 1, edges[i] = (i + 1) % size;
    MPI_Graph_create(MPI_COMM_WORLD, size, index, edges, 0, &comm);
    talk_and_free(comm, &one);
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &from, MPI_UNWEIGHTED, 1, &next, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm);
    talk_and_free(comm, &one);
}
int main(int argc, char **argv)
{
    MPI_Comm copy;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    talk(MPI_COMM_WORLD, 0);
    talk(MPI_COMM_SELF, 1);
    copies(MPI_COMM_WORLD);
    parts(MPI_COMM_WORLD);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    copies(copy);
    parts(copy);
    talk_and_free(copy, &one);
    two_sides();
    topologies();
    MPI_Finalize();
    return 0;
}
