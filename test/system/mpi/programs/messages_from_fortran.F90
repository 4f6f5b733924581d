! SPDX-License-Identifier: BSD-3-Clause
! 2 ranks: messages of a Fortran program, with what only Fortran has: sentinels, indices from 1, logicals, handles that are numbers or
! (mpi_f08) types of their own.
module expectation
  implicit none
  integer :: unit
contains
  subroutine moved(name, direction, peer, tag, bytes)
    character(*), intent(in) :: name, direction
    integer, intent(in) :: peer, tag, bytes
    write (unit, '(a,1x,a,1x,i0,1x,i0,1x,i0)') name, direction, peer, tag, bytes
  end subroutine
end module

program main
  use expectation
#ifdef BINDING_F08
  use mpi_f08
#define REQUEST type(MPI_Request)
#define COMM type(MPI_Comm)
#else
#define REQUEST integer
#define COMM integer
#ifdef BINDING_MPI
  use mpi
#endif
#endif
  implicit none
#ifdef BINDING_MPIFH
  include 'mpif.h'
#endif
  integer, parameter :: i = 4
  integer :: rank, other, error, place, n, count, indices(4)
  integer :: a(20), b(20, 4)
  logical :: flag
  character(32) :: file
  REQUEST :: list(4), one
  COMM :: turned
#ifdef BINDING_F08
  type(MPI_Status) :: status, statuses(4)
#else
  integer :: status(MPI_STATUS_SIZE), statuses(MPI_STATUS_SIZE, 4)
#endif
  a = 1
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  other = 1 - rank
  write (file, '(a,i0)') 'expected.', rank
  open (newunit=unit, file=file, status='replace')
  call MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, turned, error)

  if (rank == 0) then
    call MPI_Send(a, 3, MPI_INTEGER, 0, 1, turned, error)
    call moved('MPI_Send', 'send', other, 1, 3 * i)
    call MPI_Ssend(a, 2, MPI_INTEGER, other, 2, MPI_COMM_WORLD, error)
    call moved('MPI_Ssend', 'send', other, 2, 2 * i)
  else
    call MPI_Recv(b, 20, MPI_INTEGER, MPI_ANY_SOURCE, 1, turned, MPI_STATUS_IGNORE, error)
    call moved('MPI_Recv', 'recv', other, 1, 3 * i)
    call MPI_Recv(b, 20, MPI_INTEGER, other, MPI_ANY_TAG, MPI_COMM_WORLD, status, error)
    call moved('MPI_Recv', 'recv', other, 2, 2 * i)
  end if

  do n = 1, 5
    list = MPI_REQUEST_NULL
    call MPI_Irecv(b(1, 1), 20, MPI_INTEGER, MPI_ANY_SOURCE, 10, MPI_COMM_WORLD, list(1), error)
    call MPI_Irecv(b(1, 2), 20, MPI_INTEGER, other, 11, MPI_COMM_WORLD, list(4), error)
    call MPI_Isend(a, 4, MPI_INTEGER, other, 11, MPI_COMM_WORLD, one, error)
    list(2) = one
    call MPI_Isend(a, 5, MPI_INTEGER, other, 10, MPI_COMM_WORLD, list(3), error)
    call moved('MPI_Irecv', 'recv', other, 10, 5 * i)
    call moved('MPI_Irecv', 'recv', other, 11, 4 * i)
    call moved('MPI_Isend', 'send', other, 10, 5 * i)
    call moved('MPI_Isend', 'send', other, 11, 4 * i)
    select case (n)
    case (1)
      call MPI_Waitall(4, list, MPI_STATUSES_IGNORE, error)
    case (2)
      call MPI_Waitall(4, list, statuses, error)
    case (3)
      do place = 1, 4
        call MPI_Waitany(4, list, count, MPI_STATUS_IGNORE, error)
      end do
    case (4)
      place = 0
      do while (place < 4)
        call MPI_Testsome(4, list, count, indices, MPI_STATUSES_IGNORE, error)
        place = place + count
      end do
    case (5)
      do place = 4, 1, -1
        flag = .false.
        do while (.not. flag)
          call MPI_Test(list(place), flag, status, error)
        end do
      end do
    end select
  end do

  call MPI_Allreduce(MPI_IN_PLACE, a, 3, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
  call moved('MPI_Allreduce', 'send', other, -1, 3 * i)
  call moved('MPI_Allreduce', 'recv', other, -1, 3 * i)
  if (rank == 0) then
    call MPI_Gather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, b, 2, MPI_INTEGER, 1, turned, error)
    call moved('MPI_Gather', 'recv', other, -1, 2 * i)
  else
    call MPI_Gather(a, 2, MPI_INTEGER, b, -1, MPI_DATATYPE_NULL, 1, turned, error)
    call moved('MPI_Gather', 'send', other, -1, 2 * i)
  end if
  call MPI_Alltoallv(a, (/1, 2/), (/0, 5/), MPI_INTEGER, b, (/rank + 1, rank + 1/), (/0, 5/), MPI_INTEGER, MPI_COMM_WORLD, error)
  do n = 0, 1
    call moved('MPI_Alltoallv', 'send', n, -1, (n + 1) * i)
    call moved('MPI_Alltoallv', 'recv', n, -1, (rank + 1) * i)
  end do
  call MPI_Comm_free(turned, error)
  call MPI_Finalize(error)
  close (unit)
end program
