// SPDX-License-Identifier: BSD-3-Clause
// Communicators, groups and topologies. An even number of ranks.
#include "calls.h"

static void show_comm(const char *what, MPI_Comm comm)
{
    int compared = -1, r = -1, s = -1, inter = -1;
    char name[MPI_MAX_OBJECT_NAME] = "";
    int length = -1;
    if (comm == MPI_COMM_NULL) {
        printf("%s: null\n", what);
        return;
    }
    CALL(MPI_Comm_rank, comm, &r);
    CALL(MPI_Comm_size, comm, &s);
    CALL(MPI_Comm_test_inter, comm, &inter);
    if (!inter)
        CALL(MPI_Comm_compare, MPI_COMM_WORLD, comm, &compared);
    CALL(MPI_Comm_get_name, comm, name, &length);
    printf("%s: rank %d of %d, inter %d, compared %d, name '%s' %d\n", what, r, s, inter, compared, name, length);
}

static void communicators(void)
{
    MPI_Comm comm, another;
    MPI_Request request;
    MPI_Group world, group;
    MPI_Info info;
    const int one = rank;
    CALL(MPI_Comm_dup, MPI_COMM_WORLD, &comm);
    CALL(MPI_Comm_set_name, comm, "of mine");
    show_comm("dup", comm);
    CALL(MPI_Comm_idup, comm, &another, &request);
    CALL(MPI_Wait, &request, MPI_STATUS_IGNORE);
    show_comm("idup", another);
    CALL(MPI_Comm_free, &another);
    CALL(MPI_Info_create, &info);
    CALL(MPI_Comm_dup_with_info, comm, info, &another);
    show_comm("dup_with_info", another);
    CALL(MPI_Comm_set_info, another, info);
    CALL(MPI_Info_free, &info);
    CALL(MPI_Comm_get_info, another, &info);
    printf("info null %d\n", info == MPI_INFO_NULL);
#if MPI_VERSION >= 4
    MPI_Comm third;
    CALL(MPI_Comm_idup_with_info, comm, info, &third, &request);
    CALL(MPI_Wait, &request, MPI_STATUS_IGNORE);
    show_comm("idup_with_info", third);
    CALL(MPI_Comm_free, &third);
#endif
    CALL(MPI_Info_free, &info);
    CALL(MPI_Comm_disconnect, &another);
    printf("null %d\n", another == MPI_COMM_NULL);
    CALL(MPI_Comm_group, MPI_COMM_WORLD, &world);
    CALL(MPI_Group_incl, world, 1, &one, &group);
    CALL(MPI_Comm_create, comm, group, &another);
    show_comm("create", another);
    CALL(MPI_Comm_free, &another);
    CALL(MPI_Comm_create_group, comm, group, 3, &another);
    show_comm("create_group", another);
    CALL(MPI_Comm_free, &another);
    CALL(MPI_Comm_split, comm, rank % 2 == 0 ? 0 : MPI_UNDEFINED, -rank, &another);
    show_comm("split", another);
    if (another != MPI_COMM_NULL)
        CALL(MPI_Comm_free, &another);
    CALL(MPI_Comm_split_type, comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &another);
    show_comm("split_type", another);
    CALL(MPI_Comm_free, &another);
    CALL(MPI_Group_free, &group);
    CALL(MPI_Group_free, &world);
    CALL(MPI_Comm_free, &comm);
    CALL(MPI_Topo_test, MPI_COMM_WORLD, &(int){0});
}

static void two_groups(void)
{
    MPI_Comm half, inter, merged;
    MPI_Group group;
    int number = -1;
    MPI_Status status = preset();
    CALL(MPI_Comm_split, MPI_COMM_WORLD, rank % 2, rank, &half);
    CALL(MPI_Intercomm_create, half, 0, MPI_COMM_WORLD, (rank + 1) % 2, 11, &inter);
    show_comm("intercomm", inter);
    CALL(MPI_Comm_remote_size, inter, &number);
    printf("remote size %d\n", number);
    CALL(MPI_Comm_remote_group, inter, &group);
    CALL(MPI_Group_size, group, &number);
    printf("remote group %d\n", number);
    fill(1);
    CALL(MPI_Sendrecv, out, N, MPI_INT, rank / 2, 5, in, N, MPI_INT, rank / 2, 5, inter, &status);
    show_status("across", &status);
    show("across");
    CALL(MPI_Intercomm_merge, inter, rank % 2, &merged);
    show_comm("merged", merged);
    CALL(MPI_Group_free, &group);
    CALL(MPI_Comm_free, &merged);
    CALL(MPI_Comm_free, &inter);
    CALL(MPI_Comm_free, &half);
}

static void show_group(const char *what, MPI_Group group)
{
    int r = -1, s = -1;
    CALL(MPI_Group_rank, group, &r);
    CALL(MPI_Group_size, group, &s);
    printf("%s: rank %d of %d\n", what, r == MPI_UNDEFINED ? -99 : r, s);
}

static void groups(void)
{
    MPI_Group world, a, b, c;
    int ranks[2] = {0, 1}, theirs[2] = {-1, -1}, result = -1, ranges[1][3] = {{0, size - 1, 2}};
    CALL(MPI_Comm_group, MPI_COMM_WORLD, &world);
    CALL(MPI_Group_incl, world, 1, &ranks[1], &a);
    show_group("incl", a);
    CALL(MPI_Group_excl, world, 1, &ranks[1], &b);
    show_group("excl", b);
    CALL(MPI_Group_union, a, b, &c);
    show_group("union", c);
    CALL(MPI_Group_compare, world, c, &result);
    CALL(MPI_Group_translate_ranks, c, 2, ranks, world, theirs);
    printf("compared %d, translated %d %d\n", result, theirs[0], theirs[1]);
    CALL(MPI_Group_free, &c);
    CALL(MPI_Group_intersection, world, a, &c);
    show_group("intersection", c);
    CALL(MPI_Group_free, &c);
    CALL(MPI_Group_difference, world, a, &c);
    show_group("difference", c);
    CALL(MPI_Group_free, &c);
    CALL(MPI_Group_range_incl, world, 1, ranges, &c);
    show_group("range_incl", c);
    CALL(MPI_Group_free, &c);
    CALL(MPI_Group_range_excl, world, 1, ranges, &c);
    show_group("range_excl", c);
    CALL(MPI_Group_free, &c);
    printf("null %d\n", c == MPI_GROUP_NULL);
    CALL(MPI_Group_free, &b);
    CALL(MPI_Group_free, &a);
    CALL(MPI_Group_free, &world);
}

static void cartesian(void)
{
    MPI_Comm grid, row;
    int dims[2] = {0, 0}, periods[2] = {1, 0}, coords[2] = {-1, -1}, source = -1, target = -1, number = -1, keep[2] = {1, 0};
    CALL(MPI_Dims_create, size, 2, dims);
    printf("dims %d %d\n", dims[0], dims[1]);
    CALL(MPI_Cart_create, MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    show_comm("grid", grid);
    CALL(MPI_Topo_test, grid, &number);
    printf("cartesian %d\n", number == MPI_CART);
    CALL(MPI_Cartdim_get, grid, &number);
    printf("dimensions %d\n", number);
    CALL(MPI_Cart_get, grid, 2, dims, periods, coords);
    printf("get %d %d %d %d %d %d\n", dims[0], dims[1], periods[0], periods[1], coords[0], coords[1]);
    CALL(MPI_Cart_coords, grid, rank, 2, coords);
    CALL(MPI_Cart_rank, grid, coords, &number);
    printf("rank %d\n", number);
    CALL(MPI_Cart_shift, grid, 0, 1, &source, &target);
    printf("shift %d %d\n", source, target);
    CALL(MPI_Cart_shift, grid, 1, 1, &source, &target);
    printf("shift over the edge %d %d\n", source == MPI_PROC_NULL, target == MPI_PROC_NULL);
    CALL(MPI_Cart_sub, grid, keep, &row);
    show_comm("sub", row);
    CALL(MPI_Cart_map, MPI_COMM_WORLD, 2, dims, periods, &number);
    printf("map %d\n", number);
    CALL(MPI_Comm_free, &row);
    CALL(MPI_Comm_free, &grid);
}

static void graphs(void)
{
    MPI_Comm graph;
    int index[64], edges[64], nodes = -1, number = -1, in_, out_, weighted = -1, list[64], weights[64], more[64], theirs[64];
    for (int i = 0; i < size; ++i) {
        index[i] = i + 1;
        edges[i] = i ^ 1;
    }
    CALL(MPI_Graph_create, MPI_COMM_WORLD, size, index, edges, 0, &graph);
    show_comm("graph", graph);
    CALL(MPI_Graphdims_get, graph, &nodes, &number);
    printf("dims %d %d\n", nodes, number);
    CALL(MPI_Graph_get, graph, size, size, index, edges);
    printf("get %d %d\n", index[rank], edges[rank]);
    CALL(MPI_Graph_neighbors_count, graph, rank, &number);
    CALL(MPI_Graph_neighbors, graph, rank, 1, list);
    printf("neighbors %d: %d\n", number, list[0]);
    CALL(MPI_Graph_map, MPI_COMM_WORLD, size, index, edges, &number);
    printf("map %d\n", number);
    CALL(MPI_Comm_free, &graph);
    CALL(MPI_Dist_graph_create, MPI_COMM_WORLD, 1, &rank, (const int[]){1}, &other, (const int[]){7}, MPI_INFO_NULL, 0, &graph);
    CALL(MPI_Dist_graph_neighbors_count, graph, &in_, &out_, &weighted);
    printf("%d in, %d out, weighted %d\n", in_, out_, weighted);
    CALL(MPI_Dist_graph_neighbors, graph, 1, list, weights, 1, more, theirs);
    printf("%d %d %d %d\n", list[0], weights[0], more[0], theirs[0]);
    CALL(MPI_Comm_free, &graph);
    CALL(MPI_Dist_graph_create, MPI_COMM_WORLD, 1, &rank, (const int[]){1}, &other, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
    CALL(MPI_Dist_graph_neighbors_count, graph, &in_, &out_, &weighted);
    printf("%d in, %d out, weighted %d\n", in_, out_, weighted);
    CALL(MPI_Comm_free, &graph);
    CALL(MPI_Dist_graph_create_adjacent, MPI_COMM_WORLD, 0, NULL, MPI_WEIGHTS_EMPTY, 0, NULL, MPI_WEIGHTS_EMPTY, MPI_INFO_NULL, 0,
         &graph);
    CALL(MPI_Dist_graph_neighbors_count, graph, &in_, &out_, &weighted);
    printf("%d in, %d out\n", in_, out_);
    CALL(MPI_Comm_free, &graph);
}

static void wrong_arguments(void)
{
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Group world, group = MPI_GROUP_NULL, twins;
    const int twice[2] = {0, 0}, too_many[1] = {size + 1}, far[1] = {size};
    int number = -1, periods[1] = {0};
    CALL(MPI_Comm_group, MPI_COMM_WORLD, &world);
    TRIED(MPI_Group_incl, world, 2, twice, &twins);
    TRIED(MPI_Group_incl, world, 1, far, &group);
    TRIED(MPI_Cart_create, MPI_COMM_WORLD, 1, too_many, periods, 0, &comm);
    TRIED(MPI_Comm_split, MPI_COMM_WORLD, -7, 0, &comm);
    TRIED(MPI_Comm_remote_size, MPI_COMM_WORLD, &number);
    TRIED(MPI_Cartdim_get, MPI_COMM_WORLD, &number);
    TRIED(MPI_Graph_neighbors_count, MPI_COMM_WORLD, 0, &number);
    printf("null %d %d, number %d\n", comm == MPI_COMM_NULL, group == MPI_GROUP_NULL, number);
    CALL(MPI_Group_free, &world);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    show_comm("world", MPI_COMM_WORLD);
    show_comm("self", MPI_COMM_SELF);
    communicators();
    two_groups();
    groups();
    cartesian();
    graphs();
    wrong_arguments();
    return end(argc, argv);
}
