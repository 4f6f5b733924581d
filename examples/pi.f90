! SPDX-License-Identifier: BSD-3-Clause
!
! Pi in Fortran, with a region of its own in the profile.
!
!   gfortran -g -finstrument-functions pi.f90 $(pkg-config --cflags --libs vftrace) -o pi && ./pi
module slices
  implicit none
contains
  function slice(first, last, width) result(area)
    integer, intent(in) :: first, last
    double precision, intent(in) :: width
    double precision :: area, x
    integer :: i
    area = 0
    do i = first, last
      x = (i - 0.5d0) * width
      area = area + 4 / (1 + x * x) * width
    end do
  end function
end module

program pi
  use slices
  use vftrace
  implicit none
  integer, parameter :: steps = 20000000, parts = 100
  double precision :: area
  character(len=:), pointer :: stack
  integer :: i

  area = 0
  call vftrace_region_begin("integration")
  do i = 0, parts - 1
    area = area + slice(i * (steps / parts) + 1, (i + 1) * (steps / parts), 1d0 / steps)
  end do
  stack => vftrace_get_stack()
  call vftrace_region_end("integration")
  print '(a, f12.9)', "pi is about ", area
  print '(2a)', "summed up in ", stack
  deallocate(stack)
end program
