! SPDX-License-Identifier: BSD-3-Clause
!
! Conjugate gradients on a sparse matrix in rows, with derived types and procedures bound to them.
module sparse_matrix
  implicit none
  integer, parameter :: dp = kind(1d0)
  type :: matrix
    integer, allocatable :: first(:), column(:)
    real(dp), allocatable :: value(:)
  contains
    procedure :: row_times, times
  end type
contains
  function poisson(n) result(a)
    integer, intent(in) :: n
    type(matrix) :: a
    integer :: i, j, k, row
    allocate (a%first(n * n + 1), a%column(5 * n * n), a%value(5 * n * n))
    k = 1
    do j = 1, n
      do i = 1, n
        row = (j - 1) * n + i
        a%first(row) = k
        call add(row, 4.0_dp)
        if (i > 1) call add(row - 1, -1.0_dp)
        if (i < n) call add(row + 1, -1.0_dp)
        if (j > 1) call add(row - n, -1.0_dp)
        if (j < n) call add(row + n, -1.0_dp)
      end do
    end do
    a%first(n * n + 1) = k
  contains
    subroutine add(col, v)
      integer, intent(in) :: col
      real(dp), intent(in) :: v
      a%column(k) = col
      a%value(k) = v
      k = k + 1
    end subroutine
  end function
  real(dp) function row_times(self, row, x)
    class(matrix), intent(in) :: self
    integer, intent(in) :: row
    real(dp), intent(in) :: x(:)
    integer :: k
    row_times = 0
    do k = self%first(row), self%first(row + 1) - 1
      row_times = row_times + self%value(k) * x(self%column(k))
    end do
  end function
  subroutine times(self, x, y)
    class(matrix), intent(in) :: self
    real(dp), intent(in) :: x(:)
    real(dp), intent(out) :: y(:)
    integer :: row
    do row = 1, size(y)
      y(row) = self%row_times(row, x)
    end do
  end subroutine
  subroutine axpy(f, x, y)
    real(dp), intent(in) :: f, x(:)
    real(dp), intent(inout) :: y(:)
    y = y + f * x
  end subroutine
  real(dp) function dot(x, y)
    real(dp), intent(in) :: x(:), y(:)
    dot = sum(x * y)
  end function
end module
program sparse
  use sparse_matrix
  implicit none
  integer, parameter :: n = 250
  type(matrix) :: a
  real(dp), allocatable :: x(:), r(:), p(:), ap(:)
  real(dp) :: rr, rr_new, alpha
  integer :: k
  a = poisson(n)
  allocate (x(n * n), r(n * n), p(n * n), ap(n * n))
  x = 0; r = 1; p = r
  rr = dot(r, r)
  do k = 1, 1500
    call a%times(p, ap)
    alpha = rr / dot(p, ap)
    call axpy(alpha, p, x)
    call axpy(-alpha, ap, r)
    rr_new = dot(r, r)
    p = r + rr_new / rr * p
    rr = rr_new
  end do
  print '(es14.6)', sum(x)
end program
