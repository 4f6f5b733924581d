// SPDX-License-Identifier: BSD-3-Clause
// What a program may ask before MPI_Init and after MPI_Finalize, MPI_Init_thread, memory, clocks, and handles as Fortran has them.
#include "calls.h"

static void always(const char *when)
{
    int flag = -1, version = -1, subversion = -1, length = -1;
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    CALL(MPI_Initialized, &flag);
    printf("%s: initialized %d", when, flag);
    CALL(MPI_Finalized, &flag);
    printf(" finalized %d", flag);
    CALL(MPI_Get_version, &version, &subversion);
    printf(" version %d.%d", version, subversion);
    CALL(MPI_Get_library_version, text, &length);
    printf(" %d %s\n", length, text);
}

// In MPICH most of these are macros.
#ifdef MPI_Comm_c2f
#define CONVERTED(function, handle) function(handle)
#else
#define CONVERTED(function, handle) VALUE(function, handle)
#endif
#define BACK_AND_FORTH(kind, handle)                                                               \
    do {                                                                                           \
        const MPI_Fint fortran = CONVERTED(MPI_##kind##_c2f, handle);                              \
        printf(#kind ": %d\n", CONVERTED(MPI_##kind##_f2c, fortran) == (handle));                  \
    } while (0)

int main(int argc, char **argv)
{
    int provided = -1, flag = -1, length = -1;
    char name[MPI_MAX_PROCESSOR_NAME] = "";
    void *memory = NULL;
    always("before");
    CALL(MPI_Init_thread, &argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    learn_rank();
    printf("provided %d\n", provided);
    always("between");
    CALL(MPI_Query_thread, &provided);
    CALL(MPI_Is_thread_main, &flag);
    printf("queried %d, main %d\n", provided, flag);
    CALL(MPI_Get_processor_name, name, &length);
    printf("%s %d\n", name, length);
    const double start = VALUE(MPI_Wtime);
    printf("clock %d %d\n", VALUE(MPI_Wtime) >= start, VALUE(MPI_Wtick) > 0);
    CALL(MPI_Alloc_mem, (MPI_Aint)100, MPI_INFO_NULL, &memory);
    memset(memory, 1, 100);
    CALL(MPI_Free_mem, memory);
    CALL(MPI_Pcontrol, 1);
    CALL(MPI_Comm_rank, MPI_COMM_WORLD, &length);
    CALL(MPI_Comm_size, MPI_COMM_WORLD, &flag);
    printf("rank %d of %d\n", length, flag);

    MPI_File file;
    MPI_Win win;
    MPI_Request request;
    MPI_Message message = MPI_MESSAGE_NO_PROC;
    MPI_Group group;
    CALL(MPI_Comm_group, MPI_COMM_WORLD, &group);
    CALL(MPI_File_open, MPI_COMM_SELF, argv[0], MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
    CALL(MPI_Win_create, NULL, (MPI_Aint)0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    CALL(MPI_Recv_init, &length, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &request);
    BACK_AND_FORTH(Comm, MPI_COMM_WORLD);
    BACK_AND_FORTH(Group, group);
    BACK_AND_FORTH(Type, MPI_INT);
    BACK_AND_FORTH(Op, MPI_SUM);
    BACK_AND_FORTH(Info, MPI_INFO_NULL);
    BACK_AND_FORTH(Errhandler, MPI_ERRORS_RETURN);
    printf("File: %d\n", VALUE(MPI_File_f2c, VALUE(MPI_File_c2f, file)) == file);
    BACK_AND_FORTH(Win, win);
    BACK_AND_FORTH(Request, request);
    BACK_AND_FORTH(Message, message);
    CALL(MPI_Request_free, &request);
    CALL(MPI_Win_free, &win);
    CALL(MPI_File_close, &file);
    CALL(MPI_Group_free, &group);
    CALL(MPI_Finalize);
    always("after");
    return write_counts(argc, argv);
}
