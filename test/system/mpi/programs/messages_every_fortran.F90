! SPDX-License-Identifier: BSD-3-Clause
! 2 ranks: what every function moves that moves data, called from Fortran. Messages go over a communicator of the opposite order.
#include "calls_fortran.inc"

module known
   use state
   implicit none
   integer, parameter :: i = 4 ! bytes of an integer
   integer :: unit, me ! me: place in turned
   HANDLE(MPI_Comm) :: turned
   HANDLE(MPI_Request) :: request
contains
   subroutine moved(name, direction, peer, tag, bytes)
      character(*), intent(in) :: name, direction
      integer, intent(in) :: peer, tag, bytes
      if (tag < 0 .and. bytes == 0) return
      write (unit, '(a,1x,a,1x,i0,1x,i0,1x,i0)') name, direction, peer, tag, bytes
   end subroutine

   ! MPI_Bcast and MPI_Ibcast; the peer is a place in turned.
   subroutine both(name, direction, place, bytes)
      character(*), intent(in) :: name, direction
      integer, intent(in) :: place, bytes
      call moved('MPI_'//name, direction, 1 - place, -1, bytes)
      call moved('MPI_I'//achar(iachar(name(1:1)) + 32)//name(2:), direction, 1 - place, -1, bytes)
   end subroutine

   subroutine all_to_all(name, sent, received)
      character(*), intent(in) :: name
      integer, intent(in) :: sent(2), received(2)
      integer :: place
      do place = 0, 1
         call both(name, 'send', place, sent(1 + place))
         call both(name, 'recv', place, received(1 + place))
      end do
   end subroutine

   subroutine wait
      CALLS(MPI_Wait)(request, MPI_STATUS_IGNORE IERROR)
   end subroutine
end module

module calls
   use known
   implicit none
contains
   ! Each mode of sending, to receives that wait.
   subroutine modes
      HANDLE(MPI_Request) :: receives(9), sends(4)
      ADDRESS_DECLARED(address)
      integer :: k, bytes, buffers(20, 9)
      CALLS(MPI_Buffer_attach)(attached, 4*200 + 4*MPI_BSEND_OVERHEAD IERROR)
      do k = 1, 9
         CALLS(MPI_Irecv)(buffers(:, k), 20, MPI_INTEGER, me_other(), k, turned, receives(k) IERROR)
         call moved('MPI_Irecv', 'recv', other, k, k*i)
      end do
      CALLS(MPI_Barrier)(MPI_COMM_WORLD IERROR)
      CALLS(MPI_Send)(out, 1, MPI_INTEGER, me_other(), 1, turned IERROR)
      call moved('MPI_Send', 'send', other, 1, i)
      CALLS(MPI_Bsend)(out, 2, MPI_INTEGER, me_other(), 2, turned IERROR)
      call moved('MPI_Bsend', 'send', other, 2, 2*i)
      CALLS(MPI_Ssend)(out, 3, MPI_INTEGER, me_other(), 3, turned IERROR)
      call moved('MPI_Ssend', 'send', other, 3, 3*i)
      CALLS(MPI_Rsend)(out, 4, MPI_INTEGER, me_other(), 4, turned IERROR)
      call moved('MPI_Rsend', 'send', other, 4, 4*i)
      CALLS(MPI_Isend)(out, 5, MPI_INTEGER, me_other(), 5, turned, sends(1) IERROR)
      call moved('MPI_Isend', 'send', other, 5, 5*i)
      CALLS(MPI_Ibsend)(out, 6, MPI_INTEGER, me_other(), 6, turned, sends(2) IERROR)
      call moved('MPI_Ibsend', 'send', other, 6, 6*i)
      CALLS(MPI_Issend)(out, 7, MPI_INTEGER, me_other(), 7, turned, sends(3) IERROR)
      call moved('MPI_Issend', 'send', other, 7, 7*i)
      CALLS(MPI_Irsend)(out, 8, MPI_INTEGER, me_other(), 8, turned, sends(4) IERROR)
      call moved('MPI_Irsend', 'send', other, 8, 8*i)
      CALLS(MPI_Waitall)(4, sends, MPI_STATUSES_IGNORE IERROR)
      CALLS(MPI_Sendrecv)(out, 9, MPI_INTEGER, me_other(), 9, in, 20, MPI_INTEGER, MPI_PROC_NULL, 0, turned, MPI_STATUS_IGNORE IERROR)
      call moved('MPI_Sendrecv', 'send', other, 9, 9*i)
      CALLS(MPI_Waitall)(9, receives, MPI_STATUSES_IGNORE IERROR)
      CALLS(MPI_Sendrecv_replace)(in, 3, MPI_INTEGER, me_other(), 10, MPI_ANY_SOURCE, 10, turned, MPI_STATUS_IGNORE IERROR)
      call moved('MPI_Sendrecv_replace', 'send', other, 10, 3*i)
      call moved('MPI_Sendrecv_replace', 'recv', other, 10, 3*i)
      CALLS(MPI_Buffer_detach)(address, bytes IERROR)
   end subroutine

   integer function me_other()
      me_other = 1 - me
   end function

   subroutine persistent
      HANDLE(MPI_Request) :: receives(4), sends(4)
      ADDRESS_DECLARED(address)
      integer :: k, bytes, buffers(20, 4)
      CALLS(MPI_Buffer_attach)(attached, 4*200 + 4*MPI_BSEND_OVERHEAD IERROR)
      do k = 1, 4
         CALLS(MPI_Recv_init)(buffers(:, k), 20, MPI_INTEGER, MPI_ANY_SOURCE, 20 + k, turned, receives(k) IERROR)
         call moved('MPI_Startall', 'recv', other, 20 + k, k*i)
         call moved(trim(merge('MPI_Start   ', 'MPI_Startall', k == 1)), 'send', other, 20 + k, k*i)
      end do
      CALLS(MPI_Send_init)(out, 1, MPI_INTEGER, me_other(), 21, turned, sends(1) IERROR)
      CALLS(MPI_Bsend_init)(out, 2, MPI_INTEGER, me_other(), 22, turned, sends(2) IERROR)
      CALLS(MPI_Ssend_init)(out, 3, MPI_INTEGER, me_other(), 23, turned, sends(3) IERROR)
      CALLS(MPI_Rsend_init)(out, 4, MPI_INTEGER, me_other(), 24, turned, sends(4) IERROR)
      CALLS(MPI_Startall)(4, receives IERROR)
      CALLS(MPI_Barrier)(MPI_COMM_WORLD IERROR)
      CALLS(MPI_Start)(sends(1) IERROR)
      CALLS(MPI_Startall)(3, sends(2:4) IERROR)
      CALLS(MPI_Waitall)(4, sends, MPI_STATUSES_IGNORE IERROR)
      CALLS(MPI_Waitall)(4, receives, MPI_STATUSES_IGNORE IERROR)
      do k = 1, 4
         CALLS(MPI_Request_free)(sends(k) IERROR)
         CALLS(MPI_Request_free)(receives(k) IERROR)
      end do
      CALLS(MPI_Buffer_detach)(address, bytes IERROR)
   end subroutine

   subroutine matched
      HANDLE(MPI_Message) :: message
      logical :: flag
      CALLS(MPI_Isend)(out, 2, MPI_INTEGER, me_other(), 30, turned, request IERROR)
      CALLS(MPI_Mprobe)(MPI_ANY_SOURCE, 30, turned, message, MPI_STATUS_IGNORE IERROR)
      CALLS(MPI_Mrecv)(in, 20, MPI_INTEGER, message, MPI_STATUS_IGNORE IERROR)
      call wait
      CALLS(MPI_Isend)(out, 3, MPI_INTEGER, me_other(), 31, turned, request IERROR)
      flag = .false.
      do while (.not. flag)
         CALLS(MPI_Improbe)(MPI_ANY_SOURCE, MPI_ANY_TAG, turned, flag, message, MPI_STATUS_IGNORE IERROR)
      end do
      call wait
      CALLS(MPI_Imrecv)(in, 20, MPI_INTEGER, message, request IERROR)
      call wait
      call moved('MPI_Isend', 'send', other, 30, 2*i)
      call moved('MPI_Isend', 'send', other, 31, 3*i)
      call moved('MPI_Mrecv', 'recv', other, 30, 2*i)
      call moved('MPI_Imrecv', 'recv', other, 31, 3*i)
   end subroutine

   subroutine begin_some(list, tag)
      HANDLE(MPI_Request), intent(out) :: list(4)
      integer, intent(in) :: tag
      integer :: k
      do k = 1, 2
         CALLS(MPI_Irecv)(in(1 + 10*(k - 1)), 10, MPI_INTEGER, MPI_ANY_SOURCE, tag + k, turned, list(k) IERROR)
         CALLS(MPI_Isend)(out, k, MPI_INTEGER, me_other(), tag + k, turned, list(2 + k) IERROR)
         call moved('MPI_Irecv', 'recv', other, tag + k, k*i)
         call moved('MPI_Isend', 'send', other, tag + k, k*i)
      end do
   end subroutine

   subroutine completed
      HANDLE(MPI_Request) :: list(4)
      STATUS_DECLARED(status)
      STATUSES_DECLARED(statuses)
      integer :: count, done, indices(4)
      logical :: flag
      call begin_some(list, 40)
      done = 0
      do while (done < 4)
         CALLS(MPI_Waitsome)(4, list, count, indices, statuses IERROR)
         done = done + count
      end do
      call begin_some(list, 50)
      flag = .false.
      do while (.not. flag)
         CALLS(MPI_Testall)(4, list, flag, MPI_STATUSES_IGNORE IERROR)
      end do
      call begin_some(list, 60)
      done = 0
      do while (done < 4)
         CALLS(MPI_Testany)(4, list, count, flag, status IERROR)
         if (flag) done = done + 1
      end do
      ! A freed receive whose end was seen; one that is cancelled.
      call begin_some(list, 70)
      flag = .false.
      do while (.not. flag)
         CALLS(MPI_Request_get_status)(list(1), flag, MPI_STATUS_IGNORE IERROR)
      end do
      CALLS(MPI_Request_free)(list(1) IERROR)
      CALLS(MPI_Waitall)(4, list, MPI_STATUSES_IGNORE IERROR)
      CALLS(MPI_Irecv)(in, 10, MPI_INTEGER, me_other(), 80, turned, request IERROR)
      CALLS(MPI_Cancel)(request IERROR)
      call wait
   end subroutine

   subroutine rooted
      integer, parameter :: root = 1, counts_(2) = [1, 3], at(2) = [0, 5]
      logical :: here
      integer :: p, mine
      here = me == root
      mine = counts_(1 + me)
      CALLS(MPI_Bcast)(out, 1, MPI_INTEGER, root, turned IERROR)
      CALLS(MPI_Ibcast)(out, 1, MPI_INTEGER, root, turned, request IERROR)
      call wait
      CALLS(MPI_Scatter)(out, 2, MPI_INTEGER, in, 2, MPI_INTEGER, root, turned IERROR)
      CALLS(MPI_Iscatter)(out, 2, MPI_INTEGER, in, 2, MPI_INTEGER, root, turned, request IERROR)
      call wait
      CALLS(MPI_Scatterv)(out, counts_, at, MPI_INTEGER, in, mine, MPI_INTEGER, root, turned IERROR)
      CALLS(MPI_Iscatterv)(out, counts_, at, MPI_INTEGER, in, mine, MPI_INTEGER, root, turned, request IERROR)
      call wait
      call both('Bcast', 'recv', root, i)
      call both('Scatter', 'recv', root, 2*i)
      call both('Scatterv', 'recv', root, mine*i)
      CALLS(MPI_Gather)(out, 4, MPI_INTEGER, in, 4, MPI_INTEGER, root, turned IERROR)
      CALLS(MPI_Igather)(out, 4, MPI_INTEGER, in, 4, MPI_INTEGER, root, turned, request IERROR)
      call wait
      CALLS(MPI_Gatherv)(out, mine, MPI_INTEGER, in, counts_, at, MPI_INTEGER, root, turned IERROR)
      CALLS(MPI_Igatherv)(out, mine, MPI_INTEGER, in, counts_, at, MPI_INTEGER, root, turned, request IERROR)
      call wait
      CALLS(MPI_Reduce)(out, in, 5, MPI_INTEGER, MPI_SUM, root, turned IERROR)
      CALLS(MPI_Ireduce)(out, in, 5, MPI_INTEGER, MPI_SUM, root, turned, request IERROR)
      call wait
      call both('Gather', 'send', root, 4*i)
      call both('Gatherv', 'send', root, mine*i)
      call both('Reduce', 'send', root, 5*i)
      if (.not. here) return
      do p = 0, 1
         call both('Bcast', 'send', p, i)
         call both('Scatter', 'send', p, 2*i)
         call both('Scatterv', 'send', p, counts_(1 + p)*i)
         call both('Gather', 'recv', p, 4*i)
         call both('Gatherv', 'recv', p, counts_(1 + p)*i)
         call both('Reduce', 'recv', p, 5*i)
      end do
   end subroutine

   subroutine among_all
      integer, parameter :: counts_(2) = [1, 3], at(2) = [0, 5], bytes(2) = [0, 20]
      integer :: mine(2)
      HANDLE(MPI_Datatype) :: types(2)
      types = MPI_INTEGER
      mine = counts_(1 + me)
      CALLS(MPI_Allgather)(out, 2, MPI_INTEGER, in, 2, MPI_INTEGER, turned IERROR)
      CALLS(MPI_Iallgather)(out, 2, MPI_INTEGER, in, 2, MPI_INTEGER, turned, request IERROR)
      call wait
      call all_to_all('Allgather', [2*i, 2*i], [2*i, 2*i])
      CALLS(MPI_Allgatherv)(out, mine(1), MPI_INTEGER, in, counts_, at, MPI_INTEGER, turned IERROR)
      CALLS(MPI_Iallgatherv)(out, mine(1), MPI_INTEGER, in, counts_, at, MPI_INTEGER, turned, request IERROR)
      call wait
      call all_to_all('Allgatherv', mine*i, counts_*i)
      CALLS(MPI_Alltoall)(out, 3, MPI_INTEGER, in, 3, MPI_INTEGER, turned IERROR)
      CALLS(MPI_Ialltoall)(out, 3, MPI_INTEGER, in, 3, MPI_INTEGER, turned, request IERROR)
      call wait
      call all_to_all('Alltoall', [3*i, 3*i], [3*i, 3*i])
      CALLS(MPI_Alltoallv)(out, counts_, at, MPI_INTEGER, in, mine, at, MPI_INTEGER, turned IERROR)
      CALLS(MPI_Ialltoallv)(out, counts_, at, MPI_INTEGER, in, mine, at, MPI_INTEGER, turned, request IERROR)
      call wait
      call all_to_all('Alltoallv', counts_*i, mine*i)
      CALLS(MPI_Alltoallw)(out, counts_, bytes, types, in, mine, bytes, types, turned IERROR)
      CALLS(MPI_Ialltoallw)(out, counts_, bytes, types, in, mine, bytes, types, turned, request IERROR)
      call wait
      call all_to_all('Alltoallw', counts_*i, mine*i)
      CALLS(MPI_Allreduce)(out, in, 4, MPI_INTEGER, MPI_SUM, turned IERROR)
      CALLS(MPI_Iallreduce)(out, in, 4, MPI_INTEGER, MPI_SUM, turned, request IERROR)
      call wait
      call all_to_all('Allreduce', [4*i, 4*i], [4*i, 4*i])
      CALLS(MPI_Ibarrier)(turned, request IERROR)
      call wait
   end subroutine

   subroutine chains
      integer, parameter :: counts_(2) = [1, 3]
      integer :: p
      CALLS(MPI_Scan)(out, in, 2, MPI_INTEGER, MPI_SUM, turned IERROR)
      CALLS(MPI_Iscan)(out, in, 2, MPI_INTEGER, MPI_SUM, turned, request IERROR)
      call wait
      CALLS(MPI_Exscan)(out, in, 3, MPI_INTEGER, MPI_SUM, turned IERROR)
      CALLS(MPI_Iexscan)(out, in, 3, MPI_INTEGER, MPI_SUM, turned, request IERROR)
      call wait
      call both('Scan', merge('send', 'recv', me == 0), 1 - me, 2*i)
      call both('Exscan', merge('send', 'recv', me == 0), 1 - me, 3*i)
      CALLS(MPI_Reduce_scatter)(out, in, counts_, MPI_INTEGER, MPI_SUM, turned IERROR)
      CALLS(MPI_Ireduce_scatter)(out, in, counts_, MPI_INTEGER, MPI_SUM, turned, request IERROR)
      call wait
      CALLS(MPI_Reduce_scatter_block)(out, in, 5, MPI_INTEGER, MPI_SUM, turned IERROR)
      CALLS(MPI_Ireduce_scatter_block)(out, in, 5, MPI_INTEGER, MPI_SUM, turned, request IERROR)
      call wait
      call both('Reduce_scatter', 'send', 0, 4*i)
      call both('Reduce_scatter', 'recv', 0, counts_(1 + me)*i)
      call both('Reduce_scatter_block', 'send', 0, 10*i)
      call both('Reduce_scatter_block', 'recv', 0, 5*i)
      if (me /= 0) return
      do p = 0, 1
         call both('Reduce_scatter', 'recv', p, 4*i)
         call both('Reduce_scatter', 'send', p, counts_(1 + p)*i)
         call both('Reduce_scatter_block', 'recv', p, 10*i)
         call both('Reduce_scatter_block', 'send', p, 5*i)
      end do
   end subroutine

   ! A line of two: one neighbour, and MPI_PROC_NULL at the ends.
   subroutine neighbours
      integer, parameter :: ones(2) = 1, at(2) = [0, 5]
      integer(MPI_ADDRESS_KIND), parameter :: bytes(2) = [0, 20]
      HANDLE(MPI_Comm) :: line
      HANDLE(MPI_Datatype) :: types(2)
      types = MPI_INTEGER
      CALLS(MPI_Cart_create)(turned, 1, [2], [.false.], .false., line IERROR)
      CALLS(MPI_Neighbor_allgather)(out, 2, MPI_INTEGER, in, 2, MPI_INTEGER, line IERROR)
      CALLS(MPI_Ineighbor_allgather)(out, 2, MPI_INTEGER, in, 2, MPI_INTEGER, line, request IERROR)
      call wait
      CALLS(MPI_Neighbor_allgatherv)(out, 1, MPI_INTEGER, in, ones, at, MPI_INTEGER, line IERROR)
      CALLS(MPI_Ineighbor_allgatherv)(out, 1, MPI_INTEGER, in, ones, at, MPI_INTEGER, line, request IERROR)
      call wait
      CALLS(MPI_Neighbor_alltoall)(out, 3, MPI_INTEGER, in, 3, MPI_INTEGER, line IERROR)
      CALLS(MPI_Ineighbor_alltoall)(out, 3, MPI_INTEGER, in, 3, MPI_INTEGER, line, request IERROR)
      call wait
      CALLS(MPI_Neighbor_alltoallv)(out, ones, at, MPI_INTEGER, in, ones, at, MPI_INTEGER, line IERROR)
      CALLS(MPI_Ineighbor_alltoallv)(out, ones, at, MPI_INTEGER, in, ones, at, MPI_INTEGER, line, request IERROR)
      call wait
      ! In MPICH's mpi_f08 (4.0) it may crash: it asks for the neighbours of a graph, whatever the topology is.
#if !defined(WITH_MPICH) || !defined(BINDING_F08)
      CALLS(MPI_Neighbor_alltoallw)(out, ones, bytes, types, in, ones, bytes, types, line IERROR)
      CALLS(MPI_Ineighbor_alltoallw)(out, ones, bytes, types, in, ones, bytes, types, line, request IERROR)
      call wait
      call exchanged('Neighbor_alltoallw', 1)
#endif
      call exchanged('Neighbor_allgather', 2)
      call exchanged('Neighbor_allgatherv', 1)
      call exchanged('Neighbor_alltoall', 3)
      call exchanged('Neighbor_alltoallv', 1)
      CALLS(MPI_Comm_free)(line IERROR)
   end subroutine

   subroutine exchanged(name, count)
      character(*), intent(in) :: name
      integer, intent(in) :: count
      call both(name, 'send', 1 - me, count*i)
      call both(name, 'recv', 1 - me, count*i)
   end subroutine

   subroutine windows
      HANDLE(MPI_Win) :: win
      HANDLE(MPI_Request) :: list(4)
      integer :: memory(40), got(20), old, place
      integer(MPI_ADDRESS_KIND) :: at
      memory = 0
      at = 0
      place = 1 - me
      CALLS(MPI_Win_create)(memory, int(160, MPI_ADDRESS_KIND), 4, MPI_INFO_NULL, turned, win IERROR)
      CALLS(MPI_Win_fence)(0, win IERROR)
      CALLS(MPI_Put)(out, 1, MPI_INTEGER, place, at, 1, MPI_INTEGER, win IERROR)
      CALLS(MPI_Get)(got, 2, MPI_INTEGER, place, at + 5, 2, MPI_INTEGER, win IERROR)
      CALLS(MPI_Accumulate)(out, 3, MPI_INTEGER, place, at + 10, 3, MPI_INTEGER, MPI_SUM, win IERROR)
      CALLS(MPI_Win_fence)(0, win IERROR)
      call moved('MPI_Put', 'send', other, -1, i)
      call moved('MPI_Get', 'recv', other, -1, 2*i)
      call moved('MPI_Accumulate', 'send', other, -1, 3*i)
      CALLS(MPI_Win_lock_all)(0, win IERROR)
      CALLS(MPI_Get_accumulate)(out, 4, MPI_INTEGER, got, 4, MPI_INTEGER, place, at + 15, 4, MPI_INTEGER, MPI_SUM, win IERROR)
      CALLS(MPI_Fetch_and_op)(out, old, MPI_INTEGER, place, at + 20, MPI_SUM, win IERROR)
      CALLS(MPI_Compare_and_swap)(out, out(2), old, MPI_INTEGER, place, at + 21, win IERROR)
      CALLS(MPI_Rput)(out, 5, MPI_INTEGER, place, at + 22, 5, MPI_INTEGER, win, list(1) IERROR)
      CALLS(MPI_Rget)(got(5), 6, MPI_INTEGER, place, at + 27, 6, MPI_INTEGER, win, list(2) IERROR)
      CALLS(MPI_Raccumulate)(out, 2, MPI_INTEGER, place, at + 33, 2, MPI_INTEGER, MPI_SUM, win, list(3) IERROR)
      CALLS(MPI_Rget_accumulate)(out, 3, MPI_INTEGER, got(12), 3, MPI_INTEGER, place, at + 36, 3, MPI_INTEGER, MPI_SUM, win, list(4) IERROR)
      CALLS(MPI_Waitall)(4, list, MPI_STATUSES_IGNORE IERROR)
      CALLS(MPI_Win_unlock_all)(win IERROR)
      call moved('MPI_Get_accumulate', 'send', other, -1, 4*i)
      call moved('MPI_Get_accumulate', 'recv', other, -1, 4*i)
      call moved('MPI_Fetch_and_op', 'send', other, -1, i)
      call moved('MPI_Fetch_and_op', 'recv', other, -1, i)
      call moved('MPI_Compare_and_swap', 'send', other, -1, i)
      call moved('MPI_Compare_and_swap', 'recv', other, -1, i)
      call moved('MPI_Rput', 'send', other, -1, 5*i)
      call moved('MPI_Rget', 'recv', other, -1, 6*i)
      call moved('MPI_Raccumulate', 'send', other, -1, 2*i)
      call moved('MPI_Rget_accumulate', 'send', other, -1, 3*i)
      call moved('MPI_Rget_accumulate', 'recv', other, -1, 3*i)
      CALLS(MPI_Win_free)(win IERROR)
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
   CALLS(MPI_Comm_split)(MPI_COMM_WORLD, 0, -rank, turned IERROR)
   me = 1 - rank
   call modes
   call persistent
   call matched
   call completed
   call rooted
   call among_all
   call chains
   call neighbours
   call windows
   CALLS(MPI_Comm_free)(turned IERROR)
   call finished
   close (unit)
end program
