! SPDX-License-Identifier: BSD-3-Clause
! In Fortran: one-sided communication, files, and processes that are started or met. Two ranks; starts itself as its children.
#include "calls_fortran.inc"

module windows_files
   use state
   implicit none
   integer, target :: memory(4*n)
   integer, parameter :: block = 4*n
contains
   subroutine preset_memory
      integer :: i
      do i = 1, 4*n
         memory(i) = 10*rank + i
      end do
   end subroutine

   subroutine show_memory(what)
      character(len=*), intent(in) :: what
      print '(i0, 1x, a, 20(1x, i0))', rank, what, memory
      call show(what)
   end subroutine

   subroutine windows
      HANDLE(MPI_Win) :: win
      HANDLE(MPI_Group) :: world, group
      HANDLE(MPI_Info) :: info
      HANDLE(MPI_Request) :: request
      integer(MPI_ADDRESS_KIND), parameter :: start = 0, third = 2
      integer(MPI_ADDRESS_KIND) :: value
      integer :: result, length
      logical :: flag
      character(len=MPI_MAX_OBJECT_NAME) :: name
      CALLS(MPI_Win_create)(memory, 80_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win IERROR)
      CALLS(MPI_Win_set_errhandler)(win, MPI_ERRORS_RETURN IERROR)
      call preset_memory
      call fill(1)
      CALLS(MPI_Win_fence)(0, win IERROR)
      CALLS(MPI_Put)(out, n, MPI_INTEGER, other, start, n, MPI_INTEGER, win IERROR)
      CALLS(MPI_Win_fence)(0, win IERROR)
      CALLS(MPI_Get)(in, n, MPI_INTEGER, other, third, n, MPI_INTEGER, win IERROR)
      CALLS(MPI_Win_fence)(0, win IERROR)
      CALLS(MPI_Accumulate)(out, n, MPI_INTEGER, other, start, n, MPI_INTEGER, MPI_SUM, win IERROR)
      CALLS(MPI_Win_fence)(0, win IERROR)
      CALLS(MPI_Get_accumulate)(out, 2, MPI_INTEGER, in(n + 1), 2, MPI_INTEGER, other, third, 2, MPI_INTEGER, MPI_SUM, win IERROR)
      CALLS(MPI_Win_fence)(0, win IERROR)
      call show_memory('accesses')
      CALLS(MPI_Barrier)(MPI_COMM_WORLD IERROR)
      CALLS(MPI_Fetch_and_op)(out, result, MPI_INTEGER, other, third, MPI_SUM, win IERROR)
      CALLS(MPI_Win_fence)(0, win IERROR)
      print '(a, i0)', 'fetched ', result
      CALLS(MPI_Compare_and_swap)(out, out(2), result, MPI_INTEGER, other, third, win IERROR)
      CALLS(MPI_Win_fence)(MPI_MODE_NOSUCCEED, win IERROR)
      print '(a, i0)', 'swapped ', result
      call preset_memory
      call fill(2)
      CALLS(MPI_Barrier)(MPI_COMM_WORLD IERROR)
      CALLS(MPI_Win_lock_all)(0, win IERROR)
      CALLS(MPI_Rput)(out, n, MPI_INTEGER, other, start, n, MPI_INTEGER, win, request IERROR)
      CALLS(MPI_Wait)(request, MPI_STATUS_IGNORE IERROR)
      CALLS(MPI_Win_flush)(other, win IERROR)
      CALLS(MPI_Rget)(in, n, MPI_INTEGER, other, start, n, MPI_INTEGER, win, request IERROR)
      CALLS(MPI_Wait)(request, MPI_STATUS_IGNORE IERROR)
      CALLS(MPI_Raccumulate)(out, n, MPI_INTEGER, other, 5_MPI_ADDRESS_KIND, n, MPI_INTEGER, MPI_SUM, win, request IERROR)
      CALLS(MPI_Wait)(request, MPI_STATUS_IGNORE IERROR)
      CALLS(MPI_Win_flush_local)(other, win IERROR)
      CALLS(MPI_Win_flush_all)(win IERROR)
      CALLS(MPI_Rget_accumulate)(out, 2, MPI_INTEGER, in(n + 1), 2, MPI_INTEGER, other, 5_MPI_ADDRESS_KIND, 2, MPI_INTEGER, MPI_MAX, win, request IERROR)
      CALLS(MPI_Wait)(request, MPI_STATUS_IGNORE IERROR)
      CALLS(MPI_Win_flush_local_all)(win IERROR)
      CALLS(MPI_Win_sync)(win IERROR)
      CALLS(MPI_Win_unlock_all)(win IERROR)
      CALLS(MPI_Barrier)(MPI_COMM_WORLD IERROR)
      call show_memory('requests')
      CALLS(MPI_Barrier)(MPI_COMM_WORLD IERROR)
      CALLS(MPI_Win_lock)(MPI_LOCK_EXCLUSIVE, other, 0, win IERROR)
      CALLS(MPI_Put)(out, 2, MPI_INTEGER, other, start, 2, MPI_INTEGER, win IERROR)
      CALLS(MPI_Win_unlock)(other, win IERROR)
      CALLS(MPI_Barrier)(MPI_COMM_WORLD IERROR)
      CALLS(MPI_Comm_group)(MPI_COMM_WORLD, world IERROR)
      CALLS(MPI_Group_incl)(world, 1, [other], group IERROR)
      CALLS(MPI_Win_post)(group, 0, win IERROR)
      CALLS(MPI_Win_start)(group, 0, win IERROR)
      CALLS(MPI_Put)(out(5), 2, MPI_INTEGER, other, third, 2, MPI_INTEGER, win IERROR)
      CALLS(MPI_Win_complete)(win IERROR)
      CALLS(MPI_Win_wait)(win IERROR)
      CALLS(MPI_Win_post)(group, 0, win IERROR)
      CALLS(MPI_Win_start)(group, 0, win IERROR)
      CALLS(MPI_Win_complete)(win IERROR)
      flag = .false.
      do while (.not. flag)
         CALLS(MPI_Win_test)(win, flag IERROR)
      end do
      call show_memory('synchronisation')
      CALLS(MPI_Group_free)(group IERROR)
      CALLS(MPI_Group_free)(world IERROR)
      CALLS(MPI_Win_get_group)(win, group IERROR)
      CALLS(MPI_Group_free)(group IERROR)
      CALLS(MPI_Win_set_name)(win, 'a window  ' IERROR)
      CALLS(MPI_Win_get_name)(win, name, length IERROR)
      print '(a, i0)', 'length of the name ', length ! which Open MPI does not fill
      CALLS(MPI_Win_get_info)(win, info IERROR)
      CALLS(MPI_Win_set_info)(win, info IERROR)
      CALLS(MPI_Info_free)(info IERROR)
      CALLS(MPI_Win_get_attr)(win, MPI_WIN_SIZE, value, flag IERROR)
      print '(a, l2, 1x, i0)', 'size', flag, value
      CALLS(MPI_Win_free)(win IERROR)
   end subroutine

   subroutine other_windows
      HANDLE(MPI_Win) :: win
      integer(MPI_ADDRESS_KIND) :: bytes, address
      integer :: unit
      type(c_ptr) :: base
      integer, pointer :: theirs(:)
#if defined(WITH_MPICH) && defined(BINDING_MPIFH)
      integer(MPI_ADDRESS_KIND), external :: MPI_Aint_add, MPI_Aint_diff
#endif
      call preset_memory
      call fill(3)
      CALLS(MPI_Win_allocate)(80_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, base, win IERROR)
      CALLS(MPI_Win_fence)(0, win IERROR)
      CALLS(MPI_Put)(out, n, MPI_INTEGER, other, 0_MPI_ADDRESS_KIND, n, MPI_INTEGER, win IERROR)
      CALLS(MPI_Win_fence)(0, win IERROR)
      call c_f_pointer(base, theirs, [n])
      print '(a, 5(1x, i0))', 'allocated', theirs
      CALLS(MPI_Win_free)(win IERROR)
      CALLS(MPI_Win_allocate_shared)(80_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, base, win IERROR)
      CALLS(MPI_Win_shared_query)(win, other, bytes, unit, base IERROR)
      print '(a, 2(1x, i0))', 'shared', bytes, unit
      CALLS(MPI_Win_free)(win IERROR)
      CALLS(MPI_Win_create_dynamic)(MPI_INFO_NULL, MPI_COMM_WORLD, win IERROR)
      CALLS(MPI_Win_attach)(win, memory, 80_MPI_ADDRESS_KIND IERROR)
      CALLS(MPI_Get_address)(memory, address IERROR)
      CALLS(MPI_Sendrecv_replace)(address, 1, MPI_AINT, other, 9, other, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE IERROR)
      CALLS(MPI_Win_fence)(0, win IERROR)
      CALLS(MPI_Put)(out, n, MPI_INTEGER, other, address, n, MPI_INTEGER, win IERROR)
      CALLS(MPI_Win_fence)(0, win IERROR)
      call show_memory('dynamic')
      CALLS(MPI_Win_detach)(win, memory IERROR)
      CALLS(MPI_Win_free)(win IERROR)
      call counted('MPI_Aint_add')
      address = MPI_Aint_add(1000_MPI_ADDRESS_KIND, 16_MPI_ADDRESS_KIND)
      call counted('MPI_Aint_diff')
      print '(a, 2(1x, i0))', 'addresses', address, MPI_Aint_diff(address, 1000_MPI_ADDRESS_KIND)
      CALLS(MPI_Alloc_mem)(80_MPI_ADDRESS_KIND, MPI_INFO_NULL, base IERROR)
      call c_f_pointer(base, theirs, [n])
      theirs = 3
      CALLS(MPI_Free_mem)(theirs IERROR)
   end subroutine

   subroutine files
      HANDLE(MPI_File) :: file
      HANDLE(MPI_Request) :: request
      HANDLE(MPI_Group) :: group
      HANDLE(MPI_Info) :: info
      HANDLE(MPI_Datatype) :: etype, filetype
      STATUS_DECLARED(status)
      integer(MPI_OFFSET_KIND) :: mine, position
      integer(MPI_ADDRESS_KIND) :: extent
      integer :: number
      logical :: flag
      character(len=MPI_MAX_DATAREP_STRING) :: representation
      mine = rank*block
      call fill(4)
      CALLS(MPI_File_open)(MPI_COMM_WORLD, 'fortran.bin   ', MPI_MODE_CREATE + MPI_MODE_RDWR, MPI_INFO_NULL, file IERROR)
      CALLS(MPI_File_write_at)(file, mine, out, n, MPI_INTEGER, status IERROR)
      call show_number('write_at', status)
      CALLS(MPI_File_write_at_all)(file, mine + 2*block, out, n, MPI_INTEGER, status IERROR)
      call show_number('write_at_all', status)
      CALLS(MPI_File_iwrite_at)(file, mine + 4*block, out, n, MPI_INTEGER, request IERROR)
      call finish(request, 'iwrite_at')
      CALLS(MPI_File_iwrite_at_all)(file, mine + 6*block, out, n, MPI_INTEGER, request IERROR)
      call finish(request, 'iwrite_at_all')
      CALLS(MPI_File_write_at_all_begin)(file, mine + 8*block, out, n, MPI_INTEGER IERROR)
      CALLS(MPI_File_write_at_all_end)(file, out, MPI_STATUS_IGNORE IERROR)
      CALLS(MPI_File_sync)(file IERROR)
      CALLS(MPI_Barrier)(MPI_COMM_WORLD IERROR)
      CALLS(MPI_File_read_at)(file, mine, in, n, MPI_INTEGER, status IERROR)
      call show_number('read_at', status)
      CALLS(MPI_File_read_at_all)(file, mine + 2*block, in, n, MPI_INTEGER, status IERROR)
      call show_number('read_at_all', status)
      CALLS(MPI_File_iread_at)(file, mine + 4*block, in, n, MPI_INTEGER, request IERROR)
      call finish(request, 'iread_at')
      CALLS(MPI_File_iread_at_all)(file, mine + 6*block, in, n, MPI_INTEGER, request IERROR)
      call finish(request, 'iread_at_all')
      CALLS(MPI_File_read_at_all_begin)(file, mine + 8*block, in, n, MPI_INTEGER IERROR)
      CALLS(MPI_File_read_at_all_end)(file, in, status IERROR)
      call show_number('read_at_all_end', status)
      ! Where the pointer stands.
      call fill(5)
      CALLS(MPI_File_seek)(file, mine + 10*block, MPI_SEEK_SET IERROR)
      CALLS(MPI_File_write)(file, out, n, MPI_INTEGER, status IERROR)
      CALLS(MPI_File_get_position)(file, position IERROR)
      CALLS(MPI_File_get_byte_offset)(file, position, position IERROR)
      print '(a, i0)', 'position ', position
      CALLS(MPI_File_write_all)(file, out, n, MPI_INTEGER, status IERROR)
      CALLS(MPI_File_iwrite)(file, out, n, MPI_INTEGER, request IERROR)
      call finish(request, 'iwrite')
      CALLS(MPI_File_iwrite_all)(file, out, n, MPI_INTEGER, request IERROR)
      call finish(request, 'iwrite_all')
      CALLS(MPI_File_write_all_begin)(file, out, n, MPI_INTEGER IERROR)
      CALLS(MPI_File_write_all_end)(file, out, status IERROR)
      call show_number('write_all_end', status)
      CALLS(MPI_File_sync)(file IERROR)
      CALLS(MPI_Barrier)(MPI_COMM_WORLD IERROR)
      CALLS(MPI_File_seek)(file, mine, MPI_SEEK_SET IERROR)
      CALLS(MPI_File_read)(file, in, n, MPI_INTEGER, status IERROR)
      call show_number('read', status)
      CALLS(MPI_File_read_all)(file, in, n, MPI_INTEGER, status IERROR)
      call show_number('read_all', status)
      CALLS(MPI_File_iread)(file, in, n, MPI_INTEGER, request IERROR)
      call finish(request, 'iread')
      CALLS(MPI_File_iread_all)(file, in, n, MPI_INTEGER, request IERROR)
      call finish(request, 'iread_all')
      CALLS(MPI_File_read_all_begin)(file, in, n, MPI_INTEGER IERROR)
      CALLS(MPI_File_read_all_end)(file, in, status IERROR)
      call show_number('read_all_end', status)
      ! Shared pointers: which rank comes first is open, what is written is the same everywhere.
      out = 7
      CALLS(MPI_File_seek_shared)(file, 0_MPI_OFFSET_KIND, MPI_SEEK_SET IERROR)
      CALLS(MPI_File_write_shared)(file, out, n, MPI_INTEGER, status IERROR)
      CALLS(MPI_File_iwrite_shared)(file, out, n, MPI_INTEGER, request IERROR)
      CALLS(MPI_Wait)(request, MPI_STATUS_IGNORE IERROR)
      CALLS(MPI_Barrier)(MPI_COMM_WORLD IERROR)
      CALLS(MPI_File_write_ordered)(file, out, n, MPI_INTEGER, status IERROR)
      CALLS(MPI_File_write_ordered_begin)(file, out, n, MPI_INTEGER IERROR)
      CALLS(MPI_File_write_ordered_end)(file, out, status IERROR)
      CALLS(MPI_Barrier)(MPI_COMM_WORLD IERROR)
      CALLS(MPI_File_get_position_shared)(file, position IERROR)
      print '(a, i0)', 'shared position ', position
      CALLS(MPI_File_sync)(file IERROR)
      CALLS(MPI_Barrier)(MPI_COMM_WORLD IERROR)
      CALLS(MPI_File_seek_shared)(file, 0_MPI_OFFSET_KIND, MPI_SEEK_SET IERROR)
      CALLS(MPI_File_read_shared)(file, in, n, MPI_INTEGER, status IERROR)
      call show_number('read_shared', status)
      CALLS(MPI_File_iread_shared)(file, in, n, MPI_INTEGER, request IERROR)
      CALLS(MPI_Wait)(request, MPI_STATUS_IGNORE IERROR)
      CALLS(MPI_Barrier)(MPI_COMM_WORLD IERROR)
      CALLS(MPI_File_read_ordered)(file, in, n, MPI_INTEGER, status IERROR)
      call show_number('read_ordered', status)
      CALLS(MPI_File_read_ordered_begin)(file, in, n, MPI_INTEGER IERROR)
      CALLS(MPI_File_read_ordered_end)(file, in, status IERROR)
      call show_number('read_ordered_end', status)
      ! Questions.
      CALLS(MPI_File_get_size)(file, position IERROR)
      CALLS(MPI_File_get_amode)(file, number IERROR)
      print '(a, i0, l2)', 'size ', position, number == MPI_MODE_CREATE + MPI_MODE_RDWR
      CALLS(MPI_File_get_group)(file, group IERROR)
      CALLS(MPI_Group_free)(group IERROR)
      CALLS(MPI_File_get_info)(file, info IERROR)
      CALLS(MPI_File_set_info)(file, info IERROR)
      CALLS(MPI_Info_free)(info IERROR)
      CALLS(MPI_File_get_type_extent)(file, MPI_INTEGER, extent IERROR)
      print '(a, i0)', 'extent ', extent
      CALLS(MPI_File_set_atomicity)(file, .true. IERROR)
      CALLS(MPI_File_get_atomicity)(file, flag IERROR)
      print '(a, l2)', 'atomicity', flag
      CALLS(MPI_File_set_view)(file, 20_MPI_OFFSET_KIND, MPI_INTEGER, MPI_INTEGER, 'native ', MPI_INFO_NULL IERROR)
      CALLS(MPI_File_get_view)(file, position, etype, filetype, representation IERROR)
      print '(a, i0, l2, 1x, a)', 'view ', position, etype == MPI_INTEGER, trim(representation)
      CALLS(MPI_File_preallocate)(file, 4000_MPI_OFFSET_KIND IERROR)
      CALLS(MPI_File_set_size)(file, 2000_MPI_OFFSET_KIND IERROR)
      CALLS(MPI_File_close)(file IERROR)
      CALLS(MPI_Barrier)(MPI_COMM_WORLD IERROR)
      if (rank == 0) then
         CALLS(MPI_File_delete)('fortran.bin', MPI_INFO_NULL IERROR)
      end if
#ifndef WITH_MPICH
      CALLS(MPI_File_open)(MPI_COMM_WORLD, 'no/such/folder/file', MPI_MODE_RDONLY, MPI_INFO_NULL, file IERROR)
#endif
   end subroutine

   subroutine children(parent)
      HANDLE(MPI_Comm) :: parent
      CALLS(MPI_Bcast)(in, n, MPI_INTEGER, 0, parent IERROR)
      CALLS(MPI_Send)(in, n, MPI_INTEGER, 0, 3, parent IERROR)
      CALLS(MPI_Comm_disconnect)(parent IERROR)
   end subroutine

   subroutine with_children(what, theirs)
      character(len=*), intent(in) :: what
      HANDLE(MPI_Comm) :: theirs
      STATUS_DECLARED(status)
      integer :: number, i
      CALLS(MPI_Comm_remote_size)(theirs, number IERROR)
      call fill(6)
      CALLS(MPI_Bcast)(out, n, MPI_INTEGER, merge(MPI_ROOT, MPI_PROC_NULL, rank == 0), theirs IERROR)
      do i = 1, number
         if (rank == 0) then
            PRESET(status)
            CALLS(MPI_Recv)(in, n, MPI_INTEGER, i - 1, 3, theirs, status IERROR)
            call show_status(what, status)
         end if
      end do
      CALLS(MPI_Comm_disconnect)(theirs IERROR)
   end subroutine

   subroutine processes
      HANDLE(MPI_Comm) :: theirs, between
      HANDLE(MPI_Info) :: infos(2)
      integer :: codes(2), unused
      character(len=1000) :: program, programs(2)
      character(len=10) :: arguments(2), table(2, 2)
      character(len=MPI_MAX_PORT_NAME) :: port, found
      call get_command_argument(0, program)
      programs = program
      infos = MPI_INFO_NULL
      arguments = ['child     ', '          ']
      table(:, 1) = 'child'
      table(:, 2) = ' '
      theirs = MPI_COMM_NULL
      between = MPI_COMM_NULL
      CALLS(MPI_Comm_spawn)(program, arguments, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, theirs, codes IERROR)
      if (theirs /= MPI_COMM_NULL) then
         call with_children('spawn', theirs)
         CALLS(MPI_Comm_spawn)(program, MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, theirs, MPI_ERRCODES_IGNORE IERROR)
         call with_children('spawn without arguments', theirs)
         CALLS(MPI_Comm_spawn_multiple)(2, programs, table, [1, 1], infos, 0, MPI_COMM_WORLD, theirs, codes IERROR)
         call with_children('spawn_multiple', theirs)
      end if
      port = ' '
      if (rank == 0) then
         CALLS(MPI_Open_port)(MPI_INFO_NULL, port IERROR)
         CALLS(MPI_Send)(port, MPI_MAX_PORT_NAME, MPI_CHARACTER, 1, 4, MPI_COMM_WORLD IERROR)
         CALLS(MPI_Comm_accept)(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, between IERROR)
         if (between /= MPI_COMM_NULL) then
            CALLS(MPI_Close_port)(port IERROR)
         end if
      else
         CALLS(MPI_Recv)(port, MPI_MAX_PORT_NAME, MPI_CHARACTER, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE IERROR)
         CALLS(MPI_Comm_connect)(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, between IERROR)
      end if
      if (between /= MPI_COMM_NULL) then
         CALLS(MPI_Comm_disconnect)(between IERROR)
      end if
      if (rank == 0) then
         CALLS(MPI_Publish_name)('a service ', MPI_INFO_NULL, port IERROR)
         CALLS(MPI_Lookup_name)('a service ', MPI_INFO_NULL, found IERROR)
         CALLS(MPI_Unpublish_name)('a service ', MPI_INFO_NULL, port IERROR)
      end if
      unused = 0
   end subroutine
end module

program windows_files_fortran
   use windows_files
   implicit none
   HANDLE(MPI_Comm) :: parent
   call begin
   CALLS(MPI_Comm_get_parent)(parent IERROR)
   if (parent /= MPI_COMM_NULL) then
      call children(parent)
      call MPI_Finalize(ierror)
      stop
   end if
   call windows
   call other_windows
   call files
   call processes
   call finished
end program
