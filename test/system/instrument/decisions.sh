# SPDX-License-Identifier: BSD-3-Clause
# Which functions gcc's plugin gives hooks, by its report and by the object files.
. "${srcdir:-.}/test/system/lib.sh"
. "$srcdir/test/system/instrument/lib_plugin.sh"
. "$srcdir/test/system/instrument/decision_cases.sh"

test_lists_name_functions_of_fortran_as_tables_do() {
    needs_plugin
    [ -n "${FC:-}" ] || skip "no Fortran compiler"
    printf 'shape::area\n' >include
    compile source.f90 -O2 include=include <<'END'
module shape
contains
  real function area(x)
    real, intent(in) :: x
    area = x * x
  end function
  real function total(x, n)
    integer, intent(in) :: n
    real, intent(in) :: x(n)
    integer :: i
    total = 0
    do i = 1, n
      total = total + x(i) * total
    end do
  end function
  real function short(x)
    real, intent(in) :: x
    short = x + 1
  end function
end module
END
    expect_hooks __shape_MOD_area
    expect_hooks __shape_MOD_total
    expect_no_hooks __shape_MOD_short
    expect_decision after shape::total 'a loop'
}

run_tests
