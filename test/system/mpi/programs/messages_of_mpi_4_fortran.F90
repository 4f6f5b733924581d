! SPDX-License-Identifier: BSD-3-Clause
! 2 ranks: what the functions move that MPI 4 added, called from Fortran. Every call has another size.
#include "calls_fortran.inc"

module known
   use state
   implicit none
   integer, parameter :: i = 4, root = 1, counts_(2) = [1, 3], at(2) = [0, 5], rounds = 2
   integer :: unit
   HANDLE(MPI_Request) :: request
contains
   subroutine moved(name, direction, peer, tag, bytes)
      character(*), intent(in) :: name, direction
      integer, intent(in) :: peer, tag, bytes
      write (unit, '(a,1x,a,1x,i0,1x,i0,1x,i0)') name, direction, peer, tag, bytes
   end subroutine

   ! What a persistent call moves belongs to its starts.
   subroutine goes(direction, peer, bytes)
      character(*), intent(in) :: direction
      integer, intent(in) :: peer, bytes
      integer :: round
      do round = 1, rounds
         call moved('MPI_Start', direction, peer, -1, bytes)
      end do
   end subroutine

   subroutine run
      integer :: round
      do round = 1, rounds
         CALLS(MPI_Start)(request IERROR)
         CALLS(MPI_Wait)(request, MPI_STATUS_IGNORE IERROR)
      end do
      CALLS(MPI_Request_free)(request IERROR)
   end subroutine

   subroutine from_root(bytes)
      integer, intent(in) :: bytes(2)
      integer :: p
      call goes('recv', root, bytes(1 + rank))
      if (rank /= root) return
      do p = 0, 1
         call goes('send', p, bytes(1 + p))
      end do
   end subroutine

   subroutine to_root(bytes)
      integer, intent(in) :: bytes(2)
      integer :: p
      call goes('send', root, bytes(1 + rank))
      if (rank /= root) return
      do p = 0, 1
         call goes('recv', p, bytes(1 + p))
      end do
   end subroutine

   subroutine all_to_all(sent, received)
      integer, intent(in) :: sent(2), received(2)
      integer :: p
      do p = 0, 1
         call goes('send', p, sent(1 + p))
         call goes('recv', p, received(1 + p))
      end do
   end subroutine
end module

module calls
   use known
   implicit none
contains
   subroutine rooted
      integer :: mine
      mine = counts_(1 + rank)
      CALLS(MPI_Bcast_init)(out, 10, MPI_INTEGER, root, MPI_COMM_WORLD, MPI_INFO_NULL, request IERROR)
      call run
      call from_root([10*i, 10*i])
      CALLS(MPI_Scatter_init)(out, 9, MPI_INTEGER, in, 9, MPI_INTEGER, root, MPI_COMM_WORLD, MPI_INFO_NULL, request IERROR)
      call run
      call from_root([9*i, 9*i])
      CALLS(MPI_Scatterv_init)(out, counts_, at, MPI_INTEGER, in, mine, MPI_INTEGER, root, MPI_COMM_WORLD, MPI_INFO_NULL, request IERROR)
      call run
      call from_root(counts_*i)
      CALLS(MPI_Gather_init)(out, 8, MPI_INTEGER, in, 8, MPI_INTEGER, root, MPI_COMM_WORLD, MPI_INFO_NULL, request IERROR)
      call run
      call to_root([8*i, 8*i])
      CALLS(MPI_Gatherv_init)(out, mine, MPI_INTEGER, in, counts_, at, MPI_INTEGER, root, MPI_COMM_WORLD, MPI_INFO_NULL, request IERROR)
      call run
      call to_root(counts_*i)
      CALLS(MPI_Reduce_init)(out, in, 7, MPI_INTEGER, MPI_SUM, root, MPI_COMM_WORLD, MPI_INFO_NULL, request IERROR)
      call run
      call to_root([7*i, 7*i])
   end subroutine

   subroutine among_all
      integer, parameter :: bytes(2) = [0, 20]
      integer :: mine(2)
      HANDLE(MPI_Datatype) :: types(2)
      types = MPI_INTEGER
      mine = counts_(1 + rank)
      CALLS(MPI_Barrier_init)(MPI_COMM_WORLD, MPI_INFO_NULL, request IERROR)
      call run
      CALLS(MPI_Allgather_init)(out, 6, MPI_INTEGER, in, 6, MPI_INTEGER, MPI_COMM_WORLD, MPI_INFO_NULL, request IERROR)
      call run
      call all_to_all([6*i, 6*i], [6*i, 6*i])
      CALLS(MPI_Allgatherv_init)(out, mine(1), MPI_INTEGER, in, counts_, at, MPI_INTEGER, MPI_COMM_WORLD, MPI_INFO_NULL, request IERROR)
      call run
      call all_to_all(mine*i, counts_*i)
      CALLS(MPI_Alltoall_init)(out, 5, MPI_INTEGER, in, 5, MPI_INTEGER, MPI_COMM_WORLD, MPI_INFO_NULL, request IERROR)
      call run
      call all_to_all([5*i, 5*i], [5*i, 5*i])
      CALLS(MPI_Alltoallv_init)(out, counts_, at, MPI_INTEGER, in, mine, at, MPI_INTEGER, MPI_COMM_WORLD, MPI_INFO_NULL, request IERROR)
      call run
      call all_to_all(counts_*i, mine*i)
      CALLS(MPI_Alltoallw_init)(out, counts_, bytes, types, in, mine, bytes, types, MPI_COMM_WORLD, MPI_INFO_NULL, request IERROR)
      call run
      call all_to_all(counts_*i, mine*i)
      CALLS(MPI_Allreduce_init)(out, in, 4, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, request IERROR)
      call run
      call all_to_all([4*i, 4*i], [4*i, 4*i])
   end subroutine

   subroutine chains
      integer :: p
      CALLS(MPI_Scan_init)(out, in, 11, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, request IERROR)
      call run
      call goes(merge('send', 'recv', rank == 0), 1 - rank, 11*i)
      CALLS(MPI_Exscan_init)(out, in, 12, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, request IERROR)
      call run
      call goes(merge('send', 'recv', rank == 0), 1 - rank, 12*i)
      CALLS(MPI_Reduce_scatter_init)(out, in, counts_, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, request IERROR)
      call run
      call goes('send', 0, 4*i)
      call goes('recv', 0, counts_(1 + rank)*i)
      CALLS(MPI_Reduce_scatter_block_init)(out, in, 7, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, request IERROR)
      call run
      call goes('send', 0, 14*i)
      call goes('recv', 0, 7*i)
      if (rank /= 0) return
      do p = 0, 1
         call goes('recv', p, 4*i)
         call goes('send', p, counts_(1 + p)*i)
         call goes('recv', p, 14*i)
         call goes('send', p, 7*i)
      end do
   end subroutine

   ! A line of two: one neighbour.
   subroutine neighbours
      integer, parameter :: ones(2) = 1
      integer(MPI_ADDRESS_KIND), parameter :: bytes(2) = [0, 20]
      HANDLE(MPI_Comm) :: line
      HANDLE(MPI_Datatype) :: types(2)
      types = MPI_INTEGER
      CALLS(MPI_Cart_create)(MPI_COMM_WORLD, 1, [2], [.false.], .false., line IERROR)
      CALLS(MPI_Neighbor_allgather_init)(out, 2, MPI_INTEGER, in, 2, MPI_INTEGER, line, MPI_INFO_NULL, request IERROR)
      call run
      call goes('send', other, 2*i)
      call goes('recv', other, 2*i)
      CALLS(MPI_Neighbor_allgatherv_init)(out, 1, MPI_INTEGER, in, ones, at, MPI_INTEGER, line, MPI_INFO_NULL, request IERROR)
      call run
      call goes('send', other, 1*i)
      call goes('recv', other, 1*i)
      CALLS(MPI_Neighbor_alltoall_init)(out, 3, MPI_INTEGER, in, 3, MPI_INTEGER, line, MPI_INFO_NULL, request IERROR)
      call run
      call goes('send', other, 3*i)
      call goes('recv', other, 3*i)
      CALLS(MPI_Neighbor_alltoallv_init)(out, ones, at, MPI_INTEGER, in, ones, at, MPI_INTEGER, line, MPI_INFO_NULL, request IERROR)
      call run
      call goes('send', other, 1*i)
      call goes('recv', other, 1*i)
#if !defined(WITH_MPICH) || !defined(BINDING_F08)
      CALLS(MPI_Neighbor_alltoallw_init)(out, ones, bytes, types, in, ones, bytes, types, line, MPI_INFO_NULL, request IERROR)
      call run
      call goes('send', other, 1*i)
      call goes('recv', other, 1*i)
#endif
      CALLS(MPI_Comm_free)(line IERROR)
   end subroutine

   subroutine pairs
      HANDLE(MPI_Request) :: list(2)
      integer :: round
      CALLS(MPI_Psend_init)(out, 4, 3_MPI_COUNT_KIND, MPI_INTEGER, other, 1, MPI_COMM_WORLD, MPI_INFO_NULL, list(1) IERROR)
      CALLS(MPI_Precv_init)(in, 2, 6_MPI_COUNT_KIND, MPI_INTEGER, other, 1, MPI_COMM_WORLD, MPI_INFO_NULL, list(2) IERROR)
      do round = 1, rounds
         CALLS(MPI_Startall)(2, list IERROR)
         CALLS(MPI_Pready_range)(0, 3, list(1) IERROR)
         CALLS(MPI_Waitall)(2, list, MPI_STATUSES_IGNORE IERROR)
         call moved('MPI_Startall', 'send', other, 1, 12*i)
         call moved('MPI_Startall', 'recv', other, 1, 12*i)
      end do
      CALLS(MPI_Request_free)(list(1) IERROR)
      CALLS(MPI_Request_free)(list(2) IERROR)
      CALLS(MPI_Isendrecv)(out, 2, MPI_INTEGER, other, 4, in, 2, MPI_INTEGER, other, 4, MPI_COMM_WORLD, request IERROR)
      CALLS(MPI_Wait)(request, MPI_STATUS_IGNORE IERROR)
      call moved('MPI_Isendrecv', 'send', other, 4, 2*i)
      call moved('MPI_Isendrecv', 'recv', other, 4, 2*i)
      CALLS(MPI_Isendrecv_replace)(in, 3, MPI_INTEGER, other, 5, other, 5, MPI_COMM_WORLD, request IERROR)
      CALLS(MPI_Wait)(request, MPI_STATUS_IGNORE IERROR)
      call moved('MPI_Isendrecv_replace', 'send', other, 5, 3*i)
      call moved('MPI_Isendrecv_replace', 'recv', other, 5, 3*i)
   end subroutine
end module

program main
   use calls
   implicit none
   character(32) :: file
   call begin
   call fill(1)
   write (file, '(a,i0)') 'expected.', rank
   open (newunit=unit, file=file, status='replace')
   call rooted
   call among_all
   call chains
   call neighbours
   call pairs
   call finished
   close (unit)
end program
