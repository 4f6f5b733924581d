# SPDX-License-Identifier: BSD-3-Clause
# MPI_Pcontrol stops and resumes the recording, from C and Fortran.
. "${srcdir:-.}/test/system/mpi/lib_mpi.sh"

test_pcontrol_stops_resumes_and_flushes() {
    build_mpi control.c <<'END'
#include <mpi.h>
void work(void) { MPI_Barrier(MPI_COMM_WORLD); }
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    work();
    MPI_Pcontrol(0);
    for (int i = 0; i < 10; ++i) work();
    MPI_Pcontrol(1);
    work();
    MPI_Pcontrol(2);
    MPI_Pcontrol(7, "what follows means nothing");
    MPI_Finalize();
    return 0;
}
END
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

run_tests
