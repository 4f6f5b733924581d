# SPDX-License-Identifier: BSD-3-Clause
# MPI_Pcontrol stops and resumes the recording, from C and Fortran.
. "${srcdir:-.}/test/system/mpi/lib_mpi.sh"

# build_control: a program that calls work(), which is read from here, once, ten times after MPI_Pcontrol(0) and once after MPI_Pcontrol(1).
build_control() {
    cat >work.h
    build_mpi control.c <<'END'
#include <mpi.h>
int rank;
#include "work.h"
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    work();
    MPI_Pcontrol(0);
    for (int i = 0; i < 10; ++i) work();
    MPI_Pcontrol(1);
    work();
    MPI_Pcontrol(2);
    MPI_Pcontrol(7, "what follows means nothing");
    return MPI_Finalize();
}
END
}

test_pcontrol_stops_resumes_and_flushes() {
    build_control <<<'void work(void) { MPI_Barrier(MPI_COMM_WORLD); }'
    config
    ranks_well 2 ./control
    expect_calls control_all.log work 4
    expect_calls control_all.log MPI_Barrier 4
    expect_calls control_all.log MPI_Pcontrol 8
}

test_pcontrol_stops_and_resumes_in_fortran() {
    have "$mpi_fortran" || skip "no Fortran"
    for binding in 'use mpi' 'use mpi_f08'; do
        build_mpi control.F90 <<END
subroutine work(ierror)
   $binding
   integer :: ierror
   call MPI_Barrier(MPI_COMM_WORLD, ierror)
end subroutine
program control
   $binding
   integer :: i, ierror
   call MPI_Init(ierror)
   call work(ierror)
   call MPI_Pcontrol(0)
   do i = 1, 10
      call work(ierror)
   end do
   call MPI_Pcontrol(1)
   call work(ierror)
   call MPI_Pcontrol(2)
   call MPI_Finalize(ierror)
end program
END
        config
        ranks_well 2 ./control
        expect_calls control_all.log work 4
        expect_calls control_all.log MPI_Barrier 4
        expect_calls control_all.log MPI_Pcontrol 6
    done
}

# Issue: MPI_Pcontrol(0): 2.0 stops messages only; ours stops all: offer both.
test_pcontrol_stops_all_or_only_messages_as_the_option_says() {
    build_control <<'END'
void work(void)
{
    int a = 1, b;
    MPI_Request request[2];
    MPI_Isend(&a, 1, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD, &request[0]);
    MPI_Irecv(&b, 1, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD, &request[1]);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    MPI_Allreduce(&a, &b, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}
END
    # Of two ranks two calls each are recorded with their messages: a send, a receive, and an Allreduce with two of each.
    local messages='MPI_Isend 4 MPI_Irecv 4 MPI_Allreduce 16' option work
    for option in '' '"mpi": {"pcontrol": "all"}' '"mpi": {"pcontrol": "messages"}'; do
        work=4
        [[ $option != *messages* ]] || work=24
        rm -f ./*.log ./*.vfd
        config "$option"
        ranks_well 2 ./control
        expect_calls control_all.log work $work
        expect_calls control_all.log MPI_Waitall $work
        expect_calls control_all.log MPI_Pcontrol 8
        expect_same "$(table control_all.log 'Communication profile' 1 7 | awk '{ n[$2] += $1 } END {
            print "MPI_Isend", n["MPI_Isend"] + 0, "MPI_Irecv", n["MPI_Irecv"] + 0, "MPI_Allreduce", n["MPI_Allreduce"] + 0 }')" \
            "$messages" "messages with the configuration '$option'"
    done
}

run_tests
