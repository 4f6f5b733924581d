# SPDX-License-Identifier: BSD-3-Clause
# What a program does in the delete callbacks that MPI_Finalize calls.
. "${srcdir:-.}/test/system/mpi/lib_mpi.sh"
. "$srcdir/test/system/mpi/lib_messages.sh"

# Issue: a message sent in an attribute's delete callback during MPI_Finalize is not recorded.
# What belongs to MPI_COMM_SELF is deleted first in MPI_Finalize; a duplicate of MPI_COMM_SELF has none of vftrace's.
test_messages_of_callbacks_in_finalize() {
    moved messages_of_self.c 2 <<'END'
#include <mpi.h>
#include <stdio.h>
static int rank;
static void farewell(int to, int from, int tag)
{
    int numbers[3] = {0};
    char name[20];
    sprintf(name, "expected.%d", rank);
    FILE *expected = fopen(name, "a");
    if (rank == from) {
        MPI_Send(numbers, 3, MPI_INT, to, tag, MPI_COMM_WORLD);
        fprintf(expected, "MPI_Send send %d %d 12\n", to, tag);
    } else {
        MPI_Recv(numbers, 3, MPI_INT, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        fprintf(expected, "MPI_Recv recv %d %d 12\n", from, tag);
    }
    fclose(expected);
}
static int deleted(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm, (void)key, (void)extra;
    farewell(0, 1, *(int *)value);
    return MPI_SUCCESS;
}
int main(int argc, char **argv)
{
    static int tags[] = {7, 8};
    int keys[2];
    MPI_Comm other;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    farewell(1, 0, 1);
    for (int i = 0; i < 2; i++) {
        MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, deleted, &keys[i], 0);
        MPI_Comm_set_attr(MPI_COMM_SELF, keys[i], &tags[i]);
    }
    MPI_Comm_dup(MPI_COMM_SELF, &other);
    MPI_Comm_free(&other);
    farewell(1, 0, 2);
    return MPI_Finalize();
}
END
    # The job's profile has the calls of both ranks, and both ranks have come to MPI_Finalize.
    rm -f ./*.vfd ./*.log expected.*
    config
    ranks_well 2 ./messages_of_self
    expect_calls messages_of_self_all.log deleted 4
    expect_calls messages_of_self_all.log MPI_Send 4
    expect_stack messages_of_self_all.log 'MPI_Send<farewell<deleted<MPI_Finalize<main<init'
    expect_same "$(ls ./*.vfd)" ./messages_of_self_all.vfd "recordings that are left"
}

# Issue: a message sent in an attribute's delete callback during MPI_Finalize is not recorded.
test_messages_of_callbacks_in_finalize_of_fortran() {
    [ -n "$mpi_fortran" ] && have "$mpi_fortran" || skip "no Fortran"
    build_mpi messages_of_self_fortran.F90 <<'END'
subroutine deleted(comm, key, value, extra, ierror)
    use mpi
    implicit none
    integer :: comm, key, ierror, rank, numbers(3)
    integer(kind=MPI_ADDRESS_KIND) :: value, extra
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    numbers = rank
    if (rank == 1) call MPI_Send(numbers, 3, MPI_INTEGER, 0, 7, MPI_COMM_WORLD, ierror)
    if (rank == 0) call MPI_Recv(numbers, 3, MPI_INTEGER, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
    ierror = MPI_SUCCESS
end subroutine
program main
    use mpi
    implicit none
    external :: deleted
    integer :: key, ierror
    call MPI_Init(ierror)
    call MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, deleted, key, 0_MPI_ADDRESS_KIND, ierror)
    call MPI_Comm_set_attr(MPI_COMM_SELF, key, 0_MPI_ADDRESS_KIND, ierror)
    call MPI_Finalize(ierror)
end program
END
    config "$timeline"
    ranks_well 2 ./messages_of_self_fortran
    expect_same "$(messages_of messages_of_self_fortran_0.vfd)" "MPI_Recv recv 1 7 12" "messages of rank 0"
    expect_same "$(messages_of messages_of_self_fortran_1.vfd)" "MPI_Send send 0 7 12" "messages of rank 1"
    expect_calls messages_of_self_fortran_all.log deleted 2
}

# A callback of the program that fails: MPI_Finalize may not come to vftrace's.
test_a_callback_that_fails_in_finalize() {
    build_mpi fails.c <<'END'
#include <mpi.h>
static void leaf(void) {}
static int deleted(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm, (void)key, (void)extra, (void)value;
    leaf();
    return MPI_ERR_OTHER;
}
int main(int argc, char **argv)
{
    int key;
    MPI_Init(&argc, &argv);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, deleted, &key, 0);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, 0);
    MPI_Finalize();
    return 0;
}
END
    config
    ranks 2 ./fails
    expect_silence
    if [ -e fails_all.vfd ]; then report fails_all.vfd; else report fails_*.vfd; fi
    expect_same "$(cat report | grep -c 'without MPI_Finalize')" 0 "ranks that are said not to have come"
}

run_tests
