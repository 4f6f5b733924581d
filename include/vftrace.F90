! SPDX-License-Identifier: BSD-3-Clause
!
! The Fortran module vftrace: the C API of vftrace.h under the same names. See that header for what each does.
!
! A program whose compiler is not the one that built the library compiles this file itself. It is written so that it
! calls nothing of the Fortran run-time library: libvftrace carries it into C and C++ programs too. It must not be
! compiled with -finstrument-functions.
module vftrace
  use, intrinsic :: iso_c_binding, only: c_associated, c_char, c_f_pointer, c_null_char, c_ptr, c_size_t
  implicit none
  private
  public :: vftrace_region_begin, vftrace_region_end, vftrace_get_stack, vftrace_pause, vftrace_resume

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
