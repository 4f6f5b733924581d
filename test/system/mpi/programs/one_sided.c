// SPDX-License-Identifier: BSD-3-Clause
// One-sided communication: every kind of window, of access and of synchronisation. An even number of ranks.
#include "calls.h"

static int memory[ROOM];
static MPI_Win win;

static void preset_memory(void)
{
    for (int i = 0; i < ROOM; ++i)
        memory[i] = 10 * rank + i;
}
static void show_memory(const char *what)
{
    printf("%s: memory:", what);
    for (int i = 0; i < 2 * N; ++i)
        printf(" %d", memory[i]);
    printf("\n");
    show(what);
}

static void accesses(void)
{
    int result = -1, one = 1, expected = 10 * other + 3;
    preset_memory();
    fill(1);
    CALL(MPI_Win_fence, 0, win);
    CALL(MPI_Put, out, N, MPI_INT, other, 0, N, MPI_INT, win);
    CALL(MPI_Win_fence, 0, win);
    CALL(MPI_Get, in, N, MPI_INT, other, 2, N, MPI_INT, win);
    CALL(MPI_Put, out, N, MPI_INT, MPI_PROC_NULL, 0, N, MPI_INT, win);
    CALL(MPI_Win_fence, 0, win);
    CALL(MPI_Accumulate, out, N, MPI_INT, other, 0, N, MPI_INT, MPI_SUM, win);
    CALL(MPI_Win_fence, 0, win);
    CALL(MPI_Get_accumulate, out, 2, MPI_INT, in + N, 2, MPI_INT, other, 1, 2, MPI_INT, MPI_SUM, win);
    CALL(MPI_Win_fence, 0, win);
    CALL(MPI_Get_accumulate, NULL, 0, MPI_INT, in + N, 2, MPI_INT, other, 1, 2, MPI_INT, MPI_NO_OP, win);
    CALL(MPI_Win_fence, 0, win);
    show_memory("accesses");
    preset_memory();
    CALL(MPI_Win_fence, 0, win);
    CALL(MPI_Fetch_and_op, &one, &result, MPI_INT, other, 2, MPI_SUM, win);
    CALL(MPI_Win_fence, 0, win);
    printf("fetched %d\n", result);
    CALL(MPI_Compare_and_swap, &one, &expected, &result, MPI_INT, other, 3, win);
    CALL(MPI_Win_fence, MPI_MODE_NOSUCCEED, win);
    printf("swapped %d\n", result);
    show_memory("atomics");
}

static void with_requests(void)
{
    MPI_Request requests[5];
    MPI_Status statuses[5];
    preset_memory();
    fill(2);
    preset_all(statuses, 5);
    CALL(MPI_Barrier, MPI_COMM_WORLD);
    CALL(MPI_Win_lock_all, 0, win);
    CALL(MPI_Rput, out, N, MPI_INT, other, 0, N, MPI_INT, win, &requests[0]);
    CALL(MPI_Wait, &requests[0], &statuses[0]);
    CALL(MPI_Win_flush, other, win);
    CALL(MPI_Rget, in, N, MPI_INT, other, 0, N, MPI_INT, win, &requests[1]);
    CALL(MPI_Wait, &requests[1], &statuses[1]);
    CALL(MPI_Raccumulate, out, N, MPI_INT, other, N, N, MPI_INT, MPI_SUM, win, &requests[2]);
    CALL(MPI_Wait, &requests[2], &statuses[2]);
    CALL(MPI_Win_flush_local, other, win);
    CALL(MPI_Win_flush_all, win);
    CALL(MPI_Rget_accumulate, out, 2, MPI_INT, in + N, 2, MPI_INT, other, N, 2, MPI_INT, MPI_MAX, win, &requests[3]);
    CALL(MPI_Waitall, 1, &requests[3], &statuses[3]);
    CALL(MPI_Rput, out, N, MPI_INT, MPI_PROC_NULL, 0, N, MPI_INT, win, &requests[4]);
    CALL(MPI_Wait, &requests[4], &statuses[4]);
    CALL(MPI_Win_flush_local_all, win);
    CALL(MPI_Win_sync, win);
    CALL(MPI_Win_unlock_all, win);
    CALL(MPI_Barrier, MPI_COMM_WORLD);
    for (int i = 0; i < 5; ++i)
        printf("error in status %d\n", statuses[i].MPI_ERROR); // Open MPI leaves the rest undefined
    show_memory("requests");
    CALL(MPI_Barrier, MPI_COMM_WORLD);
}

static void synchronisation(MPI_Group group)
{
    int flag = 0;
    preset_memory();
    fill(3);
    CALL(MPI_Barrier, MPI_COMM_WORLD);
    CALL(MPI_Win_lock, MPI_LOCK_EXCLUSIVE, other, 0, win);
    CALL(MPI_Put, out, 2, MPI_INT, other, 0, 2, MPI_INT, win);
    CALL(MPI_Win_unlock, other, win);
    CALL(MPI_Barrier, MPI_COMM_WORLD);
    for (int round = 0; round < 2; ++round) {
        CALL(MPI_Win_post, group, 0, win);
        CALL(MPI_Win_start, group, 0, win);
        CALL(MPI_Put, out + 4, 2, MPI_INT, other, 4, 2, MPI_INT, win);
        CALL(MPI_Win_complete, win);
        if (round == 0) {
            CALL(MPI_Win_wait, win);
        } else {
            do
                CALL(MPI_Win_test, win, &flag);
            while (!flag);
        }
    }
    show_memory("synchronisation");
    CALL(MPI_Barrier, MPI_COMM_WORLD);
}

static void names_and_hints(void)
{
    char name[MPI_MAX_OBJECT_NAME] = "";
    int length = -1, flag = 0;
    MPI_Info info;
    MPI_Group group;
    void *value;
    CALL(MPI_Win_set_name, win, "a window");
    CALL(MPI_Win_get_name, win, name, &length);
    printf("'%s' %d\n", name, length);
    CALL(MPI_Info_create, &info);
    CALL(MPI_Info_set, info, "no_locks", "false");
    CALL(MPI_Win_set_info, win, info);
    CALL(MPI_Info_free, &info);
    CALL(MPI_Win_get_info, win, &info);
    printf("info null %d\n", info == MPI_INFO_NULL);
    CALL(MPI_Info_free, &info);
    CALL(MPI_Win_get_group, win, &group);
    CALL(MPI_Group_size, group, &length);
    printf("group of %d\n", length);
    CALL(MPI_Group_free, &group);
    CALL(MPI_Win_get_attr, win, MPI_WIN_SIZE, &value, &flag);
    printf("size %d %d\n", flag, flag ? (int)*(MPI_Aint *)value : -1);
    CALL(MPI_Win_get_attr, win, MPI_WIN_CREATE_FLAVOR, &value, &flag);
    printf("flavor is create: %d\n", flag && *(int *)value == MPI_WIN_FLAVOR_CREATE);
}

static void wrong_arguments(void)
{
    CALL(MPI_Win_set_errhandler, win, MPI_ERRORS_RETURN);
    CALL(MPI_Win_fence, 0, win);
    TRIED(MPI_Put, out, -1, MPI_INT, other, 0, N, MPI_INT, win);
    TRIED(MPI_Put, out, 1, MPI_INT, size + 4, 0, 1, MPI_INT, win);
    TRIED(MPI_Get, in, 1, MPI_DATATYPE_NULL, other, 0, 1, MPI_INT, win);
    TRIED(MPI_Accumulate, out, 1, MPI_INT, other, 0, 1, MPI_INT, MPI_OP_NULL, win);
    CALL(MPI_Win_fence, 0, win);
}

static void other_windows(void)
{
    int *base = NULL, *theirs = NULL;
    Displacement unit = -1;
    MPI_Aint bytes = -1, address, addresses[2];
    MPI_Comm node;
    fill(5);
    CALL(MPI_Win_allocate, (MPI_Aint)sizeof memory, (Displacement)sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    CALL(MPI_Win_fence, 0, win);
    CALL(MPI_Put, out, N, MPI_INT, other, 0, N, MPI_INT, win);
    CALL(MPI_Win_fence, 0, win);
    printf("allocated: %d %d\n", base[0], base[N - 1]);
    CALL(MPI_Win_free, &win);
    printf("null %d\n", win == MPI_WIN_NULL);

    CALL(MPI_Comm_split_type, MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    CALL(MPI_Win_allocate_shared, (MPI_Aint)sizeof memory, (Displacement)sizeof(int), MPI_INFO_NULL, node, &base, &win);
    CALL(MPI_Win_fence, 0, win);
    base[0] = 77 + rank;
    CALL(MPI_Win_fence, 0, win);
    CALL(MPI_Win_shared_query, win, other, &bytes, &unit, &theirs);
    printf("shared: %d bytes, unit %d, theirs %d\n", (int)bytes, (int)unit, theirs[0]);
    CALL(MPI_Win_fence, 0, win);
    CALL(MPI_Win_free, &win);
    CALL(MPI_Comm_free, &node);

    preset_memory();
    CALL(MPI_Win_create_dynamic, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    CALL(MPI_Win_attach, win, memory, (MPI_Aint)sizeof memory);
    CALL(MPI_Get_address, memory, &address);
    CALL(MPI_Sendrecv, &address, 1, MPI_AINT, other, 9, &addresses[0], 1, MPI_AINT, other, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CALL(MPI_Win_fence, 0, win);
    CALL(MPI_Put, out, N, MPI_INT, other, addresses[0], N, MPI_INT, win);
    CALL(MPI_Win_fence, 0, win);
    show_memory("dynamic");
    CALL(MPI_Win_detach, win, memory);
    CALL(MPI_Win_free, &win);
}

int main(int argc, char **argv)
{
    MPI_Group world, group;
    begin(&argc, &argv);
    CALL(MPI_Comm_group, MPI_COMM_WORLD, &world);
    CALL(MPI_Group_incl, world, 1, &other, &group);
    CALL(MPI_Win_create, memory, (MPI_Aint)sizeof memory, (Displacement)sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    accesses();
    with_requests();
    synchronisation(group);
    names_and_hints();
    wrong_arguments();
    CALL(MPI_Win_free, &win);
    CALL(MPI_Group_free, &group);
    CALL(MPI_Group_free, &world);
    other_windows();
    return end(argc, argv);
}
