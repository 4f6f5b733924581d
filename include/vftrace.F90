! SPDX-License-Identifier: BSD-3-Clause
!
! The Fortran module vftrace: the C API of vftrace.h under the same names. See that header for what each does.
!
!   call vftrace_region_begin("loop")      a region; the name is text (trailing blanks do not count) or an array of
!   call vftrace_region_end("loop")        c_char that ends at its c_null_char or with its last element
!   type(vftrace_region) :: region         and one that ends at the latest where this variable ceases to exist: at the
!   call region%begin("loop")              end of its procedure or block, not at that of the main program
!   call region%end()
!   path = vftrace_call_path()             the call path of the calling thread, e.g. "solve<MAIN<main<init"
!   stack => vftrace_get_stack()           the same; the caller deallocates it
!   status = vftrace_snapshot("before.vfd") what has been recorded so far, as a file; 0 if it could be written
!   call vftrace_pause()
!   call vftrace_resume()
!   status = vftrace_exclude(c_funloc(solve))  calls of this procedure are not recorded from here on; 0, or -1 where nothing has
!   status = vftrace_include(c_funloc(solve))  changed. And recorded again
!
! A program whose compiler is not the one that built the library compiles this file itself. It is written so that it
! calls nothing of the Fortran run-time library: libvftrace carries it into C and C++ programs too. It must not be
! compiled with -finstrument-functions.
module vftrace
  use, intrinsic :: iso_c_binding, only: c_associated, c_char, c_f_pointer, c_funptr, c_int, c_null_char, c_ptr, c_size_t
  implicit none
  private
  public :: vftrace_region_begin, vftrace_region_end, vftrace_region
  public :: vftrace_get_stack, vftrace_call_path, vftrace_pause, vftrace_resume, vftrace_snapshot
  public :: vftrace_exclude, vftrace_include

  interface vftrace_region_begin
    module procedure vftrace_region_begin, region_begin_array
  end interface
  interface vftrace_region_end
    module procedure vftrace_region_end, region_end_array
  end interface

  ! begin ends what the variable had begun before, end without begin does nothing, and assignment leaves both sides as
  ! they are: a region is begun and ended once, on one thread.
  type :: vftrace_region
    private
    character(kind=c_char), allocatable :: name(:) ! where the region is open
  contains
    procedure, private :: scope_begin, scope_begin_array, scope_keep
    generic :: begin => scope_begin, scope_begin_array
    procedure :: end => scope_end
    generic :: assignment(=) => scope_keep
    final :: scope_finish
  end type

  interface
    subroutine c_region_begin(name) bind(c, name="vftrace_region_begin")
      import :: c_char
      character(kind=c_char), intent(in) :: name(*)
    end subroutine
    subroutine c_region_end(name) bind(c, name="vftrace_region_end")
      import :: c_char
      character(kind=c_char), intent(in) :: name(*)
    end subroutine
    function c_get_stack() bind(c, name="vftrace_get_stack") result(text)
      import :: c_ptr
      type(c_ptr) :: text
    end function
    pure function c_strlen(text) bind(c, name="strlen") result(length)
      import :: c_ptr, c_size_t
      type(c_ptr), value, intent(in) :: text
      integer(c_size_t) :: length
    end function
    subroutine c_free(text) bind(c, name="free")
      import :: c_ptr
      type(c_ptr), value, intent(in) :: text
    end subroutine
    function c_snapshot(path) bind(c, name="vftrace_snapshot") result(status)
      import :: c_char, c_int
      character(kind=c_char), intent(in) :: path(*)
      integer(c_int) :: status
    end function
    subroutine vftrace_pause() bind(c, name="vftrace_pause")
    end subroutine
    subroutine vftrace_resume() bind(c, name="vftrace_resume")
    end subroutine
    function vftrace_exclude(procedure) bind(c, name="vftrace_exclude") result(status)
      import :: c_funptr, c_int
      type(c_funptr), value, intent(in) :: procedure
      integer(c_int) :: status
    end function
    function vftrace_include(procedure) bind(c, name="vftrace_include") result(status)
      import :: c_funptr, c_int
      type(c_funptr), value, intent(in) :: procedure
      integer(c_int) :: status
    end function
  end interface

contains

  ! The name as C wants it: without trailing blanks, 0-terminated.
  pure subroutine terminate(name, text)
    character(len=*), intent(in) :: name
    character(kind=c_char), intent(out) :: text(len(name) + 1)
    integer :: i, last
    last = 0
    do i = 1, len(name)
      text(i) = name(i:i)
      if (ichar(name(i:i)) /= ichar(' ')) last = i
    end do
    text(last + 1) = c_null_char
  end subroutine

  subroutine vftrace_region_begin(name)
    character(len=*), intent(in) :: name
    character(kind=c_char) :: text(len(name) + 1)
    call terminate(name, text)
    call c_region_begin(text)
  end subroutine

  subroutine vftrace_region_end(name)
    character(len=*), intent(in) :: name
    character(kind=c_char) :: text(len(name) + 1)
    call terminate(name, text)
    call c_region_end(text)
  end subroutine

  function vftrace_snapshot(path) result(status)
    character(len=*), intent(in) :: path
    integer(c_int) :: status
    character(kind=c_char) :: text(len(path) + 1)
    call terminate(path, text)
    status = c_snapshot(text)
  end function

  pure subroutine terminate_array(name, text)
    character(kind=c_char), intent(in) :: name(:)
    character(kind=c_char), intent(out) :: text(size(name) + 1)
    integer :: i
    do i = 1, size(name)
      text(i) = name(i)
    end do
    text(size(name) + 1) = c_null_char
  end subroutine

  subroutine region_begin_array(name)
    character(kind=c_char), intent(in) :: name(:)
    character(kind=c_char) :: text(size(name) + 1)
    call terminate_array(name, text)
    call c_region_begin(text)
  end subroutine

  subroutine region_end_array(name)
    character(kind=c_char), intent(in) :: name(:)
    character(kind=c_char) :: text(size(name) + 1)
    call terminate_array(name, text)
    call c_region_end(text)
  end subroutine

  ! Where there is no memory for the name, the region is not begun.
  subroutine scope_begin(this, name)
    class(vftrace_region), intent(inout) :: this
    character(len=*), intent(in) :: name
    integer :: status
    call this%end()
    allocate(this%name(len(name) + 1), stat=status)
    if (status /= 0) return
    call terminate(name, this%name)
    call c_region_begin(this%name)
  end subroutine

  subroutine scope_begin_array(this, name)
    class(vftrace_region), intent(inout) :: this
    character(kind=c_char), intent(in) :: name(:)
    integer :: status
    call this%end()
    allocate(this%name(size(name) + 1), stat=status)
    if (status /= 0) return
    call terminate_array(name, this%name)
    call c_region_begin(this%name)
  end subroutine

  subroutine scope_end(this)
    class(vftrace_region), intent(inout) :: this
    integer :: status
    if (.not. allocated(this%name)) return
    call c_region_end(this%name)
    deallocate(this%name, stat=status)
  end subroutine

  impure elemental subroutine scope_finish(this)
    type(vftrace_region), intent(inout) :: this
    integer :: status
    if (.not. allocated(this%name)) return
    call c_region_end(this%name)
    deallocate(this%name, stat=status)
  end subroutine

  impure elemental subroutine scope_keep(this, other)
    class(vftrace_region), intent(inout) :: this
    type(vftrace_region), intent(in) :: other
    associate (left => this, right => other)
    end associate
  end subroutine

  ! Of length 0 where nothing is recorded, or where there is no memory.
  function vftrace_call_path() result(path)
    character(len=:), allocatable :: path
    character(kind=c_char), pointer :: characters(:)
    type(c_ptr) :: text
    integer :: i, length, status
    length = 0
    text = c_get_stack()
    if (c_associated(text)) length = int(c_strlen(text))
    allocate(character(len=length) :: path, stat=status)
    if (status == 0 .and. length > 0) then
      call c_f_pointer(text, characters, [length])
      do i = 1, length
        path(i:i) = characters(i)
      end do
    end if
    call c_free(text)
  end function

  ! The call path of the calling thread, of exact length. The caller deallocates it; null() when there is no memory.
  function vftrace_get_stack() result(stack)
    character(len=:), pointer :: stack
    character(kind=c_char), pointer :: characters(:)
    type(c_ptr) :: text
    integer :: i, length, status
    stack => null()
    text = c_get_stack()
    if (.not. c_associated(text)) return
    length = int(c_strlen(text))
    call c_f_pointer(text, characters, [length])
    allocate(character(len=length) :: stack, stat=status)
    if (status == 0) then
      do i = 1, length
        stack(i:i) = characters(i)
      end do
    end if
    call c_free(text)
  end function

end module

! Events by callbacks, as in vftrace_callbacks.h: the same structs with the same members; unsigned numbers of C are signed here. Functions
! that are called are bind(c), and given by c_funloc:
!
!   subroutine on_enter(user, event) bind(c)
!     type(c_ptr), value :: user
!     type(vftrace_call_event), intent(in) :: event
!
! Any thread calls them, several at a time. They must not print: the program may be within a print of its own.
module vftrace_embedding
  use, intrinsic :: iso_c_binding, only: c_char, c_funptr, c_int, c_int32_t, c_int64_t, c_null_funptr, c_null_ptr, c_ptr, c_size_t
  implicit none
  private

  integer(c_int), parameter, public :: VFTRACE_CALLBACKS_VERSION = 1
  integer(c_int), parameter, public :: VFTRACE_OK = 0, VFTRACE_FILES_TOO = 1, VFTRACE_PENDING = 2, VFTRACE_INVALID = -1, &
    VFTRACE_NO_MEMORY = -2, VFTRACE_ENDED = -3, VFTRACE_OFF = -4, VFTRACE_CANNOT_WRITE = -5
  integer(c_int), parameter, public :: VFTRACE_WITH_FILES = 1
  integer(c_int32_t), parameter, public :: VFTRACE_FUNCTION = 1, VFTRACE_REGION = 2, VFTRACE_MPI_CALL = 3, VFTRACE_OPENMP = 4
  integer(c_int32_t), parameter, public :: VFTRACE_VANISHED = 1, VFTRACE_MOVED = 2, VFTRACE_PAUSED = 4, VFTRACE_RUNNING = 8
  integer(c_int32_t), parameter, public :: VFTRACE_SEND = 0, VFTRACE_RECEIVE = 1, VFTRACE_GET = 2, VFTRACE_FOREIGN = 1
  integer(c_int32_t), parameter, public :: VFTRACE_NO_THREAD = -1

  ! size: c_sizeof of a variable of this type.
  type, bind(c), public :: vftrace_callbacks
    integer(c_size_t) :: size = 0
    integer(c_int) :: version = VFTRACE_CALLBACKS_VERSION
    integer(c_int) :: flags = 0
    type(c_ptr) :: user = c_null_ptr
    type(c_funptr) :: function_enter = c_null_funptr
    type(c_funptr) :: function_leave = c_null_funptr
    type(c_funptr) :: region_enter = c_null_funptr
    type(c_funptr) :: region_leave = c_null_funptr
    type(c_funptr) :: mpi = c_null_funptr
    type(c_funptr) :: gpu_kernel = c_null_funptr
    type(c_funptr) :: module_loaded = c_null_funptr
    type(c_funptr) :: thread_started = c_null_funptr
    type(c_funptr) :: thread_ended = c_null_funptr
    type(c_funptr) :: finished = c_null_funptr
  end type

  type, bind(c), public :: vftrace_call_event
    integer(c_size_t) :: size
    integer(c_int64_t) :: time_ns, path
    type(c_ptr) :: address, name
    integer(c_int32_t) :: thread, tid, kind, flags
  end type

  type, bind(c), public :: vftrace_mpi_event
    integer(c_size_t) :: size
    integer(c_int64_t) :: start_ns, end_ns, path
    type(c_ptr) :: name
    integer(c_int64_t) :: bytes
    integer(c_int32_t) :: thread, tid, kind, peer, peers, tag, flags, reserved
  end type

  type, bind(c), public :: vftrace_gpu_kernel_event
    integer(c_size_t) :: size
    integer(c_int64_t) :: start_ns, end_ns, path
    type(c_ptr) :: name
    integer(c_int32_t) :: thread, tid, device, stream, grid(3), block(3)
  end type

  type, bind(c), public :: vftrace_module_event
    integer(c_size_t) :: size
    integer(c_int64_t) :: time_ns
    type(c_ptr) :: path, build_id
    integer(c_size_t) :: build_id_size
    integer(c_int64_t) :: start, end, bias
    integer(c_int32_t) :: thread, tid
  end type

  type, bind(c), public :: vftrace_thread_event
    integer(c_size_t) :: size
    integer(c_int64_t) :: time_ns
    integer(c_int32_t) :: thread, tid, flags, parent
    integer(c_int64_t) :: parent_path
    type(c_ptr) :: start
    integer(c_int64_t) :: created_ns
  end type

  type, bind(c), public :: vftrace_totals
    integer(c_size_t) :: size
    integer(c_int64_t) :: delivered, dropped, nested, exceptions, nameless, under_way
  end type

  public :: vftrace_set_callbacks, vftrace_clear_callbacks, vftrace_flush, vftrace_shutdown, vftrace_path_text

  interface
    function vftrace_set_callbacks(callbacks) bind(c, name="vftrace_set_callbacks") result(status)
      import :: c_int, vftrace_callbacks
      type(vftrace_callbacks), intent(in) :: callbacks
      integer(c_int) :: status
    end function
    function c_clear(nothing) bind(c, name="vftrace_set_callbacks") result(status)
      import :: c_int, c_ptr
      type(c_ptr), value, intent(in) :: nothing
      integer(c_int) :: status
    end function
    function vftrace_flush() bind(c, name="vftrace_flush") result(status)
      import :: c_int
      integer(c_int) :: status
    end function
    function vftrace_shutdown() bind(c, name="vftrace_shutdown") result(status)
      import :: c_int
      integer(c_int) :: status
    end function
    function vftrace_path_text(path, buffer, size) bind(c, name="vftrace_path_text") result(length)
      import :: c_char, c_int64_t, c_size_t
      integer(c_int64_t), value, intent(in) :: path
      character(kind=c_char), intent(out) :: buffer(*)
      integer(c_size_t), value, intent(in) :: size
      integer(c_size_t) :: length
    end function
  end interface

contains

  function vftrace_clear_callbacks() result(status)
    integer(c_int) :: status
    status = c_clear(c_null_ptr)
  end function

end module
