! SPDX-License-Identifier: BSD-3-Clause
! Messages in Fortran: point to point, completion, collectives, neighbours. Two ranks.
#include "calls_fortran.inc"

module messages
   use state
   implicit none
contains
   subroutine blocking
      STATUS_DECLARED(status)
      HANDLE(MPI_Request) :: request
      ADDRESS_DECLARED(address)
      integer :: bytes
      CALLS(MPI_Buffer_attach)(attached, 4*200 + 4*MPI_BSEND_OVERHEAD IERROR)
      call fill(1)
      PRESET(status)
      if (mod(rank, 2) == 0) then
         CALLS(MPI_Send)(out, n, MPI_INTEGER, other, 1, MPI_COMM_WORLD IERROR)
         CALLS(MPI_Bsend)(out(2), n - 1, MPI_INTEGER, other, 2, MPI_COMM_WORLD IERROR)
         CALLS(MPI_Ssend)(out(3), n - 2, MPI_INTEGER, other, 3, MPI_COMM_WORLD IERROR)
         CALLS(MPI_Recv)(in, n, MPI_INTEGER, other, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE IERROR)
         CALLS(MPI_Rsend)(out(4), 2, MPI_INTEGER, other, 4, MPI_COMM_WORLD IERROR)
      else
         CALLS(MPI_Recv)(in, 4*n, MPI_INTEGER, other, 1, MPI_COMM_WORLD, status IERROR)
         call show_status('recv', status)
         PRESET(status)
         CALLS(MPI_Recv)(in, 4*n, MPI_INTEGER, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, status IERROR)
         call show_status('recv any source', status)
         PRESET(status)
         CALLS(MPI_Recv)(in, 4*n, MPI_INTEGER, other, MPI_ANY_TAG, MPI_COMM_WORLD, status IERROR)
         call show_status('recv any tag', status)
         PRESET(status)
         CALLS(MPI_Irecv)(in, 4*n, MPI_INTEGER, other, 4, MPI_COMM_WORLD, request IERROR)
         CALLS(MPI_Send)(out, 1, MPI_INTEGER, other, 9, MPI_COMM_WORLD IERROR)
         CALLS(MPI_Wait)(request, status IERROR)
         call show_status('ready', status)
         PRESET(status)
      end if
      CALLS(MPI_Buffer_detach)(address, bytes IERROR)
      call fill(2)
      PRESET(status)
      CALLS(MPI_Sendrecv)(out, n, MPI_INTEGER, other, 5, in, 4*n, MPI_INTEGER, other, 5, MPI_COMM_WORLD, status IERROR)
      call show_status('sendrecv', status)
      PRESET(status)
      in = out
      CALLS(MPI_Sendrecv_replace)(in, n, MPI_INTEGER, other, 6, other, 6, MPI_COMM_WORLD, status IERROR)
      call show_status('sendrecv_replace', status)
      PRESET(status)
   end subroutine

   subroutine nonblocking
      HANDLE(MPI_Request) :: requests(4), sends(4)
      STATUS_DECLARED(status)
      STATUSES_DECLARED(statuses)
      ADDRESS_DECLARED(address)
      integer :: i, number, index, indices(4)
      logical :: flag
      call fill(3)
      PRESET(status)
      PRESET_ALL(statuses)
      CALLS(MPI_Buffer_attach)(attached, 4*200 + 4*MPI_BSEND_OVERHEAD IERROR)
      do i = 1, 4
         CALLS(MPI_Irecv)(in(1 + (i - 1)*n), n, MPI_INTEGER, other, 10 + i, MPI_COMM_WORLD, requests(i) IERROR)
      end do
      CALLS(MPI_Barrier)(MPI_COMM_WORLD IERROR)
      CALLS(MPI_Isend)(out, n, MPI_INTEGER, other, 11, MPI_COMM_WORLD, sends(1) IERROR)
      CALLS(MPI_Ibsend)(out, n - 1, MPI_INTEGER, other, 12, MPI_COMM_WORLD, sends(2) IERROR)
      CALLS(MPI_Issend)(out, n - 2, MPI_INTEGER, other, 13, MPI_COMM_WORLD, sends(3) IERROR)
      CALLS(MPI_Irsend)(out, n - 3, MPI_INTEGER, other, 14, MPI_COMM_WORLD, sends(4) IERROR)
      CALLS(MPI_Waitall)(4, sends, MPI_STATUSES_IGNORE IERROR)
      CALLS(MPI_Waitall)(4, requests, statuses IERROR)
      do i = 1, 4
         call show_status('waitall', ONLY(statuses, i))
      end do
      CALLS(MPI_Buffer_detach)(address, number IERROR)

      call fill(4)
      PRESET(status)
      PRESET_ALL(statuses)
      do i = 1, 2
         CALLS(MPI_Irecv)(in(1 + (i - 1)*n), n, MPI_INTEGER, other, 20 + i, MPI_COMM_WORLD, requests(i) IERROR)
      end do
      do i = 1, 2
         CALLS(MPI_Isend)(out, n, MPI_INTEGER, other, 20 + i, MPI_COMM_WORLD, requests(2 + i) IERROR)
      end do
      CALLS(MPI_Waitany)(4, requests, index, status IERROR)
      CALLS(MPI_Waitsome)(4, requests, number, indices, statuses IERROR)
      flag = .false.
      do while (.not. flag)
         CALLS(MPI_Testall)(4, requests, flag, statuses IERROR)
      end do
      call show('waitany, waitsome, testall')

      call fill(5)
      PRESET(status)
      PRESET_ALL(statuses)
      CALLS(MPI_Irecv)(in, n, MPI_INTEGER, other, 30, MPI_COMM_WORLD, requests(1) IERROR)
      CALLS(MPI_Isend)(out, n, MPI_INTEGER, other, 30, MPI_COMM_WORLD, requests(2) IERROR)
      flag = .false.
      do while (.not. flag)
         CALLS(MPI_Request_get_status)(requests(1), flag, status IERROR)
      end do
      call show_status('request_get_status', status)
      PRESET(status)
      flag = .false.
      do while (.not. flag)
         CALLS(MPI_Test)(requests(1), flag, status IERROR)
      end do
      call show_status('test', status)
      PRESET(status)
      flag = .false.
      do while (.not. flag)
         CALLS(MPI_Testany)(2, requests, index, flag, status IERROR)
      end do
      CALLS(MPI_Testsome)(2, requests, number, indices, statuses IERROR)
      print '(i0, a, i0, l2)', rank, ' testany, testsome ', index, number == MPI_UNDEFINED

      CALLS(MPI_Irecv)(in, n, MPI_INTEGER, other, 40, MPI_COMM_WORLD, requests(1) IERROR)
      CALLS(MPI_Cancel)(requests(1) IERROR)
      CALLS(MPI_Wait)(requests(1), status IERROR)
      CALLS(MPI_Test_cancelled)(status, flag IERROR)
      CALLS(MPI_Isend)(out, n, MPI_INTEGER, other, 41, MPI_COMM_WORLD, requests(1) IERROR)
      CALLS(MPI_Request_free)(requests(1) IERROR)
      CALLS(MPI_Recv)(in, n, MPI_INTEGER, other, 41, MPI_COMM_WORLD, MPI_STATUS_IGNORE IERROR)
      print '(i0, a, 2l2)', rank, ' cancelled, freed', flag, requests(1) == MPI_REQUEST_NULL
   end subroutine

   subroutine persistent
      HANDLE(MPI_Request) :: requests(2)
      STATUSES_DECLARED(statuses)
      ADDRESS_DECLARED(address)
      integer :: kind, round, bytes
      CALLS(MPI_Buffer_attach)(attached, 4*200 + 4*MPI_BSEND_OVERHEAD IERROR)
      do kind = 1, 4
         call fill(6)
         PRESET_ALL(statuses)
         CALLS(MPI_Recv_init)(in, 4*n, MPI_INTEGER, other, 50, MPI_COMM_WORLD, requests(1) IERROR)
         if (kind == 1) then
            CALLS(MPI_Send_init)(out, n, MPI_INTEGER, other, 50, MPI_COMM_WORLD, requests(2) IERROR)
         else if (kind == 2) then
            CALLS(MPI_Bsend_init)(out, n, MPI_INTEGER, other, 50, MPI_COMM_WORLD, requests(2) IERROR)
         else if (kind == 3) then
            CALLS(MPI_Ssend_init)(out, n, MPI_INTEGER, other, 50, MPI_COMM_WORLD, requests(2) IERROR)
         else
            CALLS(MPI_Rsend_init)(out, n, MPI_INTEGER, other, 50, MPI_COMM_WORLD, requests(2) IERROR)
         end if
         do round = 1, 2
            CALLS(MPI_Start)(requests(1) IERROR)
            CALLS(MPI_Barrier)(MPI_COMM_WORLD IERROR)
            CALLS(MPI_Startall)(1, requests(2:2) IERROR)
            CALLS(MPI_Waitall)(2, requests, statuses IERROR)
            call show_status('persistent', ONLY(statuses, 1))
         end do
         CALLS(MPI_Request_free)(requests(1) IERROR)
         CALLS(MPI_Request_free)(requests(2) IERROR)
      end do
      CALLS(MPI_Buffer_detach)(address, bytes IERROR)
   end subroutine

   subroutine probes
      HANDLE(MPI_Request) :: send, receive
      HANDLE(MPI_Message) :: message
      STATUS_DECLARED(status)
      logical :: flag
      call fill(7)
      PRESET(status)
      CALLS(MPI_Isend)(out, 3, MPI_INTEGER, other, 60, MPI_COMM_WORLD, send IERROR)
      CALLS(MPI_Probe)(other, 60, MPI_COMM_WORLD, status IERROR)
      call show_status('probe', status)
      PRESET(status)
      flag = .false.
      do while (.not. flag)
         CALLS(MPI_Iprobe)(other, 60, MPI_COMM_WORLD, flag, status IERROR)
      end do
      CALLS(MPI_Mprobe)(other, 60, MPI_COMM_WORLD, message, status IERROR)
      CALLS(MPI_Mrecv)(in, n, MPI_INTEGER, message, status IERROR)
      call show_status('mrecv', status)
      PRESET(status)
      CALLS(MPI_Wait)(send, MPI_STATUS_IGNORE IERROR)
      CALLS(MPI_Isend)(out, 2, MPI_INTEGER, other, 61, MPI_COMM_WORLD, send IERROR)
      flag = .false.
      do while (.not. flag)
         CALLS(MPI_Improbe)(other, 61, MPI_COMM_WORLD, flag, message, status IERROR)
      end do
      CALLS(MPI_Imrecv)(in, n, MPI_INTEGER, message, receive IERROR)
      CALLS(MPI_Wait)(receive, status IERROR)
      call show_status('imrecv', status)
      PRESET(status)
      CALLS(MPI_Wait)(send, MPI_STATUS_IGNORE IERROR)
   end subroutine

   subroutine collectives(comm)
      HANDLE(MPI_Comm), intent(in) :: comm
      HANDLE(MPI_Request) :: request
      HANDLE(MPI_Datatype) :: types(2)
      integer :: ones(2), at(2), bytes(2)
      ones = 1
      at = [0, 1]
      bytes = [0, 4]
      types = MPI_INTEGER
      CALLS(MPI_Barrier)(comm IERROR)
      CALLS(MPI_Ibarrier)(comm, request IERROR)
      call finish(request, 'ibarrier')
      call fill(8)
      CALLS(MPI_Bcast)(in, n, MPI_INTEGER, 0, comm IERROR)
      CALLS(MPI_Ibcast)(out, n, MPI_INTEGER, 0, comm, request IERROR)
      call finish(request, 'ibcast')
      CALLS(MPI_Gather)(out, 1, MPI_INTEGER, in, 1, MPI_INTEGER, 0, comm IERROR)
      CALLS(MPI_Igather)(out, 1, MPI_INTEGER, in, 1, MPI_INTEGER, 0, comm, request IERROR)
      call finish(request, 'igather')
      CALLS(MPI_Gatherv)(out, 1, MPI_INTEGER, in, ones, at, MPI_INTEGER, 0, comm IERROR)
      CALLS(MPI_Igatherv)(out, 1, MPI_INTEGER, in, ones, at, MPI_INTEGER, 0, comm, request IERROR)
      call finish(request, 'igatherv')
      CALLS(MPI_Scatter)(out, 1, MPI_INTEGER, in, 1, MPI_INTEGER, 0, comm IERROR)
      CALLS(MPI_Iscatter)(out, 1, MPI_INTEGER, in, 1, MPI_INTEGER, 0, comm, request IERROR)
      call finish(request, 'iscatter')
      CALLS(MPI_Scatterv)(out, ones, at, MPI_INTEGER, in, 1, MPI_INTEGER, 0, comm IERROR)
      CALLS(MPI_Iscatterv)(out, ones, at, MPI_INTEGER, in, 1, MPI_INTEGER, 0, comm, request IERROR)
      call finish(request, 'iscatterv')
      CALLS(MPI_Allgather)(out, 1, MPI_INTEGER, in, 1, MPI_INTEGER, comm IERROR)
      CALLS(MPI_Iallgather)(out, 1, MPI_INTEGER, in, 1, MPI_INTEGER, comm, request IERROR)
      call finish(request, 'iallgather')
      CALLS(MPI_Allgatherv)(out, 1, MPI_INTEGER, in, ones, at, MPI_INTEGER, comm IERROR)
      CALLS(MPI_Iallgatherv)(out, 1, MPI_INTEGER, in, ones, at, MPI_INTEGER, comm, request IERROR)
      call finish(request, 'iallgatherv')
      CALLS(MPI_Alltoall)(out, 1, MPI_INTEGER, in, 1, MPI_INTEGER, comm IERROR)
      CALLS(MPI_Ialltoall)(out, 1, MPI_INTEGER, in, 1, MPI_INTEGER, comm, request IERROR)
      call finish(request, 'ialltoall')
      CALLS(MPI_Alltoallv)(out, ones, at, MPI_INTEGER, in, ones, at, MPI_INTEGER, comm IERROR)
      CALLS(MPI_Ialltoallv)(out, ones, at, MPI_INTEGER, in, ones, at, MPI_INTEGER, comm, request IERROR)
      call finish(request, 'ialltoallv')
      CALLS(MPI_Alltoallw)(out, ones, bytes, types, in, ones, bytes, types, comm IERROR)
      CALLS(MPI_Ialltoallw)(out, ones, bytes, types, in, ones, bytes, types, comm, request IERROR)
      call finish(request, 'ialltoallw')
      CALLS(MPI_Reduce)(out, in, n, MPI_INTEGER, MPI_SUM, 0, comm IERROR)
      CALLS(MPI_Ireduce)(out, in, n, MPI_INTEGER, MPI_SUM, 0, comm, request IERROR)
      call finish(request, 'ireduce')
      CALLS(MPI_Allreduce)(out, in, n, MPI_INTEGER, MPI_SUM, comm IERROR)
      CALLS(MPI_Iallreduce)(out, in, n, MPI_INTEGER, MPI_SUM, comm, request IERROR)
      call finish(request, 'iallreduce')
      CALLS(MPI_Reduce_scatter)(out, in, ones, MPI_INTEGER, MPI_SUM, comm IERROR)
      CALLS(MPI_Ireduce_scatter)(out, in, ones, MPI_INTEGER, MPI_SUM, comm, request IERROR)
      call finish(request, 'ireduce_scatter')
      CALLS(MPI_Reduce_scatter_block)(out, in, 1, MPI_INTEGER, MPI_SUM, comm IERROR)
      CALLS(MPI_Ireduce_scatter_block)(out, in, 1, MPI_INTEGER, MPI_SUM, comm, request IERROR)
      call finish(request, 'ireduce_scatter_block')
      CALLS(MPI_Scan)(out, in, n, MPI_INTEGER, MPI_SUM, comm IERROR)
      CALLS(MPI_Iscan)(out, in, n, MPI_INTEGER, MPI_SUM, comm, request IERROR)
      call finish(request, 'iscan')
      CALLS(MPI_Exscan)(out, in, n, MPI_INTEGER, MPI_SUM, comm IERROR)
      CALLS(MPI_Iexscan)(out, in, n, MPI_INTEGER, MPI_SUM, comm, request IERROR)
      call finish(request, 'iexscan')
      call fill(10)
      in = out
      CALLS(MPI_Allreduce)(MPI_IN_PLACE, in, n, MPI_INTEGER, MPI_MAX, comm IERROR)
      call show('in place')
   end subroutine

   subroutine neighbours
      HANDLE(MPI_Comm) :: ring
      HANDLE(MPI_Request) :: request
      HANDLE(MPI_Datatype) :: types(2)
      integer :: ones(2), at(2)
      integer(MPI_ADDRESS_KIND) :: bytes(2)
      ones = 1
      at = [0, 1]
      bytes = [0_MPI_ADDRESS_KIND, 4_MPI_ADDRESS_KIND]
      types = MPI_INTEGER
      CALLS(MPI_Cart_create)(MPI_COMM_WORLD, 1, [size], [.true.], .false., ring IERROR)
      call fill(9)
      CALLS(MPI_Neighbor_allgather)(out, 1, MPI_INTEGER, in, 1, MPI_INTEGER, ring IERROR)
      CALLS(MPI_Ineighbor_allgather)(out, 1, MPI_INTEGER, in, 1, MPI_INTEGER, ring, request IERROR)
      call finish(request, 'ineighbor_allgather')
      CALLS(MPI_Neighbor_allgatherv)(out, 1, MPI_INTEGER, in, ones, at, MPI_INTEGER, ring IERROR)
      CALLS(MPI_Ineighbor_allgatherv)(out, 1, MPI_INTEGER, in, ones, at, MPI_INTEGER, ring, request IERROR)
      call finish(request, 'ineighbor_allgatherv')
      CALLS(MPI_Neighbor_alltoall)(out, 1, MPI_INTEGER, in, 1, MPI_INTEGER, ring IERROR)
      CALLS(MPI_Ineighbor_alltoall)(out, 1, MPI_INTEGER, in, 1, MPI_INTEGER, ring, request IERROR)
      call finish(request, 'ineighbor_alltoall')
      CALLS(MPI_Neighbor_alltoallv)(out, ones, at, MPI_INTEGER, in, ones, at, MPI_INTEGER, ring IERROR)
      CALLS(MPI_Ineighbor_alltoallv)(out, ones, at, MPI_INTEGER, in, ones, at, MPI_INTEGER, ring, request IERROR)
      call finish(request, 'ineighbor_alltoallv')
      ! MPICH's mpi_f08 (4.0) asks for the neighbours of a graph here, and takes what it finds instead of them.
#if !defined(WITH_MPICH) || !defined(BINDING_F08)
      CALLS(MPI_Neighbor_alltoallw)(out, ones, bytes, types, in, ones, bytes, types, ring IERROR)
      CALLS(MPI_Ineighbor_alltoallw)(out, ones, bytes, types, in, ones, bytes, types, ring, request IERROR)
      call finish(request, 'ineighbor_alltoallw')
#endif
      CALLS(MPI_Comm_free)(ring IERROR)
   end subroutine
   subroutine wrong_arguments
      HANDLE(MPI_Request) :: request
      STATUS_DECLARED(status)
      call fill(11)
      PRESET(status)
      request = MPI_REQUEST_NULL
      CALLS(MPI_Send)(out, -1, MPI_INTEGER, other, 1, MPI_COMM_WORLD IERROR)
      CALLS(MPI_Send)(out, 1, MPI_INTEGER, size + 3, 1, MPI_COMM_WORLD IERROR)
      CALLS(MPI_Recv)(in, 1, MPI_DATATYPE_NULL, other, 1, MPI_COMM_WORLD, status IERROR)
      CALLS(MPI_Irecv)(in, 1, MPI_INTEGER, other, -8, MPI_COMM_WORLD, request IERROR)
      CALLS(MPI_Bcast)(in, 1, MPI_INTEGER, -3, MPI_COMM_WORLD IERROR)
      CALLS(MPI_Allreduce)(out, in, 1, MPI_INTEGER, MPI_OP_NULL, MPI_COMM_WORLD IERROR)
      call show_status('wrong arguments', status)
      CALLS(MPI_Wait)(request, status IERROR)
      call show_status('null request', status)
      CALLS(MPI_Send)(out, 1, MPI_INTEGER, MPI_PROC_NULL, 1, MPI_COMM_WORLD IERROR)
      PRESET(status)
      CALLS(MPI_Recv)(in, 1, MPI_INTEGER, MPI_PROC_NULL, 1, MPI_COMM_WORLD, status IERROR)
      call show_status('from nobody', status)
   end subroutine
end module

program messages_fortran
   use messages
   implicit none
   HANDLE(MPI_Comm) :: pair
   call begin
   CALLS(MPI_Comm_split)(MPI_COMM_WORLD, rank/2, rank, pair IERROR)
   call blocking
   call nonblocking
   call persistent
   call probes
   call collectives(pair)
   call neighbours
   call wrong_arguments
   CALLS(MPI_Comm_free)(pair IERROR)
   call finished
end program
