! SPDX-License-Identifier: BSD-3-Clause
!
! Waves on a membrane: module procedures on arrays, one short function that is called for each point.
module membrane
  implicit none
  integer, parameter :: dp = kind(1d0)
contains
  pure real(dp) function curvature(u, i, j)
    real(dp), intent(in) :: u(:, :)
    integer, intent(in) :: i, j
    curvature = u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1) - 4 * u(i, j)
  end function
  subroutine step(before, now, after)
    real(dp), intent(in) :: before(:, :), now(:, :)
    real(dp), intent(inout) :: after(:, :)
    integer :: i, j
    do j = 2, size(now, 2) - 1
      do i = 2, size(now, 1) - 1
        after(i, j) = 2 * now(i, j) - before(i, j) + 0.1_dp * curvature(now, i, j)
      end do
    end do
  end subroutine
  real(dp) function energy(before, now)
    real(dp), intent(in) :: before(:, :), now(:, :)
    energy = sum((now - before)**2) + 0.1_dp * sum((now(2:, :) - now(:size(now, 1) - 1, :))**2)
  end function
  subroutine strike(u, i, j)
    real(dp), intent(inout) :: u(:, :)
    integer, intent(in) :: i, j
    u(i, j) = u(i, j) + 1
  end subroutine
end module
program waves
  use membrane
  implicit none
  integer, parameter :: n = 300
  real(dp) :: u(n, n, 3), total
  integer :: k, a, b, c
  u = 0
  total = 0
  a = 1; b = 2; c = 3
  do k = 1, 5000
    if (mod(k, 500) == 1) call strike(u(:, :, b), n / 2, n / 3)
    call step(u(:, :, a), u(:, :, b), u(:, :, c))
    if (mod(k, 10) == 0) total = total + energy(u(:, :, b), u(:, :, c))
    k_rotate: block
      integer :: t
      t = a; a = b; b = c; c = t
    end block k_rotate
  end do
  print '(es14.6)', total
end program
