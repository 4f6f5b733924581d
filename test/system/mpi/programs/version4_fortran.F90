! SPDX-License-Identifier: BSD-3-Clause
! What MPI 4 added, in Fortran: persistent collectives, partitioned communication, sessions. Two ranks.
#include "calls_fortran.inc"

module version4
   use state
   implicit none
contains
   ! Two rounds of what MPI_…_init made.
   subroutine rounds(request, what)
      HANDLE(MPI_Request), intent(inout) :: request
      character(len=*), intent(in) :: what
      STATUS_DECLARED(status)
      integer :: round
      do round = 1, 2
         call fill(round)
         PRESET(status)
         CALLS(MPI_Start)(request IERROR)
         CALLS(MPI_Wait)(request, status IERROR)
         call show_status(what, status)
      end do
      CALLS(MPI_Request_free)(request IERROR)
   end subroutine

   subroutine collectives(comm)
      HANDLE(MPI_Comm), intent(in) :: comm
      HANDLE(MPI_Request) :: request
      HANDLE(MPI_Datatype) :: types(2)
      integer :: ones(2), at(2), bytes(2)
      ones = 1
      at = [0, 1]
      bytes = [0, 4]
      types(1) = MPI_INTEGER
      types(2) = MPI_INTEGER
      CALLS(MPI_Barrier_init)(comm, MPI_INFO_NULL, request IERROR)
      call rounds(request, 'barrier')
      CALLS(MPI_Bcast_init)(in, n, MPI_INTEGER, 0, comm, MPI_INFO_NULL, request IERROR)
      call rounds(request, 'bcast')
      CALLS(MPI_Gather_init)(out, 1, MPI_INTEGER, in, 1, MPI_INTEGER, 0, comm, MPI_INFO_NULL, request IERROR)
      call rounds(request, 'gather')
      CALLS(MPI_Gatherv_init)(out, 1, MPI_INTEGER, in, ones, at, MPI_INTEGER, 0, comm, MPI_INFO_NULL, request IERROR)
      call rounds(request, 'gatherv')
      CALLS(MPI_Scatter_init)(out, 1, MPI_INTEGER, in, 1, MPI_INTEGER, 0, comm, MPI_INFO_NULL, request IERROR)
      call rounds(request, 'scatter')
      CALLS(MPI_Scatterv_init)(out, ones, at, MPI_INTEGER, in, 1, MPI_INTEGER, 0, comm, MPI_INFO_NULL, request IERROR)
      call rounds(request, 'scatterv')
      CALLS(MPI_Allgather_init)(out, 1, MPI_INTEGER, in, 1, MPI_INTEGER, comm, MPI_INFO_NULL, request IERROR)
      call rounds(request, 'allgather')
      CALLS(MPI_Allgatherv_init)(out, 1, MPI_INTEGER, in, ones, at, MPI_INTEGER, comm, MPI_INFO_NULL, request IERROR)
      call rounds(request, 'allgatherv')
      CALLS(MPI_Alltoall_init)(out, 1, MPI_INTEGER, in, 1, MPI_INTEGER, comm, MPI_INFO_NULL, request IERROR)
      call rounds(request, 'alltoall')
      CALLS(MPI_Alltoallv_init)(out, ones, at, MPI_INTEGER, in, ones, at, MPI_INTEGER, comm, MPI_INFO_NULL, request IERROR)
      call rounds(request, 'alltoallv')
      CALLS(MPI_Alltoallw_init)(out, ones, bytes, types, in, ones, bytes, types, comm, MPI_INFO_NULL, request IERROR)
      call rounds(request, 'alltoallw')
      CALLS(MPI_Reduce_init)(out, in, n, MPI_INTEGER, MPI_SUM, 0, comm, MPI_INFO_NULL, request IERROR)
      call rounds(request, 'reduce')
      CALLS(MPI_Allreduce_init)(out, in, n, MPI_INTEGER, MPI_SUM, comm, MPI_INFO_NULL, request IERROR)
      call rounds(request, 'allreduce')
      CALLS(MPI_Reduce_scatter_init)(out, in, ones, MPI_INTEGER, MPI_SUM, comm, MPI_INFO_NULL, request IERROR)
      call rounds(request, 'reduce_scatter')
      CALLS(MPI_Reduce_scatter_block_init)(out, in, 1, MPI_INTEGER, MPI_SUM, comm, MPI_INFO_NULL, request IERROR)
      call rounds(request, 'reduce_scatter_block')
      CALLS(MPI_Scan_init)(out, in, n, MPI_INTEGER, MPI_SUM, comm, MPI_INFO_NULL, request IERROR)
      call rounds(request, 'scan')
      CALLS(MPI_Exscan_init)(out, in, n, MPI_INTEGER, MPI_SUM, comm, MPI_INFO_NULL, request IERROR)
      call rounds(request, 'exscan')
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
      types(1) = MPI_INTEGER
      types(2) = MPI_INTEGER
      CALLS(MPI_Cart_create)(MPI_COMM_WORLD, 1, [size], [.true.], .false., ring IERROR)
      CALLS(MPI_Neighbor_allgather_init)(out, 1, MPI_INTEGER, in, 1, MPI_INTEGER, ring, MPI_INFO_NULL, request IERROR)
      call rounds(request, 'neighbor_allgather')
      CALLS(MPI_Neighbor_allgatherv_init)(out, 1, MPI_INTEGER, in, ones, at, MPI_INTEGER, ring, MPI_INFO_NULL, request IERROR)
      call rounds(request, 'neighbor_allgatherv')
      CALLS(MPI_Neighbor_alltoall_init)(out, 1, MPI_INTEGER, in, 1, MPI_INTEGER, ring, MPI_INFO_NULL, request IERROR)
      call rounds(request, 'neighbor_alltoall')
      CALLS(MPI_Neighbor_alltoallv_init)(out, ones, at, MPI_INTEGER, in, ones, at, MPI_INTEGER, ring, MPI_INFO_NULL, request IERROR)
      call rounds(request, 'neighbor_alltoallv')
      ! As in messages_fortran.F90.
#ifndef BINDING_F08
      CALLS(MPI_Neighbor_alltoallw_init)(out, ones, bytes, types, in, ones, bytes, types, ring, MPI_INFO_NULL, request IERROR)
      call rounds(request, 'neighbor_alltoallw')
#endif
      CALLS(MPI_Comm_free)(ring IERROR)
   end subroutine

   subroutine point_to_point
      HANDLE(MPI_Request) :: send, receive, requests(1)
      STATUS_DECLARED(status)
      logical :: flag
#ifdef BINDING_MPI
      integer :: arrived ! MPICH's module declares it so
#define ARRIVED arrived
#else
#define ARRIVED flag
#endif
      call fill(5)
      PRESET(status)
      CALLS(MPI_Isendrecv)(out, n, MPI_INTEGER, other, 7, in, n, MPI_INTEGER, other, 7, MPI_COMM_WORLD, receive IERROR)
      CALLS(MPI_Wait)(receive, status IERROR)
      call show_status('isendrecv', status)
      CALLS(MPI_Isendrecv_replace)(in, n, MPI_INTEGER, other, 8, other, 8, MPI_COMM_WORLD, receive IERROR)
      CALLS(MPI_Wait)(receive, status IERROR)
      call show_status('isendrecv_replace', status)
      CALLS(MPI_Psend_init)(out, 4, 2_MPI_COUNT_KIND, MPI_INTEGER, other, 1, MPI_COMM_WORLD, MPI_INFO_NULL, send IERROR)
      CALLS(MPI_Precv_init)(in, 4, 2_MPI_COUNT_KIND, MPI_INTEGER, other, 1, MPI_COMM_WORLD, MPI_INFO_NULL, receive IERROR)
      call fill(6)
      CALLS(MPI_Start)(send IERROR)
      requests(1) = receive
      CALLS(MPI_Startall)(1, requests IERROR)
      CALLS(MPI_Pready)(3, send IERROR)
      CALLS(MPI_Pready_list)(1, [0], send IERROR)
      CALLS(MPI_Pready_range)(1, 2, send IERROR)
      flag = .false.
      do while (.not. flag)
         CALLS(MPI_Parrived)(receive, 2, ARRIVED IERROR)
#ifdef BINDING_MPI
         flag = arrived /= 0
#endif
      end do
      CALLS(MPI_Wait)(send, MPI_STATUS_IGNORE IERROR)
      CALLS(MPI_Wait)(receive, status IERROR)
      call show_status('partitioned', status)
      CALLS(MPI_Request_free)(send IERROR)
      CALLS(MPI_Request_free)(receive IERROR)
   end subroutine

   subroutine on_session(session, error)
      HANDLE(MPI_Session) :: session
      integer :: error
      print '(a, i0)', 'session handles ', class_of(error)
   end subroutine

   subroutine sessions
      HANDLE(MPI_Session) :: session
      HANDLE(MPI_Errhandler) :: handler, got
      HANDLE(MPI_Group) :: group, half, theirs
      HANDLE(MPI_Comm) :: comm, inter, copy
      HANDLE(MPI_Info) :: info
      HANDLE(MPI_Request) :: request
      integer :: number, length
      logical :: flag
      character(len=60) :: name
      CALLS(MPI_Session_init)(MPI_INFO_NULL, MPI_ERRORS_RETURN, session IERROR)
      CALLS(MPI_Session_create_errhandler)(on_session, handler IERROR)
      CALLS(MPI_Session_set_errhandler)(session, handler IERROR)
      CALLS(MPI_Session_get_errhandler)(session, got IERROR)
      CALLS(MPI_Session_call_errhandler)(session, MPI_ERR_OTHER IERROR)
      CALLS(MPI_Session_get_num_psets)(session, MPI_INFO_NULL, number IERROR)
      length = 60
      name = ' '
      CALLS(MPI_Session_get_nth_pset)(session, MPI_INFO_NULL, 0, length, name IERROR)
      print '(i0, 2a)', number, ' ', trim(name)
      CALLS(MPI_Session_get_pset_info)(session, name, info IERROR)
      CALLS(MPI_Info_free)(info IERROR)
      CALLS(MPI_Session_get_info)(session, info IERROR)
      CALLS(MPI_Info_free)(info IERROR)
      CALLS(MPI_Group_from_session_pset)(session, 'mpi://WORLD ', group IERROR)
      CALLS(MPI_Comm_create_from_group)(group, 'here ', MPI_INFO_NULL, MPI_ERRORS_RETURN, comm IERROR)
      call fill(7)
      CALLS(MPI_Allreduce)(out, in, n, MPI_INTEGER, MPI_SUM, comm IERROR)
      call show('in a session')
      CALLS(MPI_Group_incl)(group, 1, [rank], half IERROR)
      CALLS(MPI_Group_incl)(group, 1, [other], theirs IERROR)
      CALLS(MPI_Intercomm_create_from_groups)(half, 0, theirs, 0, 'between', MPI_INFO_NULL, MPI_ERRORS_RETURN, inter IERROR)
      CALLS(MPI_Comm_idup_with_info)(comm, MPI_INFO_NULL, copy, request IERROR)
      CALLS(MPI_Wait)(request, MPI_STATUS_IGNORE IERROR)
      CALLS(MPI_Comm_free)(copy IERROR)
      CALLS(MPI_Comm_free)(comm IERROR)
      CALLS(MPI_Group_free)(group IERROR)
      CALLS(MPI_Session_finalize)(session IERROR)
      CALLS(MPI_Info_create)(info IERROR)
      CALLS(MPI_Info_set)(info, 'taste', 'sour' IERROR)
      length = 20
      CALLS(MPI_Info_get_string)(info, 'taste ', length, name, flag IERROR)
      print '(i0, l2, 1x, a)', length, flag, name(1:4)
      CALLS(MPI_Info_free)(info IERROR)
   end subroutine
end module

program version4_fortran
   use version4
   implicit none
   call begin
   call collectives(MPI_COMM_WORLD)
   call neighbours
   call point_to_point
   call sessions
   call finished
end program
