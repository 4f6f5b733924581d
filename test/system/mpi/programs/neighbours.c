// SPDX-License-Identifier: BSD-3-Clause
// Neighbourhood collectives on a ring, on a line whose ends have no neighbour, and on a graph.
#include "calls.h"

#if MPI_VERSION >= 4
#define PERSISTENT(name, ...)                                                                      \
    do {                                                                                           \
        MPI_Request request;                                                                       \
        CALL(MPI_Neighbor_##name##_init, __VA_ARGS__, MPI_INFO_NULL, &request);                    \
        for (int round = 0; round < 2; ++round) {                                                  \
            fill(8);                                                                               \
            CALL(MPI_Start, &request);                                                             \
            CALL(MPI_Wait, &request, MPI_STATUS_IGNORE);                                           \
            show(#name "_init");                                                                   \
        }                                                                                          \
        CALL(MPI_Request_free, &request);                                                          \
    } while (0)
#else
#define PERSISTENT(name, ...) (void)0
#endif

#define ALL(name, ...)                                                                             \
    do {                                                                                           \
        MPI_Request request;                                                                       \
        MPI_Status status = preset();                                                              \
        fill(8);                                                                                   \
        CALL(MPI_Neighbor_##name, __VA_ARGS__);                                                    \
        show(#name);                                                                               \
        fill(9);                                                                                   \
        CALL(MPI_Ineighbor_##name, __VA_ARGS__, &request);                                         \
        CALL(MPI_Wait, &request, &status);                                                         \
        show("I" #name);                                                                           \
        show_status_error(#name, &status);                                                         \
        PERSISTENT(name, __VA_ARGS__);                                                             \
    } while (0)

static const Displacement at[] = {0, 2};
static const MPI_Aint displacements[] = {0, 8};

static void all(MPI_Comm comm)
{
    const MPI_Datatype ints[] = {MPI_INT, MPI_INT};
    ALL(allgather, out, 1, MPI_INT, in, 1, MPI_INT, comm);
    ALL(allgatherv, out, 1, MPI_INT, in, (const Count[]){1, 1}, at, MPI_INT, comm);
    ALL(alltoall, out, 1, MPI_INT, in, 1, MPI_INT, comm);
    ALL(alltoallv, out, (const Count[]){1, 1}, at, MPI_INT, in, (const Count[]){1, 1}, at, MPI_INT, comm);
    ALL(alltoallw, out, (const Count[]){1, 1}, displacements, ints, in, (const Count[]){1, 1}, displacements, ints, comm);
}

int main(int argc, char **argv)
{
    MPI_Comm ring, line, graph;
    begin(&argc, &argv);
    const int dims[] = {size}, periodic[] = {1}, open[] = {0};
    CALL(MPI_Cart_create, MPI_COMM_WORLD, 1, dims, periodic, 0, &ring);
    all(ring);
    CALL(MPI_Cart_create, MPI_COMM_WORLD, 1, dims, open, 0, &line);
    all(line);
    const int neighbours[] = {(rank + size - 1) % size, (rank + 1) % size};
    CALL(MPI_Dist_graph_create_adjacent, MPI_COMM_WORLD, 2, neighbours, MPI_UNWEIGHTED, 2, neighbours, MPI_UNWEIGHTED,
         MPI_INFO_NULL, 0, &graph);
    all(graph);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    counted("MPI_Comm_set_errhandler");
    TRIED(MPI_Neighbor_allgather, out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD);
    CALL(MPI_Comm_free, &ring);
    CALL(MPI_Comm_free, &line);
    CALL(MPI_Comm_free, &graph);
    return end(argc, argv);
}
