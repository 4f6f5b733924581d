// SPDX-License-Identifier: BSD-3-Clause
// Datatypes: made in every way, asked, packed, and sent; operations. An even number of ranks.
#include "calls.h"

// What is a count in the large forms, though an address in the others.
#ifdef LARGE_COUNT
typedef MPI_Count Bytes;
#else
typedef MPI_Aint Bytes;
#endif

static void show_envelope(MPI_Datatype type)
{
    Count integers = -1, addresses = -1, types = -1;
    int combiner = -1;
#ifdef LARGE_COUNT
    Count large = -1;
    CALL(MPI_Type_get_envelope, type, &integers, &addresses, &large, &types, &combiner);
    printf(" large %d", (int)large);
#else
    CALL(MPI_Type_get_envelope, type, &integers, &addresses, &types, &combiner);
#endif
    printf(" envelope %d %d %d %d", (int)integers, (int)addresses, (int)types, combiner);
}

static void show_type(const char *what, MPI_Datatype type)
{
    Count bytes = -1;
    int length = -1;
    MPI_Aint lower = -1, extent = -1;
    MPI_Count large = -1, large_lower = -1;
    char name[MPI_MAX_OBJECT_NAME] = "";
    CALL(MPI_Type_size, type, &bytes);
    CALL(MPI_Type_size_x, type, &large);
    printf("%s: size %d %d", what, (int)bytes, (int)large);
    CALL(MPI_Type_get_extent, type, &lower, &extent);
    printf(" extent %d %d", (int)lower, (int)extent);
    CALL(MPI_Type_get_extent_x, type, &large_lower, &large);
    printf(" %d %d", (int)large_lower, (int)large);
    CALL(MPI_Type_get_true_extent, type, &lower, &extent);
    printf(" true %d %d", (int)lower, (int)extent);
    CALL(MPI_Type_get_true_extent_x, type, &large_lower, &large);
    printf(" %d %d", (int)large_lower, (int)large);
    show_envelope(type);
    CALL(MPI_Type_get_name, type, name, &length);
    printf(" '%s' %d\n", name, length);
}

// Shows it, sends one to the partner, and frees it.
static void used(const char *what, MPI_Datatype type)
{
    MPI_Status status = preset();
    CALL(MPI_Type_commit, &type);
    show_type(what, type);
    fill(1);
    CALL(MPI_Sendrecv, out, 1, type, other, 1, in, 1, type, other, 1, MPI_COMM_WORLD, &status);
    show_status(what, &status);
    show(what);
    CALL(MPI_Type_free, &type);
    printf("null %d\n", type == MPI_DATATYPE_NULL);
}

static void made_in_every_way(void)
{
    MPI_Datatype type, another;
    const Count lengths[2] = {2, 1}, at[2] = {0, 4};
    const Bytes bytes[2] = {0, 16};
    const MPI_Datatype types[2] = {MPI_INT, MPI_FLOAT};
    const Count sizes[2] = {4, 4}, subsizes[2] = {2, 2}, starts[2] = {1, 1};
    const int psizes[2] = {1, 1};
    const int distributions[2] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_NONE},
              arguments[2] = {MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG};
    int integers[10];
    Count number = -1;
    MPI_Aint addresses[10];
    MPI_Datatype contents[10];
    CALL(MPI_Type_contiguous, 3, MPI_INT, &type);
    used("contiguous", type);
    CALL(MPI_Type_vector, 2, 2, 3, MPI_INT, &type);
    used("vector", type);
    CALL(MPI_Type_create_hvector, 2, 2, (MPI_Aint)12, MPI_INT, &type);
    used("hvector", type);
    CALL(MPI_Type_indexed, 2, lengths, at, MPI_INT, &type);
    used("indexed", type);
    CALL(MPI_Type_create_hindexed, 2, lengths, bytes, MPI_INT, &type);
    used("hindexed", type);
    CALL(MPI_Type_create_indexed_block, 2, 2, at, MPI_INT, &type);
    used("indexed_block", type);
    CALL(MPI_Type_create_hindexed_block, 2, 2, bytes, MPI_INT, &type);
    used("hindexed_block", type);
    CALL(MPI_Type_create_struct, 2, lengths, bytes, types, &type);
    CALL(MPI_Type_set_name, type, "a struct");
    used("struct", type);
    CALL(MPI_Type_create_subarray, 2, sizes, subsizes, starts, MPI_ORDER_C, MPI_INT, &type);
    used("subarray", type);
    CALL(MPI_Type_create_darray, 1, 0, 2, sizes, distributions, arguments, psizes, MPI_ORDER_C, MPI_INT, &type);
    used("darray", type);
    CALL(MPI_Type_contiguous, 2, MPI_INT, &another);
    CALL(MPI_Type_create_resized, another, (MPI_Aint)0, (MPI_Aint)24, &type);
    used("resized", type);
    CALL(MPI_Type_dup, another, &type);
    used("dup", type);
#ifdef LARGE_COUNT
    Count large[10];
    CALL(MPI_Type_get_contents, another, 0, 0, 1, 1, integers, addresses, large, contents);
    printf("contents %d %d\n", (int)large[0], contents[0] == MPI_INT);
#else
    CALL(MPI_Type_get_contents, another, 1, 0, 1, integers, addresses, contents);
    printf("contents %d %d\n", integers[0], contents[0] == MPI_INT);
#endif
    CALL(MPI_Type_free, &another);
    CALL(MPI_Type_match_size, MPI_TYPECLASS_INTEGER, 4, &type);
    CALL(MPI_Type_size, type, &number);
    printf("match_size %d\n", (int)number);
    CALL(MPI_Type_create_f90_integer, 6, &type);
    CALL(MPI_Type_size, type, &number);
    printf("f90_integer %d\n", (int)number);
    CALL(MPI_Type_create_f90_real, 6, 20, &type);
    CALL(MPI_Type_size, type, &number);
    printf("f90_real %d\n", (int)number);
    CALL(MPI_Type_create_f90_complex, 6, 20, &type);
    CALL(MPI_Type_size, type, &number);
    printf("f90_complex %d\n", (int)number);
    show_type("int", MPI_INT);
}

static void packed(void)
{
    char buffer[400];
    Count position = 0, bytes = -1;
    Bytes large = 0;
    MPI_Status status = preset();
    fill(2);
    CALL(MPI_Pack_size, N, MPI_INT, MPI_COMM_WORLD, &bytes);
    printf("pack_size enough %d\n", bytes >= N * (Count)sizeof(int));
    CALL(MPI_Pack, out, N, MPI_INT, buffer, (int)sizeof buffer, &position, MPI_COMM_WORLD);
    printf("position %d\n", (int)position);
    CALL(MPI_Sendrecv_replace, buffer, position, MPI_PACKED, other, 1, other, 1, MPI_COMM_WORLD, &status);
    show_status("packed", &status);
    position = 0;
    CALL(MPI_Unpack, buffer, (int)sizeof buffer, &position, in, N, MPI_INT, MPI_COMM_WORLD);
    printf("position %d\n", (int)position);
    CALL(MPI_Pack_external_size, "external32", N, MPI_INT, &large);
    printf("external size %d\n", (int)large);
    large = 0;
    CALL(MPI_Pack_external, "external32", out, N, MPI_INT, buffer, (Bytes)sizeof buffer, &large);
    printf("position %d\n", (int)large);
    large = 0;
    CALL(MPI_Unpack_external, "external32", buffer, (Bytes)sizeof buffer, &large, in + N, N, MPI_INT);
    show("packed");
}

// The buffer is in the type, and its address is MPI_BOTTOM.
static void from_the_bottom(void)
{
    MPI_Aint where[2];
    const Count lengths[2] = {2, 3};
    const MPI_Datatype types[2] = {MPI_INT, MPI_INT};
    MPI_Datatype sent, received;
    MPI_Status status = preset();
    fill(3);
    CALL(MPI_Get_address, &out[1], &where[0]);
    CALL(MPI_Get_address, &out[9], &where[1]);
#if MPI_VERSION >= 4 || defined(MPICH)
    printf("difference %d\n", (int)VALUE(MPI_Aint_diff, where[1], where[0]));
    printf("sum %d\n", VALUE(MPI_Aint_add, where[0], (MPI_Aint)32) == where[1]);
#endif
    CALL(MPI_Type_create_struct, 2, lengths, where, types, &sent);
    CALL(MPI_Type_commit, &sent);
    CALL(MPI_Get_address, &in[2], &where[0]);
    CALL(MPI_Get_address, &in[7], &where[1]);
    CALL(MPI_Type_create_struct, 2, lengths, where, types, &received);
    CALL(MPI_Type_commit, &received);
    CALL(MPI_Sendrecv, MPI_BOTTOM, 1, sent, other, 1, MPI_BOTTOM, 1, received, other, 1, MPI_COMM_WORLD, &status);
    show_status("from the bottom", &status);
    show("from the bottom");
    fill(4);
    CALL(MPI_Bcast, MPI_BOTTOM, 1, rank == 0 ? sent : received, 0, MPI_COMM_WORLD);
    show("bcast from the bottom");
    // A type may go while a receive of it is under way.
    MPI_Request request;
    fill(5);
    CALL(MPI_Irecv, MPI_BOTTOM, 1, received, other, 2, MPI_COMM_WORLD, &request);
    CALL(MPI_Type_free, &received);
    CALL(MPI_Send, MPI_BOTTOM, 1, sent, other, 2, MPI_COMM_WORLD);
    status = preset();
    CALL(MPI_Wait, &request, &status);
    show_status("its type is gone", &status);
    show("its type is gone");
    CALL(MPI_Type_free, &sent);
}

static int applied;
static void weighted(void *a, void *b, Count *length, MPI_Datatype *type)
{
    ++applied;
    for (int i = 0; i < *length; ++i)
        ((int *)b)[i] += 2 * ((int *)a)[i] + (*type != MPI_INT);
}

static void operations(void)
{
    MPI_Op op;
    int commutes = -1;
    fill(6);
    CALL(MPI_Op_create, weighted, 0, &op);
    CALL(MPI_Op_commutative, op, &commutes);
    CALL(MPI_Allreduce, out, in, N, MPI_INT, op, MPI_COMM_WORLD);
    show("own operation");
    printf("commutes %d, applied %d\n", commutes, applied > 0);
    CALL(MPI_Op_commutative, MPI_SUM, &commutes);
    CALL(MPI_Op_free, &op);
    printf("sum commutes %d, null %d\n", commutes, op == MPI_OP_NULL);
}

static void wrong_arguments(void)
{
    MPI_Datatype type = MPI_DATATYPE_NULL;
    Count position = 0;
    TRIED(MPI_Type_contiguous, -1, MPI_INT, &type);
    TRIED(MPI_Type_vector, 2, -1, 2, MPI_INT, &type);
    TRIED(MPI_Type_free, &type);
    TRIED(MPI_Pack, out, N, MPI_INT, in, 2, &position, MPI_COMM_WORLD);
    TRIED(MPI_Type_match_size, MPI_TYPECLASS_INTEGER, 77, &type);
    printf("null %d, position %d\n", type == MPI_DATATYPE_NULL, (int)position);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    made_in_every_way();
    packed();
    from_the_bottom();
    operations();
    wrong_arguments();
    return end(argc, argv);
}
