// SPDX-License-Identifier: BSD-3-Clause
// What MPI 2 deprecated and MPI 3 removed: libraries still export it, Open MPI without declaring it. An even number of ranks.
#include "calls.h"
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#ifdef OPEN_MPI
#undef MPI_Address
#undef MPI_Errhandler_create
#undef MPI_Errhandler_get
#undef MPI_Errhandler_set
#undef MPI_Type_extent
#undef MPI_Type_hindexed
#undef MPI_Type_hvector
#undef MPI_Type_lb
#undef MPI_Type_struct
#undef MPI_Type_ub
int MPI_Address(void *, MPI_Aint *);
int MPI_Errhandler_create(MPI_Comm_errhandler_function *, MPI_Errhandler *);
int MPI_Errhandler_get(MPI_Comm, MPI_Errhandler *);
int MPI_Errhandler_set(MPI_Comm, MPI_Errhandler);
int MPI_Type_extent(MPI_Datatype, MPI_Aint *);
int MPI_Type_hindexed(int, int *, MPI_Aint *, MPI_Datatype, MPI_Datatype *);
int MPI_Type_hvector(int, int, MPI_Aint, MPI_Datatype, MPI_Datatype *);
int MPI_Type_lb(MPI_Datatype, MPI_Aint *);
int MPI_Type_struct(int, int *, MPI_Aint *, MPI_Datatype *, MPI_Datatype *);
int MPI_Type_ub(MPI_Datatype, MPI_Aint *);
#endif

static void handler(MPI_Comm *comm, int *error, ...)
{
    int class = -1;
    (void)comm;
    PMPI_Error_class(*error, &class);
    printf("handled %d\n", class);
}
static int copied(MPI_Comm comm, int key, void *extra, void *value, void *result, int *flag)
{
    (void)comm, (void)key, (void)extra;
    printf("copied\n");
    *(void **)result = value;
    *flag = 1;
    return MPI_SUCCESS;
}
static int deleted(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm, (void)key, (void)extra, (void)value;
    printf("deleted\n");
    return MPI_SUCCESS;
}

static void show_type(const char *what, MPI_Datatype *type)
{
    MPI_Aint extent = -1, lower = -1, upper = -1;
    MPI_Status status = preset();
    CALL(MPI_Type_extent, *type, &extent);
    CALL(MPI_Type_lb, *type, &lower);
    CALL(MPI_Type_ub, *type, &upper);
    printf("%s: %d %d %d\n", what, (int)extent, (int)lower, (int)upper);
    CALL(MPI_Type_commit, type);
    fill(1);
    CALL(MPI_Sendrecv, out, 1, *type, other, 1, in, 1, *type, other, 1, MPI_COMM_WORLD, &status);
    show_status(what, &status);
    show(what);
    CALL(MPI_Type_free, type);
}

int main(int argc, char **argv)
{
    int key, flag = -1, value = 3, *got = NULL, lengths[2] = {2, 1};
    MPI_Aint address = 0, bytes[2] = {0, 16};
    MPI_Errhandler errhandler, current;
    MPI_Comm comm, copy;
    MPI_Datatype type, types[2] = {MPI_INT, MPI_INT};
    begin(&argc, &argv);
    CALL(MPI_Address, &value, &address);
    printf("address %d\n", address == (MPI_Aint)&value);
    CALL(MPI_Type_hvector, 2, 2, (MPI_Aint)12, MPI_INT, &type);
    show_type("hvector", &type);
    CALL(MPI_Type_hindexed, 2, lengths, bytes, MPI_INT, &type);
    show_type("hindexed", &type);
    CALL(MPI_Type_struct, 2, lengths, bytes, types, &type);
    show_type("struct", &type);
    CALL(MPI_Errhandler_create, handler, &errhandler);
    CALL(MPI_Errhandler_set, MPI_COMM_WORLD, errhandler);
    CALL(MPI_Errhandler_get, MPI_COMM_WORLD, &current);
    printf("same %d\n", current == errhandler);
    TRIED(MPI_Send, out, -1, MPI_INT, other, 1, MPI_COMM_WORLD);
    CALL(MPI_Errhandler_set, MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    CALL(MPI_Errhandler_free, &errhandler);
    CALL(MPI_Keyval_create, copied, deleted, &key, NULL);
    CALL(MPI_Comm_dup, MPI_COMM_SELF, &comm);
    CALL(MPI_Attr_put, comm, key, &value);
    CALL(MPI_Comm_dup, comm, &copy);
    CALL(MPI_Attr_get, copy, key, &got, &flag);
    printf("attribute %d %d\n", flag, got == &value);
    CALL(MPI_Attr_delete, copy, key);
    CALL(MPI_Comm_free, &copy);
    CALL(MPI_Comm_free, &comm);
    CALL(MPI_Keyval_free, &key);
    return end(argc, argv);
}
