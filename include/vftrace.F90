! SPDX-License-Identifier: BSD-3-Clause
!
! The Fortran module vftrace: the C API of vftrace.h under the same names. See that header for what each does.
!
!   call vftrace_region_begin("loop")      a region; the name is text (trailing blanks do not count) or an array of
!   call vftrace_region_end("loop")        c_char that ends at its c_null_char or with its last element
!   type(vftrace_region) :: region         and one that ends at the latest where this variable ceases to exist: at the
!   call region%begin("loop")              end of its procedure or block, not at that of the main program
!   call region%end()
!   path = vftrace_call_path()             the call path of the calling thread, e.g. "solve<MAIN__<main<init"
!   stack => vftrace_get_stack()           the same; the caller deallocates it
!   call vftrace_pause()
!   call vftrace_resume()
!
! A program whose compiler is not the one that built the library compiles this file itself. It is written so that it
! calls nothing of the Fortran run-time library: libvftrace carries it into C and C++ programs too. It must not be
! compiled with -finstrument-functions.
module vftrace
  use, intrinsic :: iso_c_binding, only: c_associated, c_char, c_f_pointer, c_null_char, c_ptr, c_size_t
  implicit none
  private
  public :: vftrace_region_begin, vftrace_region_end, vftrace_region
  public :: vftrace_get_stack, vftrace_call_path, vftrace_pause, vftrace_resume

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
    subroutine vftrace_pause() bind(c, name="vftrace_pause")
    end subroutine
    subroutine vftrace_resume() bind(c, name="vftrace_resume")
    end subroutine
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
