! SPDX-License-Identifier: BSD-3-Clause
! CHARACTER arguments, whose lengths travel at the end of the argument list; in mpi_f08 also behind an ierror that is left out.
program strings
#ifdef BINDING_F08
   use mpi_f08
#endif
#ifdef BINDING_MPI
   use mpi
#endif
   implicit none
#ifdef BINDING_MPIFH
   include 'mpif.h'
#endif
#ifdef BINDING_F08
#define LAST
   type(MPI_Info) :: info
   type(MPI_File) :: file
   type(MPI_Comm) :: parent, job
   type(MPI_Datatype) :: element, view
#else
#define LAST , ierror
   integer :: info, file, parent, job, element, view
#endif
   integer :: ierror, length, i, errors(2)
   integer(MPI_OFFSET_KIND) :: begin
   logical :: flag
   character(len=1) :: shortest
   character(len=7) :: short
   character(len=60) :: long, none
   character(len=16) :: arguments(3), many(2, 2)
   character(len=MPI_MAX_OBJECT_NAME) :: name
   character(len=MPI_MAX_ERROR_STRING) :: text
   character(len=MPI_MAX_DATAREP_STRING) :: form
   character(len=100) :: me, commands(2)

   ierror = 0
   call get_command_argument(0, me)
   call MPI_Init(ierror)
   call MPI_Comm_get_parent(parent LAST)
   if (parent /= MPI_COMM_NULL) then
      call child
   else
      call all
   end if
   call MPI_Finalize(ierror)

contains

   subroutine all
      call MPI_Info_create(info LAST)
      call MPI_Info_set(info, 'key', 'a value with blanks  ' LAST)
      call MPI_Info_set(info, '  second key ', 'x' LAST)
      long = repeat('.', 60)
      none = long
      call MPI_Info_get(info, 'key', 60, long, flag LAST)
      print '(a, l2, 3a)', 'value', flag, ' [', long, ']'
      call MPI_Info_get(info, 'second key', 7, short, flag LAST)
      print '(a, l2, 3a)', 'value', flag, ' [', short, ']'
      call MPI_Info_get(info, 'second key', 1, shortest, flag LAST)
      print '(a, l2, 3a)', 'value', flag, ' [', shortest, ']'
      call MPI_Info_get(info, 'no key', 60, none, flag LAST)
      print '(a, l2)', 'value', flag
      call MPI_Info_get_nthkey(info, 1, long LAST)
      print '(3a)', 'key [', long, ']'
      call MPI_Info_get_valuelen(info, 'key', length, flag LAST)
      print '(a, l2, i4)', 'length', flag, length
      call MPI_Info_free(info LAST)

      call MPI_Comm_set_name(MPI_COMM_WORLD, 'all of them   ' LAST)
      call MPI_Comm_get_name(MPI_COMM_WORLD, name, length LAST)
      print '(3a, i4)', 'name [', trim(name), ']', length
      call MPI_Type_get_name(MPI_INTEGER, name, length LAST)
      print '(3a, i4)', 'name [', trim(name), ']', length
      call MPI_Error_string(MPI_ERR_RANK, text, length LAST)
      print '(3a, i4)', 'error [', trim(text), ']', length
      call MPI_Get_processor_name(text, length LAST)
      print '(3a, i4)', 'processor [', trim(text), ']', length

      call MPI_File_open(MPI_COMM_SELF, ' strings.data ', MPI_MODE_CREATE + MPI_MODE_RDWR + MPI_MODE_DELETE_ON_CLOSE, &
         MPI_INFO_NULL, file LAST)
      call MPI_File_set_view(file, 0_MPI_OFFSET_KIND, MPI_INTEGER, MPI_INTEGER, 'native', MPI_INFO_NULL LAST)
      call MPI_File_get_view(file, begin, element, view, form LAST)
      inquire (file='strings.data', exist=flag)
      print '(3a, l2)', 'view [', trim(form), ']', flag
      call MPI_File_close(file LAST)
#ifdef WITH_SPAWN
      arguments = [character(len=16) :: 'one', 'and two', ' ']
      call MPI_Comm_spawn(me, arguments, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, job, errors LAST)
      call hear(1, 2)
      commands = me
      many = reshape([character(len=16) :: 'first', 'of second', ' ', ' '], [2, 2])
      call MPI_Comm_spawn_multiple(2, commands, many, [1, 1], [MPI_INFO_NULL, MPI_INFO_NULL], 0, MPI_COMM_SELF, job, errors LAST)
      call hear(2, 1)
#endif
   end subroutine

   subroutine hear(children, words)
      integer, intent(in) :: children, words
      character(len=16) :: word
      integer :: rank
      do rank = 0, children - 1
         do i = 1, words
            call MPI_Recv(word, 16, MPI_CHARACTER, rank, i, job, MPI_STATUS_IGNORE LAST)
            print '(a, i2, 3a)', 'child', rank, ' [', word, ']'
         end do
      end do
   end subroutine

   subroutine child
      character(len=16) :: word
      do i = 1, command_argument_count()
         call get_command_argument(i, word)
         call MPI_Send(word, 16, MPI_CHARACTER, 0, i, parent LAST)
      end do
   end subroutine
end program
