! SPDX-License-Identifier: BSD-3-Clause
! In Fortran: communicators, groups, topologies, datatypes, packing, attributes, error handlers, info, and what surrounds them;
! logical and character arguments. Two ranks.
#include "calls_fortran.inc"

module callbacks
   use state
   implicit none
contains
   subroutine copy_comm(comm, key, extra, value, copied, flag, ierr)
      HANDLE(MPI_Comm) :: comm
      integer :: key, ierr
      integer(MPI_ADDRESS_KIND) :: extra, value, copied
      logical :: flag
      print '(a, 2(1x, i0))', 'copy', extra, value
      copied = value + 1
      flag = .true.
      ierr = MPI_SUCCESS
   end subroutine
   subroutine delete_comm(comm, key, value, extra, ierr)
      HANDLE(MPI_Comm) :: comm
      integer :: key, ierr
      integer(MPI_ADDRESS_KIND) :: extra, value
      print '(a, 2(1x, i0))', 'delete', extra, value
      ierr = MPI_SUCCESS
   end subroutine
   subroutine copy_type(type_, key, extra, value, copied, flag, ierr)
      HANDLE(MPI_Datatype) :: type_
      integer :: key, ierr
      integer(MPI_ADDRESS_KIND) :: extra, value, copied
      logical :: flag
      print '(a, 2(1x, i0))', 'copy type', extra, value
      copied = value + 1
      flag = .true.
      ierr = MPI_SUCCESS
   end subroutine
   subroutine delete_type(type_, key, value, extra, ierr)
      HANDLE(MPI_Datatype) :: type_
      integer :: key, ierr
      integer(MPI_ADDRESS_KIND) :: extra, value
      print '(a, 2(1x, i0))', 'delete type', extra, value
      ierr = MPI_SUCCESS
   end subroutine
   subroutine copy_win(win, key, extra, value, copied, flag, ierr)
      HANDLE(MPI_Win) :: win
      integer :: key, ierr
      integer(MPI_ADDRESS_KIND) :: extra, value, copied
      logical :: flag
      copied = value
      flag = .true.
      ierr = MPI_SUCCESS
   end subroutine
   subroutine delete_win(win, key, value, extra, ierr)
      HANDLE(MPI_Win) :: win
      integer :: key, ierr
      integer(MPI_ADDRESS_KIND) :: extra, value
      print '(a, 2(1x, i0))', 'delete win', extra, value
      ierr = MPI_SUCCESS
   end subroutine
   subroutine on_comm(comm, error)
      HANDLE(MPI_Comm) :: comm
      integer :: error
      print '(a, i0, l2)', 'handles ', class_of(error), comm == MPI_COMM_WORLD
   end subroutine
   subroutine on_win(win, error)
      HANDLE(MPI_Win) :: win
      integer :: error
      print '(a, i0)', 'win handles ', class_of(error)
   end subroutine
   subroutine on_file(file, error)
      HANDLE(MPI_File) :: file
      integer :: error
      print '(a, i0)', 'file handles ', class_of(error)
   end subroutine
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
end module

module objects
   use callbacks
   implicit none
contains
   subroutine show_comm(what, comm)
      character(len=*), intent(in) :: what
      HANDLE(MPI_Comm) :: comm
      integer :: r, s, compared, length
      logical :: inter
      character(len=MPI_MAX_OBJECT_NAME) :: name
      name = repeat('x', len(name))
      CALLS(MPI_Comm_rank)(comm, r IERROR)
      CALLS(MPI_Comm_size)(comm, s IERROR)
      CALLS(MPI_Comm_test_inter)(comm, inter IERROR)
      compared = -1
      if (.not. inter) then
         CALLS(MPI_Comm_compare)(MPI_COMM_WORLD, comm, compared IERROR)
      end if
      CALLS(MPI_Comm_get_name)(comm, name, length IERROR)
      print '(a, 2(1x, i0), l2, 1x, i0, 3a, i0)', what, r, s, inter, compared, ' "', trim(name), '" ', length
   end subroutine

   subroutine communicators
      HANDLE(MPI_Comm) :: comm, another, inter, merged
      HANDLE(MPI_Request) :: request
      HANDLE(MPI_Group) :: world, group
      HANDLE(MPI_Info) :: info
      integer :: number
      call show_comm('world', MPI_COMM_WORLD)
      CALLS(MPI_Comm_dup)(MPI_COMM_WORLD, comm IERROR)
      CALLS(MPI_Comm_set_name)(comm, 'of mine  ' IERROR)
      call show_comm('dup', comm)
      CALLS(MPI_Comm_idup)(comm, another, request IERROR)
      CALLS(MPI_Wait)(request, MPI_STATUS_IGNORE IERROR)
      call show_comm('idup', another)
      CALLS(MPI_Comm_free)(another IERROR)
      CALLS(MPI_Info_create)(info IERROR)
      CALLS(MPI_Comm_dup_with_info)(comm, info, another IERROR)
      CALLS(MPI_Comm_set_info)(another, info IERROR)
      CALLS(MPI_Info_free)(info IERROR)
      CALLS(MPI_Comm_get_info)(another, info IERROR)
      CALLS(MPI_Info_free)(info IERROR)
      CALLS(MPI_Comm_disconnect)(another IERROR)
      print '(a, l2)', 'null', another == MPI_COMM_NULL
      CALLS(MPI_Comm_group)(MPI_COMM_WORLD, world IERROR)
      CALLS(MPI_Group_incl)(world, 1, [rank], group IERROR)
      CALLS(MPI_Comm_create)(comm, group, another IERROR)
      call show_comm('create', another)
      CALLS(MPI_Comm_free)(another IERROR)
      CALLS(MPI_Comm_create_group)(comm, group, 3, another IERROR)
      call show_comm('create_group', another)
      CALLS(MPI_Comm_free)(another IERROR)
      CALLS(MPI_Comm_split_type)(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, another IERROR)
      call show_comm('split_type', another)
      CALLS(MPI_Comm_free)(another IERROR)
      CALLS(MPI_Comm_split)(comm, rank, 0, another IERROR)
      CALLS(MPI_Intercomm_create)(another, 0, MPI_COMM_WORLD, other, 11, inter IERROR)
      call show_comm('intercomm', inter)
      CALLS(MPI_Comm_remote_size)(inter, number IERROR)
      print '(a, i0)', 'remote size ', number
      CALLS(MPI_Group_free)(group IERROR)
      CALLS(MPI_Comm_remote_group)(inter, group IERROR)
      CALLS(MPI_Group_free)(group IERROR)
      CALLS(MPI_Intercomm_merge)(inter, rank == 1, merged IERROR)
      call show_comm('merged', merged)
      CALLS(MPI_Comm_free)(merged IERROR)
      CALLS(MPI_Comm_free)(inter IERROR)
      CALLS(MPI_Comm_free)(another IERROR)
      CALLS(MPI_Comm_free)(comm IERROR)
      CALLS(MPI_Group_free)(world IERROR)
   end subroutine

   subroutine show_group(what, group)
      character(len=*), intent(in) :: what
      HANDLE(MPI_Group) :: group
      integer :: r, s
      CALLS(MPI_Group_rank)(group, r IERROR)
      CALLS(MPI_Group_size)(group, s IERROR)
      print '(a, 2(1x, i0))', what, merge(-99, r, r == MPI_UNDEFINED), s
   end subroutine

   subroutine groups
      HANDLE(MPI_Group) :: world, a, b, c
      integer :: compared, translated(2), ranges(3, 1)
      ranges(:, 1) = [0, 0, 1]
      CALLS(MPI_Comm_group)(MPI_COMM_WORLD, world IERROR)
      CALLS(MPI_Group_incl)(world, 1, [1], a IERROR)
      call show_group('incl', a)
      CALLS(MPI_Group_excl)(world, 1, [1], b IERROR)
      call show_group('excl', b)
      CALLS(MPI_Group_union)(a, b, c IERROR)
      call show_group('union', c)
      CALLS(MPI_Group_compare)(world, c, compared IERROR)
      CALLS(MPI_Group_translate_ranks)(c, 2, [0, 1], world, translated IERROR)
      print '(a, 3(1x, i0))', 'compared, translated', compared, translated
      CALLS(MPI_Group_free)(c IERROR)
      CALLS(MPI_Group_intersection)(world, a, c IERROR)
      call show_group('intersection', c)
      CALLS(MPI_Group_free)(c IERROR)
      CALLS(MPI_Group_difference)(world, a, c IERROR)
      call show_group('difference', c)
      CALLS(MPI_Group_free)(c IERROR)
      CALLS(MPI_Group_range_incl)(world, 1, ranges, c IERROR)
      call show_group('range_incl', c)
      CALLS(MPI_Group_free)(c IERROR)
      CALLS(MPI_Group_range_excl)(world, 1, ranges, c IERROR)
      call show_group('range_excl', c)
      CALLS(MPI_Group_free)(c IERROR)
      CALLS(MPI_Group_free)(b IERROR)
      CALLS(MPI_Group_free)(a IERROR)
      CALLS(MPI_Group_free)(world IERROR)
   end subroutine

   subroutine topologies
      HANDLE(MPI_Comm) :: grid, row, graph
      integer :: dims(2), coords(2), number, another, list(2), weights(2), more(2), theirs(2), index(2), edges(2)
      logical :: periods(2), weighted_
      dims = 0
      CALLS(MPI_Dims_create)(size, 2, dims IERROR)
      CALLS(MPI_Cart_create)(MPI_COMM_WORLD, 2, dims, [.true., .false.], .false., grid IERROR)
      CALLS(MPI_Topo_test)(grid, number IERROR)
      CALLS(MPI_Cartdim_get)(grid, another IERROR)
      print '(a, l2, 1x, i0)', 'cartesian', number == MPI_CART, another
      CALLS(MPI_Cart_get)(grid, 2, dims, periods, coords IERROR)
      print '(a, 2(1x, i0), 2l2, 2(1x, i0))', 'get', dims, periods, coords
      CALLS(MPI_Cart_coords)(grid, rank, 2, coords IERROR)
      CALLS(MPI_Cart_rank)(grid, coords, number IERROR)
      print '(a, 3(1x, i0))', 'coords', coords, number
      CALLS(MPI_Cart_shift)(grid, 0, 1, number, another IERROR)
      print '(a, 2(1x, i0))', 'shift', number, another
      CALLS(MPI_Cart_sub)(grid, [.true., .false.], row IERROR)
      call show_comm('sub', row)
      CALLS(MPI_Cart_map)(MPI_COMM_WORLD, 2, dims, periods, number IERROR)
      print '(a, i0)', 'map ', number
      CALLS(MPI_Comm_free)(row IERROR)
      CALLS(MPI_Comm_free)(grid IERROR)

      CALLS(MPI_Graph_create)(MPI_COMM_WORLD, 2, [1, 2], [1, 0], .false., graph IERROR)
      CALLS(MPI_Graphdims_get)(graph, number, another IERROR)
      CALLS(MPI_Graph_get)(graph, 2, 2, index, edges IERROR)
      print '(a, 6(1x, i0))', 'graph', number, another, index, edges
      CALLS(MPI_Graph_neighbors_count)(graph, rank, number IERROR)
      CALLS(MPI_Graph_neighbors)(graph, rank, 1, list IERROR)
      print '(a, 2(1x, i0))', 'neighbors', number, list(1)
      CALLS(MPI_Graph_map)(MPI_COMM_WORLD, 2, index, edges, number IERROR)
      CALLS(MPI_Comm_free)(graph IERROR)
      CALLS(MPI_Dist_graph_create)(MPI_COMM_WORLD, 1, [rank], [1], [other], [7], MPI_INFO_NULL, .false., graph IERROR)
      CALLS(MPI_Dist_graph_neighbors_count)(graph, number, another, weighted_ IERROR)
      CALLS(MPI_Dist_graph_neighbors)(graph, 1, list, weights, 1, more, theirs IERROR)
      print '(a, 2(1x, i0), l2, 4(1x, i0))', 'dist graph', number, another, weighted_, list(1), weights(1), more(1), theirs(1)
      CALLS(MPI_Comm_free)(graph IERROR)
      CALLS(MPI_Dist_graph_create_adjacent)(MPI_COMM_WORLD, 1, [other], MPI_UNWEIGHTED, 1, [other], MPI_UNWEIGHTED, MPI_INFO_NULL, .false., graph IERROR)
      CALLS(MPI_Dist_graph_neighbors_count)(graph, number, another, weighted_ IERROR)
      print '(a, 2(1x, i0), l2)', 'unweighted', number, another, weighted_
      CALLS(MPI_Comm_free)(graph IERROR)
      CALLS(MPI_Dist_graph_create_adjacent)(MPI_COMM_WORLD, 0, list, MPI_WEIGHTS_EMPTY, 0, more, MPI_WEIGHTS_EMPTY, MPI_INFO_NULL, .false., graph IERROR)
      CALLS(MPI_Dist_graph_neighbors_count)(graph, number, another, weighted_ IERROR)
      print '(a, 2(1x, i0))', 'without neighbours', number, another
      CALLS(MPI_Comm_free)(graph IERROR)
   end subroutine

   subroutine used_type(what, type_)
      character(len=*), intent(in) :: what
      HANDLE(MPI_Datatype) :: type_
      STATUS_DECLARED(status)
      integer :: bytes, integers, addresses, types, combiner, length
      integer(MPI_ADDRESS_KIND) :: lower, extent
      integer(MPI_COUNT_KIND) :: large, lower_x, extent_x
      character(len=MPI_MAX_OBJECT_NAME) :: name
      CALLS(MPI_Type_commit)(type_ IERROR)
      CALLS(MPI_Type_size)(type_, bytes IERROR)
      CALLS(MPI_Type_size_x)(type_, large IERROR)
      CALLS(MPI_Type_get_extent)(type_, lower, extent IERROR)
      print '(a, 4(1x, i0))', what, bytes, large, lower, extent
      CALLS(MPI_Type_get_extent_x)(type_, lower_x, extent_x IERROR)
      print '(a, 2(1x, i0))', 'x', lower_x, extent_x
      CALLS(MPI_Type_get_true_extent)(type_, lower, extent IERROR)
      CALLS(MPI_Type_get_true_extent_x)(type_, lower_x, extent_x IERROR)
      CALLS(MPI_Type_get_envelope)(type_, integers, addresses, types, combiner IERROR)
      CALLS(MPI_Type_set_name)(type_, what IERROR)
      CALLS(MPI_Type_get_name)(type_, name, length IERROR)
      print '(a, 8(1x, i0), 1x, a)', 'true', lower, extent, lower_x, extent_x, integers, addresses, types, length, trim(name)
      call fill(1)
      PRESET(status)
      CALLS(MPI_Sendrecv)(out, 1, type_, other, 1, in, 1, type_, other, 1, MPI_COMM_WORLD, status IERROR)
      call show_status(what, status)
      CALLS(MPI_Type_free)(type_ IERROR)
      print '(a, l2)', 'null', type_ == MPI_DATATYPE_NULL
   end subroutine

   subroutine datatypes
      HANDLE(MPI_Datatype) :: type_, another, types(2), contents(1)
      integer(MPI_ADDRESS_KIND) :: at(2), nowhere(1)
      integer :: integers(1), number
      at = [0_MPI_ADDRESS_KIND, 16_MPI_ADDRESS_KIND]
      types(1) = MPI_INTEGER
      types(2) = MPI_REAL
      CALLS(MPI_Type_contiguous)(3, MPI_INTEGER, type_ IERROR)
      call used_type('contiguous', type_)
      CALLS(MPI_Type_vector)(2, 2, 3, MPI_INTEGER, type_ IERROR)
      call used_type('vector', type_)
      CALLS(MPI_Type_create_hvector)(2, 2, 12_MPI_ADDRESS_KIND, MPI_INTEGER, type_ IERROR)
      call used_type('hvector', type_)
      CALLS(MPI_Type_indexed)(2, [2, 1], [0, 4], MPI_INTEGER, type_ IERROR)
      call used_type('indexed', type_)
      CALLS(MPI_Type_create_hindexed)(2, [2, 1], at, MPI_INTEGER, type_ IERROR)
      call used_type('hindexed', type_)
      CALLS(MPI_Type_create_indexed_block)(2, 2, [0, 4], MPI_INTEGER, type_ IERROR)
      call used_type('indexed_block', type_)
      CALLS(MPI_Type_create_hindexed_block)(2, 2, at, MPI_INTEGER, type_ IERROR)
      call used_type('hindexed_block', type_)
      CALLS(MPI_Type_create_struct)(2, [2, 1], at, types, type_ IERROR)
      call used_type('struct', type_)
      CALLS(MPI_Type_create_subarray)(2, [4, 4], [2, 2], [1, 1], MPI_ORDER_FORTRAN, MPI_INTEGER, type_ IERROR)
      call used_type('subarray', type_)
      CALLS(MPI_Type_create_darray)(1, 0, 2, [4, 4], [MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_NONE], [MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG], [1, 1], MPI_ORDER_FORTRAN, MPI_INTEGER, type_ IERROR)
      call used_type('darray', type_)
      CALLS(MPI_Type_contiguous)(2, MPI_INTEGER, another IERROR)
      CALLS(MPI_Type_create_resized)(another, 0_MPI_ADDRESS_KIND, 24_MPI_ADDRESS_KIND, type_ IERROR)
      call used_type('resized', type_)
      CALLS(MPI_Type_dup)(another, type_ IERROR)
      call used_type('dup', type_)
      CALLS(MPI_Type_get_contents)(another, 1, 0, 1, integers, nowhere, contents IERROR)
      print '(a, i0, l2)', 'contents ', integers(1), contents(1) == MPI_INTEGER
      CALLS(MPI_Type_free)(another IERROR)
      CALLS(MPI_Type_match_size)(MPI_TYPECLASS_INTEGER, 4, type_ IERROR)
      CALLS(MPI_Type_create_f90_integer)(6, type_ IERROR)
      CALLS(MPI_Type_size)(type_, number IERROR)
      print '(a, i0)', 'f90 integer ', number
      CALLS(MPI_Type_create_f90_real)(6, 20, type_ IERROR)
      CALLS(MPI_Type_create_f90_complex)(6, 20, type_ IERROR)
      CALLS(MPI_Type_size)(type_, number IERROR)
      print '(a, i0)', 'f90 complex ', number
   end subroutine

   subroutine packing
      integer :: position, bytes, packed(100)
      integer(MPI_ADDRESS_KIND) :: large, where1, where2
      HANDLE(MPI_Datatype) :: sent, received
      STATUS_DECLARED(status)
      call fill(2)
      CALLS(MPI_Pack_size)(n, MPI_INTEGER, MPI_COMM_WORLD, bytes IERROR)
      position = 0
      CALLS(MPI_Pack)(out, n, MPI_INTEGER, packed, 400, position, MPI_COMM_WORLD IERROR)
      print '(a, 2(1x, i0))', 'pack', bytes, position
      position = 0
      CALLS(MPI_Unpack)(packed, 400, position, in, n, MPI_INTEGER, MPI_COMM_WORLD IERROR)
      CALLS(MPI_Pack_external_size)('external32', n, MPI_INTEGER, large IERROR)
      print '(a, i0)', 'external ', large
      large = 0
      CALLS(MPI_Pack_external)('external32', out, n, MPI_INTEGER, packed, 400_MPI_ADDRESS_KIND, large IERROR)
      large = 0
      CALLS(MPI_Unpack_external)('external32', packed, 400_MPI_ADDRESS_KIND, large, in(n + 1), n, MPI_INTEGER IERROR)
      print '(a, 2(1x, i0))', 'unpacked', position, large
      call show('packing')
      ! The buffer is in the type, and its address is MPI_BOTTOM.
      call fill(3)
      PRESET(status)
      CALLS(MPI_Get_address)(out(2), where1 IERROR)
      CALLS(MPI_Get_address)(in(3), where2 IERROR)
      CALLS(MPI_Type_create_hindexed)(1, [4], [where1], MPI_INTEGER, sent IERROR)
      CALLS(MPI_Type_create_hindexed)(1, [4], [where2], MPI_INTEGER, received IERROR)
      CALLS(MPI_Type_commit)(sent IERROR)
      CALLS(MPI_Type_commit)(received IERROR)
      CALLS(MPI_Sendrecv)(MPI_BOTTOM, 1, sent, other, 1, MPI_BOTTOM, 1, received, other, 1, MPI_COMM_WORLD, status IERROR)
#ifndef WITH_MPICH
      CALLS(MPI_F_sync_reg)(in)
#endif
      call show_status('bottom', status)
      CALLS(MPI_Type_free)(sent IERROR)
      CALLS(MPI_Type_free)(received IERROR)
   end subroutine

   subroutine attributes
      integer :: key, number
      integer(MPI_ADDRESS_KIND) :: extra, value
      logical :: flag
      HANDLE(MPI_Comm) :: comm, copy
      HANDLE(MPI_Datatype) :: type_, another
      HANDLE(MPI_Win) :: win
      extra = 17
      CALLS(MPI_Comm_create_keyval)(copy_comm, delete_comm, key, extra IERROR)
      CALLS(MPI_Comm_dup)(MPI_COMM_SELF, comm IERROR)
      CALLS(MPI_Comm_get_attr)(comm, key, value, flag IERROR)
      print '(a, l2)', 'not yet', flag
      CALLS(MPI_Comm_set_attr)(comm, key, 40_MPI_ADDRESS_KIND IERROR)
      CALLS(MPI_Comm_dup)(comm, copy IERROR)
      CALLS(MPI_Comm_get_attr)(copy, key, value, flag IERROR)
      print '(a, l2, 1x, i0)', 'copied', flag, value
      CALLS(MPI_Comm_delete_attr)(copy, key IERROR)
      CALLS(MPI_Comm_free)(copy IERROR)
      CALLS(MPI_Comm_free)(comm IERROR)
      CALLS(MPI_Comm_free_keyval)(key IERROR)
      CALLS(MPI_Type_create_keyval)(copy_type, delete_type, key, extra IERROR)
      CALLS(MPI_Type_contiguous)(2, MPI_INTEGER, type_ IERROR)
      CALLS(MPI_Type_set_attr)(type_, key, 50_MPI_ADDRESS_KIND IERROR)
      CALLS(MPI_Type_dup)(type_, another IERROR)
      CALLS(MPI_Type_get_attr)(another, key, value, flag IERROR)
      print '(a, l2, 1x, i0)', 'copied', flag, value
      CALLS(MPI_Type_delete_attr)(another, key IERROR)
      CALLS(MPI_Type_free)(another IERROR)
      CALLS(MPI_Type_free)(type_ IERROR)
      CALLS(MPI_Type_free_keyval)(key IERROR)
      CALLS(MPI_Win_create_keyval)(copy_win, delete_win, key, extra IERROR)
      CALLS(MPI_Win_create)(in, 80_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win IERROR)
      CALLS(MPI_Win_set_attr)(win, key, 60_MPI_ADDRESS_KIND IERROR)
      CALLS(MPI_Win_get_attr)(win, key, value, flag IERROR)
      print '(a, l2, 1x, i0)', 'set', flag, value
      CALLS(MPI_Win_delete_attr)(win, key IERROR)
      CALLS(MPI_Win_free)(win IERROR)
      CALLS(MPI_Win_free_keyval)(key IERROR)
      CALLS(MPI_Comm_get_attr)(MPI_COMM_WORLD, MPI_TAG_UB, value, flag IERROR)
      print '(a, 2l2)', 'tags', flag, value >= 32767
      number = 0
   end subroutine

   subroutine error_handlers
      HANDLE(MPI_Errhandler) :: handler, got
      HANDLE(MPI_Win) :: win
      HANDLE(MPI_File) :: file
      integer :: class, code, length, its_class
      character(len=MPI_MAX_ERROR_STRING) :: text
      CALLS(MPI_Comm_create_errhandler)(on_comm, handler IERROR)
      CALLS(MPI_Comm_set_errhandler)(MPI_COMM_WORLD, handler IERROR)
      CALLS(MPI_Comm_get_errhandler)(MPI_COMM_WORLD, got IERROR)
      print '(a, l2)', 'same', got == handler
      CALLS(MPI_Errhandler_free)(got IERROR)
      CALLS(MPI_Send)(out, -1, MPI_INTEGER, other, 1, MPI_COMM_WORLD IERROR)
      CALLS(MPI_Bcast)(out, 1, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD IERROR)
      CALLS(MPI_Comm_call_errhandler)(MPI_COMM_WORLD, MPI_ERR_OTHER IERROR)
      CALLS(MPI_Comm_set_errhandler)(MPI_COMM_WORLD, MPI_ERRORS_RETURN IERROR)
      CALLS(MPI_Errhandler_free)(handler IERROR)
      CALLS(MPI_Win_create_errhandler)(on_win, handler IERROR)
      CALLS(MPI_Win_create)(in, 80_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win IERROR)
      CALLS(MPI_Win_set_errhandler)(win, handler IERROR)
      CALLS(MPI_Win_get_errhandler)(win, got IERROR)
      CALLS(MPI_Errhandler_free)(got IERROR)
      CALLS(MPI_Win_call_errhandler)(win, MPI_ERR_OTHER IERROR)
      CALLS(MPI_Win_free)(win IERROR)
      CALLS(MPI_Errhandler_free)(handler IERROR)
      CALLS(MPI_File_create_errhandler)(on_file, handler IERROR)
      CALLS(MPI_File_open)(MPI_COMM_SELF, 'handled.'//achar(48 + rank)//'  ', MPI_MODE_CREATE + MPI_MODE_RDWR + MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, file IERROR)
      CALLS(MPI_File_set_errhandler)(file, handler IERROR)
      CALLS(MPI_File_get_errhandler)(file, got IERROR)
      CALLS(MPI_Errhandler_free)(got IERROR)
      CALLS(MPI_File_call_errhandler)(file, MPI_ERR_OTHER IERROR)
      CALLS(MPI_File_close)(file IERROR)
      CALLS(MPI_Errhandler_free)(handler IERROR)
      CALLS(MPI_Add_error_class)(class IERROR)
      CALLS(MPI_Add_error_code)(class, code IERROR)
      CALLS(MPI_Add_error_string)(code, 'an error of mine   ' IERROR)
      CALLS(MPI_Error_class)(code, its_class IERROR)
      CALLS(MPI_Error_string)(code, text, length IERROR)
      print '(a, l2, 1x, i0, 1x, a)', 'class', its_class == class, length, trim(text)
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

#ifndef BINDING_F08
   ! What MPI 2 deprecated; mpi_f08 does not have it, and the modules do not declare all of it.
   subroutine copy_old(comm, key, extra, value, copied, flag, ierr)
      integer :: comm, key, extra, value, copied, ierr
      logical :: flag
      print '(a, 2(1x, i0))', 'old copy', extra, value
      copied = value + 1
      flag = .true.
      ierr = MPI_SUCCESS
   end subroutine
   subroutine delete_old(comm, key, value, extra, ierr)
      integer :: comm, key, value, extra, ierr
      print '(a, 2(1x, i0))', 'old delete', extra, value
      ierr = MPI_SUCCESS
   end subroutine
   subroutine deprecated
      integer :: key, comm, copy, value, handler, got, type_, number
      logical :: flag
#ifdef BINDING_MPIFH
      integer :: address
#endif
      CALLS(MPI_Keyval_create)(copy_old, delete_old, key, 5, ierror)
      CALLS(MPI_Comm_dup)(MPI_COMM_SELF, comm, ierror)
      CALLS(MPI_Attr_put)(comm, key, 70, ierror)
      CALLS(MPI_Comm_dup)(comm, copy, ierror)
      CALLS(MPI_Attr_get)(copy, key, value, flag, ierror)
      print '(a, l2, 1x, i0)', 'attribute', flag, value
      CALLS(MPI_Attr_delete)(copy, key, ierror)
      CALLS(MPI_Comm_free)(copy, ierror)
      CALLS(MPI_Comm_free)(comm, ierror)
      CALLS(MPI_Keyval_free)(key, ierror)
#ifdef BINDING_MPIFH
      CALLS(MPI_Errhandler_create)(on_comm, handler, ierror)
      CALLS(MPI_Errhandler_set)(MPI_COMM_WORLD, handler, ierror)
      CALLS(MPI_Errhandler_get)(MPI_COMM_WORLD, got, ierror)
      print '(a, l2)', 'same', got == handler
      CALLS(MPI_Send)(out, -1, MPI_INTEGER, other, 1, MPI_COMM_WORLD, ierror)
      CALLS(MPI_Errhandler_set)(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierror)
      CALLS(MPI_Errhandler_free)(handler, ierror)
      CALLS(MPI_Address)(0, address, ierror)
      CALLS(MPI_Type_hvector)(2, 2, 12, MPI_INTEGER, type_, ierror)
      CALLS(MPI_Type_extent)(type_, number, ierror)
      print '(a, i0)', 'extent ', number
      CALLS(MPI_Type_lb)(type_, number, ierror)
      CALLS(MPI_Type_ub)(type_, number, ierror)
      print '(a, i0)', 'ub ', number
      CALLS(MPI_Type_free)(type_, ierror)
      CALLS(MPI_Type_hindexed)(2, [2, 1], [0, 16], MPI_INTEGER, type_, ierror)
      CALLS(MPI_Type_free)(type_, ierror)
      CALLS(MPI_Type_struct)(2, [2, 1], [0, 16], [MPI_INTEGER, MPI_REAL], type_, ierror)
      CALLS(MPI_Type_free)(type_, ierror)
#endif
   end subroutine
#endif
end module

program objects_fortran
   use objects
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
