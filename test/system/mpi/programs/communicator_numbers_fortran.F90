! SPDX-License-Identifier: BSD-3-Clause
! As communicator_numbers.c, from a few Fortran calls. A variable is parent and child at once, as in many programs.
program communicator_numbers
    use mpi
    implicit none
    integer :: comm, rank, size, error, i, request
    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    call MPI_Comm_size(MPI_COMM_WORLD, size, error)
    call talk(MPI_COMM_WORLD, 0)
    comm = MPI_COMM_WORLD
    do i = 100, 102
        call MPI_Comm_dup(comm, comm, error)
        call talk(comm, i)
    end do
    call MPI_Comm_idup(MPI_COMM_WORLD, comm, request, error)
    call MPI_Wait(request, MPI_STATUS_IGNORE, error)
    call talk(comm, 103)
    call MPI_Cart_create(comm, 1, [size], [.true.], .false., comm, error)
    call talk(comm, 104)
    call MPI_Comm_split(comm, mod(rank, 2), rank, comm, error)
    call talk(comm, 200)
    call MPI_Finalize(error)
contains
    subroutine talk(comm, tag)
        integer, intent(in) :: comm, tag
        integer :: own, n, got
        call MPI_Comm_rank(comm, own, error)
        call MPI_Comm_size(comm, n, error)
        call MPI_Sendrecv(tag, 1, MPI_INTEGER, mod(own + 1, n), tag, got, 1, MPI_INTEGER, mod(own + n - 1, n), tag, comm, &
            MPI_STATUS_IGNORE, error)
    end subroutine
end program
