// SPDX-License-Identifier: BSD-3-Clause
// Files: every way to read and write. Two ranks; the file is made in the working directory.
#include "calls.h"

static MPI_File file;
static MPI_Status status;
static MPI_Request request;
static const MPI_Offset block = N * sizeof(int);

static void show_result(const char *what)
{
    show_count(what, &status);
    show(what);
    status = preset();
}
static MPI_Offset mine(int number) { return (2 * number + rank) * block; }

static void at_offsets(void)
{
    fill(1);
    status = preset();
    CALL(MPI_File_write_at, file, mine(0), out, N, MPI_INT, &status);
    show_result("write_at");
    CALL(MPI_File_write_at_all, file, mine(1), out, N, MPI_INT, &status);
    show_result("write_at_all");
    CALL(MPI_File_iwrite_at, file, mine(2), out, N, MPI_INT, &request);
    CALL(MPI_Wait, &request, &status);
    show_result("iwrite_at");
    CALL(MPI_File_iwrite_at_all, file, mine(3), out, N, MPI_INT, &request);
    CALL(MPI_Wait, &request, &status);
    show_result("iwrite_at_all");
    CALL(MPI_File_write_at_all_begin, file, mine(4), out, N, MPI_INT);
    CALL(MPI_File_write_at_all_end, file, out, &status);
    show_result("write_at_all_end");
    CALL(MPI_File_sync, file);
    CALL(MPI_Barrier, MPI_COMM_WORLD);
    CALL(MPI_File_read_at, file, mine(0), in, N, MPI_INT, &status);
    show_result("read_at");
    CALL(MPI_File_read_at_all, file, mine(1), in, N, MPI_INT, &status);
    show_result("read_at_all");
    CALL(MPI_File_iread_at, file, mine(2), in, N, MPI_INT, &request);
    CALL(MPI_Wait, &request, &status);
    show_result("iread_at");
    CALL(MPI_File_iread_at_all, file, mine(3), in, N, MPI_INT, &request);
    CALL(MPI_Wait, &request, &status);
    show_result("iread_at_all");
    CALL(MPI_File_read_at_all_begin, file, mine(4), in, N, MPI_INT);
    CALL(MPI_File_read_at_all_end, file, in, &status);
    show_result("read_at_all_end");
    CALL(MPI_File_read_at, file, 1000 * block, in, N, MPI_INT, &status);
    show_result("beyond the end");
    CALL(MPI_File_read_at, file, mine(0), in, N, MPI_INT, MPI_STATUS_IGNORE);
    CALL(MPI_File_write_at, file, mine(0), out, N, MPI_INT, MPI_STATUS_IGNORE);
}

static void where_it_stands(void)
{
    MPI_Offset position = -1;
    fill(2);
    CALL(MPI_File_seek, file, mine(5), MPI_SEEK_SET);
    CALL(MPI_File_write, file, out, N, MPI_INT, &status);
    show_result("write");
    CALL(MPI_File_get_position, file, &position);
    printf("position %d\n", (int)position);
    CALL(MPI_File_get_byte_offset, file, position, &position);
    printf("byte offset %d\n", (int)position);
    CALL(MPI_File_write_all, file, out, N, MPI_INT, &status);
    show_result("write_all");
    CALL(MPI_File_iwrite, file, out, N, MPI_INT, &request);
    CALL(MPI_Wait, &request, &status);
    show_result("iwrite");
    CALL(MPI_File_iwrite_all, file, out, N, MPI_INT, &request);
    CALL(MPI_Wait, &request, &status);
    show_result("iwrite_all");
    CALL(MPI_File_write_all_begin, file, out, N, MPI_INT);
    CALL(MPI_File_write_all_end, file, out, &status);
    show_result("write_all_end");
    CALL(MPI_File_sync, file);
    CALL(MPI_Barrier, MPI_COMM_WORLD);
    CALL(MPI_File_seek, file, mine(0), MPI_SEEK_SET);
    CALL(MPI_File_read, file, in, N, MPI_INT, &status);
    show_result("read");
    CALL(MPI_File_read_all, file, in, N, MPI_INT, &status);
    show_result("read_all");
    CALL(MPI_File_iread, file, in, N, MPI_INT, &request);
    CALL(MPI_Wait, &request, &status);
    show_result("iread");
    CALL(MPI_File_iread_all, file, in, N, MPI_INT, &request);
    CALL(MPI_Wait, &request, &status);
    show_result("iread_all");
    CALL(MPI_File_read_all_begin, file, in, N, MPI_INT);
    CALL(MPI_File_read_all_end, file, in, &status);
    show_result("read_all_end");
}

// Which rank comes first is open: what it reads is the same everywhere.
static void shared_pointer(void)
{
    MPI_Offset position = -1;
    for (int i = 0; i < ROOM; ++i)
        out[i] = 7;
    memset(in, 0xff, sizeof in);
    CALL(MPI_File_seek_shared, file, 0, MPI_SEEK_SET);
    CALL(MPI_File_write_shared, file, out, N, MPI_INT, &status);
    show_result("write_shared");
    CALL(MPI_File_iwrite_shared, file, out, N, MPI_INT, &request);
    CALL(MPI_Wait, &request, &status);
    show_result("iwrite_shared");
    CALL(MPI_Barrier, MPI_COMM_WORLD);
    CALL(MPI_File_write_ordered, file, out, N, MPI_INT, &status);
    show_result("write_ordered");
    CALL(MPI_File_write_ordered_begin, file, out, N, MPI_INT);
    CALL(MPI_File_write_ordered_end, file, out, &status);
    show_result("write_ordered_end");
    CALL(MPI_Barrier, MPI_COMM_WORLD);
    CALL(MPI_File_get_position_shared, file, &position);
    printf("shared position %d\n", (int)position);
    CALL(MPI_File_sync, file);
    CALL(MPI_Barrier, MPI_COMM_WORLD);
    CALL(MPI_File_seek_shared, file, 0, MPI_SEEK_SET);
    CALL(MPI_File_read_shared, file, in, N, MPI_INT, &status);
    show_result("read_shared");
    CALL(MPI_File_iread_shared, file, in, N, MPI_INT, &request);
    CALL(MPI_Wait, &request, &status);
    show_result("iread_shared");
    CALL(MPI_Barrier, MPI_COMM_WORLD);
    CALL(MPI_File_read_ordered, file, in, N, MPI_INT, &status);
    show_result("read_ordered");
    CALL(MPI_File_read_ordered_begin, file, in, N, MPI_INT);
    CALL(MPI_File_read_ordered_end, file, in, &status);
    show_result("read_ordered_end");
}

static void questions(void)
{
    int number = -1, flag = -1;
    MPI_Offset bytes = -1, displacement = -1;
    MPI_Aint extent = -1;
    MPI_Datatype etype, filetype;
    MPI_Group group;
    MPI_Info info;
    char representation[MPI_MAX_DATAREP_STRING] = "";
    CALL(MPI_File_get_size, file, &bytes);
    printf("size %d\n", (int)bytes);
    CALL(MPI_File_get_amode, file, &number);
    printf("amode %d\n", number == (MPI_MODE_CREATE | MPI_MODE_RDWR));
    CALL(MPI_File_get_group, file, &group);
    CALL(MPI_Group_size, group, &number);
    CALL(MPI_Group_free, &group);
    printf("group of %d\n", number);
    CALL(MPI_File_get_info, file, &info);
    CALL(MPI_File_set_info, file, info);
    CALL(MPI_Info_free, &info);
    CALL(MPI_File_get_type_extent, file, MPI_INT, &extent);
    printf("extent %d\n", (int)extent);
    CALL(MPI_File_set_atomicity, file, 1);
    CALL(MPI_File_get_atomicity, file, &flag);
    CALL(MPI_File_set_atomicity, file, 0);
    printf("atomicity %d\n", flag);
    CALL(MPI_File_set_view, file, block, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    CALL(MPI_File_get_view, file, &displacement, &etype, &filetype, representation);
    printf("view %d %d %s\n", (int)displacement, etype == MPI_INT, representation);
    CALL(MPI_File_set_view, file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
    CALL(MPI_File_preallocate, file, 1000 * block);
    CALL(MPI_File_set_size, file, 100 * block);
    CALL(MPI_File_get_size, file, &bytes);
    printf("size %d\n", (int)bytes);
}

static int extent_of(MPI_Datatype type, MPI_Aint *extent, void *extra)
{
    (void)type, (void)extra;
    *extent = 4;
    return MPI_SUCCESS;
}

static void wrong_arguments(void)
{
    MPI_File none = MPI_FILE_NULL;
    status = preset();
    TRIED(MPI_File_open, MPI_COMM_WORLD, "no/such/folder/file", MPI_MODE_RDONLY, MPI_INFO_NULL, &none);
    printf("null %d\n", none == MPI_FILE_NULL);
    TRIED(MPI_File_delete, "no such file", MPI_INFO_NULL);
    TRIED(MPI_File_write_at, file, 0, out, -1, MPI_INT, &status);
    TRIED(MPI_File_seek, file, -5, MPI_SEEK_SET);
    show_count("after wrong arguments", &status);
}

int main(int argc, char **argv)
{
    const char *name = "file.bin";
    begin(&argc, &argv);
    TRIED(MPI_Register_datarep, "mine", MPI_CONVERSION_FN_NULL, MPI_CONVERSION_FN_NULL, extent_of, NULL);
    CALL(MPI_File_open, MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    at_offsets();
    where_it_stands();
    shared_pointer();
    questions();
    wrong_arguments();
    CALL(MPI_File_close, &file);
    printf("null %d\n", file == MPI_FILE_NULL);
    CALL(MPI_Barrier, MPI_COMM_WORLD);
    if (rank == 0)
        CALL(MPI_File_delete, name, MPI_INFO_NULL);
    return end(argc, argv);
}
