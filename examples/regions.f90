! SPDX-License-Identifier: BSD-3-Clause
!
! Regions in Fortran that end with their procedure or block, however it is left.
!
!   gfortran -g -finstrument-functions regions.f90 $(pkg-config --cflags --libs vftrace) -o regions && ./regions
module search
  use vftrace
  implicit none
contains
  pure logical function is_prime(n)
    integer, intent(in) :: n
    integer :: i
    is_prime = .false.
    do i = 2, int(sqrt(real(n)))
      if (mod(n, i) == 0) return
    end do
    is_prime = n > 1
  end function

  ! The first prime after n. The region ends with each of the two ways out.
  integer function next_prime(n)
    integer, intent(in) :: n
    type(vftrace_region) :: region
    call region%begin("next prime")
    next_prime = n + 1
    if (is_prime(next_prime)) return
    do while (.not. is_prime(next_prime))
      next_prime = next_prime + 1
    end do
  end function
end module

program regions
  use search
  implicit none
  character(len=:), allocatable :: path
  integer :: i, n

  n = 1
  call vftrace_region_begin("ten primes")
  do i = 1, 10
    n = next_prime(n)
  end do
  call vftrace_region_end("ten primes")
  print '(a, i0)', "the tenth prime is ", n

  block
    type(vftrace_region) :: region
    call region%begin("first")
    n = next_prime(1000)
    call region%end()
    call region%begin("second")
    n = next_prime(n)
    path = vftrace_call_path()
  end block
  print '(a, i0)', "the second prime beyond 1000 is ", n
  print '(2a)', "found in ", path
end program
