! SPDX-License-Identifier: BSD-3-Clause
! In Fortran: communicators, groups, topologies, datatypes, packing, attributes, error handlers, info, and what surrounds them;
! logical and character arguments. Two ranks.
#include "calls_fortran.inc"
#include "communicators_fortran.inc"
#include "datatypes_fortran.inc"
#include "attributes_fortran.inc"
#include "errors_fortran.inc"
#ifndef BINDING_F08
#include "deprecated_fortran.inc"
#endif

module other_calls
   use state
   implicit none
contains
#ifdef BINDING_F08
   subroutine weighted(a, b, length, type_)
      type(c_ptr), value :: a, b
      integer :: length, i
      HANDLE(MPI_Datatype) :: type_
      integer, pointer :: x(:), y(:)
      call c_f_pointer(a, x, [length])
      call c_f_pointer(b, y, [length])
#else
   subroutine weighted(x, y, length, type_)
      integer :: length, i, x(length), y(length)
      HANDLE(MPI_Datatype) :: type_
#endif
      do i = 1, length
         y(i) = y(i) + 2*x(i)
      end do
   end subroutine
   subroutine query_grequest(extra, status, ierr)
      integer(MPI_ADDRESS_KIND) :: extra
      STATUS_DECLARED(status)
      integer :: ierr
      print '(a, i0)', 'queried ', extra
      CALLS(MPI_Status_set_elements)(status, MPI_INTEGER, int(extra) IERROR)
      CALLS(MPI_Status_set_cancelled)(status, .false. IERROR)
      ierr = MPI_SUCCESS
   end subroutine
   subroutine free_grequest(extra, ierr)
      integer(MPI_ADDRESS_KIND) :: extra
      integer :: ierr
      print '(a, i0)', 'freed ', extra
      ierr = MPI_SUCCESS
   end subroutine
   subroutine cancel_grequest(extra, complete, ierr)
      integer(MPI_ADDRESS_KIND) :: extra
      logical :: complete
      integer :: ierr
      print '(a, i0, l2)', 'cancelled ', extra, complete
      ierr = MPI_SUCCESS
   end subroutine

   subroutine infos
      HANDLE(MPI_Info) :: info, copy
      integer :: number, length
      logical :: flag
      character(len=MPI_MAX_INFO_KEY) :: key
      character(len=30) :: value
      CALLS(MPI_Info_create)(info IERROR)
      CALLS(MPI_Info_set)(info, ' colour ', ' blue' IERROR)
      CALLS(MPI_Info_set)(info, 'taste', 'sour' IERROR)
      CALLS(MPI_Info_get_nkeys)(info, number IERROR)
      CALLS(MPI_Info_get_nthkey)(info, 0, key IERROR)
      CALLS(MPI_Info_get_valuelen)(info, 'colour', length, flag IERROR)
      value = repeat('x', 30)
      CALLS(MPI_Info_get)(info, 'colour', 30, value, flag IERROR)
      print '(i0, 1x, 2a, i0, l2, 3a)', number, trim(key), ' ', length, flag, ' "', value, '"'
      CALLS(MPI_Info_get)(info, 'weight', 30, value, flag IERROR)
      print '(a, l2)', 'weight', flag
      CALLS(MPI_Info_dup)(info, copy IERROR)
      CALLS(MPI_Info_delete)(copy, 'taste  ' IERROR)
      CALLS(MPI_Info_get_nkeys)(copy, number IERROR)
      print '(a, i0)', 'keys ', number
      CALLS(MPI_Info_free)(copy IERROR)
      CALLS(MPI_Info_free)(info IERROR)
   end subroutine

   subroutine other_things
      HANDLE(MPI_Op) :: op
      HANDLE(MPI_Request) :: request
      STATUS_DECLARED(status)
      integer :: number, version, provided
      integer(MPI_COUNT_KIND) :: large
      logical :: flag
      double precision :: start
      character(len=MPI_MAX_PROCESSOR_NAME) :: name
      character(len=MPI_MAX_LIBRARY_VERSION_STRING) :: text
      call fill(6)
      CALLS(MPI_Op_create)(weighted, .true., op IERROR)
      CALLS(MPI_Op_commutative)(op, flag IERROR)
      CALLS(MPI_Allreduce)(out, in, n, MPI_INTEGER, op, MPI_COMM_WORLD IERROR)
      CALLS(MPI_Reduce_local)(out, in(n + 1), n, MPI_INTEGER, MPI_MAX IERROR)
      call show('own operation')
      CALLS(MPI_Op_free)(op IERROR)
      print '(a, 2l2)', 'commutes', flag, op == MPI_OP_NULL
      CALLS(MPI_Grequest_start)(query_grequest, free_grequest, cancel_grequest, 7_MPI_ADDRESS_KIND, request IERROR)
      CALLS(MPI_Cancel)(request IERROR)
      CALLS(MPI_Grequest_complete)(request IERROR)
      CALLS(MPI_Wait)(request, status IERROR)
      CALLS(MPI_Get_elements)(status, MPI_INTEGER, number IERROR)
      print '(a, i0)', 'elements ', number
      CALLS(MPI_Get_count)(status, MPI_INTEGER, number IERROR)
      print '(a, i0)', 'count ', number
      CALLS(MPI_Status_set_elements)(status, MPI_INTEGER, 11 IERROR)
      CALLS(MPI_Status_set_elements_x)(status, MPI_INTEGER, 12_MPI_COUNT_KIND IERROR)
      CALLS(MPI_Status_set_cancelled)(status, .true. IERROR)
      CALLS(MPI_Get_elements_x)(status, MPI_INTEGER, large IERROR)
      CALLS(MPI_Test_cancelled)(status, flag IERROR)
      print '(a, i0, l2)', 'by hand ', large, flag
      CALLS(MPI_Initialized)(flag IERROR)
      print '(a, l2)', 'initialized', flag
      CALLS(MPI_Finalized)(flag IERROR)
      print '(a, l2)', 'finalized', flag
      CALLS(MPI_Query_thread)(provided IERROR)
      CALLS(MPI_Is_thread_main)(flag IERROR)
      print '(a, i0, l2)', 'thread ', provided, flag
      CALLS(MPI_Get_version)(version, number IERROR)
      print '(a, 2(1x, i0))', 'version', version, number
      CALLS(MPI_Get_library_version)(text, number IERROR)
      print '(a, i0)', trim(text(1:number)), number
      CALLS(MPI_Get_processor_name)(name, number IERROR)
      print '(3a, i0)', '"', trim(name), '" ', number
      call counted('MPI_Wtime')
      start = MPI_Wtime()
      call counted('MPI_Wtime')
      print '(a, l2)', 'clock', MPI_Wtime() >= start
      call counted('MPI_Wtick')
      print '(a, l2)', 'tick', MPI_Wtick() > 0
      CALLS(MPI_Pcontrol)(1)
   end subroutine
end module

program objects_fortran
   use communicator_calls
   use datatype_calls
   use attribute_calls
   use error_calls
#ifndef BINDING_F08
   use deprecated_calls
#endif
   use other_calls
   implicit none
   logical :: flag
   CALLS(MPI_Initialized)(flag IERROR)
   print '(a, l2)', 'before: ', flag
   call begin
   call communicators
   call groups
   call topologies
   call datatypes
   call packing
   call attributes
   call error_handlers
   call infos
   call other_things
#ifndef BINDING_F08
   call deprecated
#endif
   call finished
end program
