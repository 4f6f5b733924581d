// SPDX-License-Identifier: BSD-3-Clause
// Attributes, error handlers, error codes and info objects: callbacks are called as often, and with the same arguments. An even
// number of ranks.
#include "calls.h"

static int copy_comm(MPI_Comm comm, int key, void *extra, void *value, void *result, int *flag)
{
    (void)comm, (void)key;
    printf("copy %s %d\n", (char *)extra, *(int *)value);
    *(void **)result = value;
    *flag = 1;
    return MPI_SUCCESS;
}
static int delete_comm(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm, (void)key;
    printf("delete %s %d\n", (char *)extra, *(int *)value);
    return MPI_SUCCESS;
}
static int copy_type(MPI_Datatype type, int key, void *extra, void *value, void *result, int *flag)
{
    (void)type;
    return copy_comm(MPI_COMM_NULL, key, extra, value, result, flag);
}
static int delete_type(MPI_Datatype type, int key, void *value, void *extra)
{
    (void)type;
    return delete_comm(MPI_COMM_NULL, key, value, extra);
}
static int delete_win(MPI_Win win, int key, void *value, void *extra)
{
    (void)win;
    return delete_comm(MPI_COMM_NULL, key, value, extra);
}

static void attributes(void)
{
    int key, value = 17, flag = -1, *got = NULL;
    MPI_Comm comm, copy;
    MPI_Datatype type, another;
    MPI_Win win;
    void *upper;
    CALL(MPI_Comm_get_attr, MPI_COMM_WORLD, MPI_TAG_UB, &upper, &flag);
    printf("tags %d %d\n", flag, *(int *)upper >= 32767);
    CALL(MPI_Comm_create_keyval, copy_comm, delete_comm, &key, "comm");
    CALL(MPI_Comm_dup, MPI_COMM_SELF, &comm);
    CALL(MPI_Comm_get_attr, comm, key, &got, &flag);
    printf("not yet %d\n", flag);
    CALL(MPI_Comm_set_attr, comm, key, &value);
    CALL(MPI_Comm_dup, comm, &copy);
    CALL(MPI_Comm_get_attr, copy, key, &got, &flag);
    printf("copied %d %d\n", flag, got == &value);
    CALL(MPI_Comm_delete_attr, copy, key);
    CALL(MPI_Comm_free, &copy);
    CALL(MPI_Comm_free, &comm);
    CALL(MPI_Comm_free_keyval, &key);
    printf("invalid %d\n", key == MPI_KEYVAL_INVALID);

    CALL(MPI_Type_create_keyval, copy_type, delete_type, &key, "type");
    CALL(MPI_Type_contiguous, 2, MPI_INT, &type);
    CALL(MPI_Type_set_attr, type, key, &value);
    CALL(MPI_Type_dup, type, &another);
    CALL(MPI_Type_get_attr, another, key, &got, &flag);
    printf("copied %d %d\n", flag, got == &value);
    CALL(MPI_Type_delete_attr, another, key);
    CALL(MPI_Type_free, &another);
    CALL(MPI_Type_free, &type);
    CALL(MPI_Type_free_keyval, &key);

    CALL(MPI_Win_create_keyval, MPI_WIN_NULL_COPY_FN, delete_win, &key, "win");
    CALL(MPI_Win_create, out, (MPI_Aint)sizeof out, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    CALL(MPI_Win_set_attr, win, key, &value);
    CALL(MPI_Win_get_attr, win, key, &got, &flag);
    printf("set %d %d\n", flag, got == &value);
    CALL(MPI_Win_delete_attr, win, key);
    CALL(MPI_Win_set_attr, win, key, &value);
    CALL(MPI_Win_free, &win);
    CALL(MPI_Win_free_keyval, &key);
}

static int handled;
static void class_of(const char *what, int error)
{
    int class = -1;
    PMPI_Error_class(error, &class);
    printf("%s handles class %d, call %d\n", what, class, ++handled);
}
static void on_comm(MPI_Comm *comm, int *error, ...)
{
    printf("world %d ", *comm == MPI_COMM_WORLD);
    class_of("comm", *error);
}
static void on_win(MPI_Win *win, int *error, ...)
{
    (void)win;
    class_of("win", *error);
}
static void on_file(MPI_File *file, int *error, ...)
{
    (void)file;
    class_of("file", *error);
}

static void error_handlers(void)
{
    MPI_Errhandler handler, got;
    MPI_Request request;
    MPI_Status status = preset();
    MPI_Win win;
    MPI_File file;
    CALL(MPI_Comm_create_errhandler, on_comm, &handler);
    CALL(MPI_Comm_set_errhandler, MPI_COMM_WORLD, handler);
    CALL(MPI_Comm_get_errhandler, MPI_COMM_WORLD, &got);
    printf("same %d\n", got == handler);
    CALL(MPI_Errhandler_free, &got);
    TRIED(MPI_Send, out, -1, MPI_INT, other, 1, MPI_COMM_WORLD);
    TRIED(MPI_Bcast, out, 1, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD);
    TRIED(MPI_Allreduce, out, in, 1, MPI_INT, MPI_OP_NULL, MPI_COMM_WORLD);
    TRIED(MPI_Irecv, in, 1, MPI_INT, size + 5, 1, MPI_COMM_WORLD, &request);
    CALL(MPI_Irecv, in, 1, MPI_INT, other, 1, MPI_COMM_WORLD, &request);
    CALL(MPI_Barrier, MPI_COMM_WORLD);
    CALL(MPI_Send, out, 3, MPI_INT, other, 1, MPI_COMM_WORLD);
    TRIED(MPI_Wait, &request, &status);
    CALL(MPI_Comm_call_errhandler, MPI_COMM_WORLD, MPI_ERR_OTHER);
    CALL(MPI_Comm_set_errhandler, MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    CALL(MPI_Errhandler_free, &handler);
    printf("null %d\n", handler == MPI_ERRHANDLER_NULL);

    CALL(MPI_Win_create_errhandler, on_win, &handler);
    CALL(MPI_Win_create, out, (MPI_Aint)sizeof out, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    CALL(MPI_Win_set_errhandler, win, handler);
    CALL(MPI_Win_get_errhandler, win, &got);
    printf("same %d\n", got == handler);
    CALL(MPI_Errhandler_free, &got);
    CALL(MPI_Win_fence, 0, win);
    TRIED(MPI_Put, out, -1, MPI_INT, other, 0, 1, MPI_INT, win);
    CALL(MPI_Win_fence, 0, win);
    CALL(MPI_Win_call_errhandler, win, MPI_ERR_OTHER);
    CALL(MPI_Win_free, &win);
    CALL(MPI_Errhandler_free, &handler);

    CALL(MPI_File_create_errhandler, on_file, &handler);
    CALL(MPI_File_open, MPI_COMM_SELF, rank == 0 ? "zero.bin" : rank == 1 ? "one.bin" : "more.bin",
         MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    CALL(MPI_File_set_errhandler, file, handler);
    CALL(MPI_File_get_errhandler, file, &got);
    printf("same %d\n", got == handler);
    CALL(MPI_Errhandler_free, &got);
    TRIED(MPI_File_seek, file, -5, MPI_SEEK_SET);
    CALL(MPI_File_call_errhandler, file, MPI_ERR_OTHER);
    CALL(MPI_File_close, &file);
    CALL(MPI_Errhandler_free, &handler);
}

static void error_codes(void)
{
    int class, code, its_class = -1, length = -1;
    char text[MPI_MAX_ERROR_STRING] = "";
    void *last;
    int flag = -1;
    CALL(MPI_Add_error_class, &class);
    CALL(MPI_Add_error_code, class, &code);
    CALL(MPI_Add_error_string, code, "an error of mine");
    CALL(MPI_Error_class, code, &its_class);
    CALL(MPI_Error_string, code, text, &length);
    printf("class %d, of code %d, %s, %d\n", class, its_class == class, text, length);
    CALL(MPI_Error_string, MPI_ERR_TRUNCATE, text, &length);
    printf("%s %d\n", text, length);
    CALL(MPI_Comm_get_attr, MPI_COMM_WORLD, MPI_LASTUSEDCODE, &last, &flag);
    printf("last used %d\n", *(int *)last);
}

static void infos(void)
{
    MPI_Info info, copy;
    int number = -1, flag = -1, length = -1;
    char key[MPI_MAX_INFO_KEY], value[40] = "";
    CALL(MPI_Info_create, &info);
    CALL(MPI_Info_set, info, "colour", "blue");
    CALL(MPI_Info_set, info, "taste", "sour");
    CALL(MPI_Info_get_nkeys, info, &number);
    CALL(MPI_Info_get_nthkey, info, 1, key);
    CALL(MPI_Info_get_valuelen, info, "colour", &length, &flag);
    CALL(MPI_Info_get, info, "colour", 39, value, &flag);
    printf("%d keys, the last %s; %d %d %s\n", number, key, length, flag, value);
    CALL(MPI_Info_get, info, "weight", 39, value, &flag);
    printf("no weight %d\n", flag);
    CALL(MPI_Info_dup, info, &copy);
    CALL(MPI_Info_delete, copy, "colour");
    CALL(MPI_Info_get_nkeys, copy, &number);
    printf("%d key\n", number);
    TRIED(MPI_Info_delete, copy, "colour");
#if MPI_VERSION >= 4
    length = sizeof value;
    CALL(MPI_Info_get_string, info, "taste", &length, value, &flag);
    printf("%d %d %s\n", length, flag, value);
    MPI_Info environment;
    CALL(MPI_Info_create_env, 0, NULL, &environment);
    printf("null %d\n", environment == MPI_INFO_NULL);
    CALL(MPI_Info_free, &environment);
#endif
    CALL(MPI_Info_free, &copy);
    CALL(MPI_Info_free, &info);
    printf("null %d\n", info == MPI_INFO_NULL);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    attributes();
    error_handlers();
    error_codes();
    infos();
    return end(argc, argv);
}
