# SPDX-License-Identifier: BSD-3-Clause
# Fortran's procedures have the names of the source, and are found by these and by the linker's.
. "${srcdir:-.}/test/system/lib.sh"

fortran_program() {
    [ -n "${FC:-}" ] || skip "no Fortran compiler"
    build shapes.F90 <<'END'
module shapes
  implicit none
  type :: square
    real :: a = 2
  contains
    procedure :: area => area_of_square
  end type
  interface
    module subroutine grow(s)
      type(square), intent(inout) :: s
    end subroutine
  end interface
contains
  real function area_of_square(this)
    class(square), intent(in) :: this
    area_of_square = this%a**2
  end function
end module
submodule (shapes) growing
contains
  module subroutine grow(s)
    type(square), intent(inout) :: s
    call by_one(s)
  end subroutine
  subroutine by_one(s)
    type(square), intent(inout) :: s
    s%a = s%a + 1
  end subroutine
end submodule
subroutine alone(x)
  real, intent(inout) :: x
  call within
contains
  subroutine within
    x = x + 1
  end subroutine
end subroutine
program test
  use shapes
  type(square) :: s
  real :: x = 0
  integer :: i
  do i = 1, 7
    x = x + s%area()
    call grow(s)
    call alone(x)
  end do
end program
END
}

# Issue: Fortran: clover_module::clover_exchange, not __clover_module_MOD_clover_exchange
test_procedures_are_named_as_in_the_source() {
    fortran_program
    config '"sampling": {"active": true, "sample_interval": 0}'
    run_well ./shapes
    for name in shapes::area_of_square shapes::grow shapes::growing::by_one alone; do
        expect_calls shapes_all.log "$name" 7
    done
    expect_stack shapes_all.log 'shapes::growing::by_one<shapes::grow<MAIN<main<init'
    ! grep -E '_MOD_|MAIN__' shapes_all.log || fail "names of the linker"
    run "$vftr" dump shapes_*[0-9].vfd
    expect_status 0
    grep -q 'shapes::growing::by_one<shapes::grow<MAIN<main<init' out || fail "the dump has other names: $(head -40 out)"
}

# Issue: Fortran: internal procedures (outer::inner), where the debug information tells whose they are
test_internal_procedures_have_their_host() {
    needs LIBDW
    fortran_program
    config
    run_well ./shapes
    expect_calls shapes_all.log alone::within 7
    expect_stack shapes_all.log 'alone::within<alone<MAIN<main<init'
    for expression in '^alone::within$' '^within$'; do
        config "\"filter\": {\"exclude\": {\"functions\": \"$expression\"}}"
        run_well ./shapes
        expect_calls shapes_all.log alone::within 0
        expect_calls shapes_all.log alone 7
    done
    config
    strip -g shapes
    run_well ./shapes
    expect_calls shapes_all.log within 7
}

# Issue: Fortran: clover_module::clover_exchange (filters that were written for the linker's names go on working)
test_filters_match_the_shown_name_and_the_linkers() {
    fortran_program
    for expression in '^shapes::area_of_square$' '^__shapes_MOD_area_of_square$'; do
        config "\"filter\": {\"exclude\": {\"functions\": \"$expression\"}}"
        run_well ./shapes
        expect_calls shapes_all.log shapes::area_of_square 0
        expect_calls shapes_all.log shapes::grow 7
        ! grep 'no function that was called matches' shapes_all.log || fail "$expression matched nothing"
    done
    config '"filter": {"include": {"functions": "^MAIN__$"}}, "strip_module_names": true'
    run_well ./shapes
    expect_calls shapes_all.log MAIN 1
    expect_calls shapes_all.log grow 0
    config '"strip_module_names": true'
    run_well ./shapes
    expect_calls shapes_all.log by_one 7
}

# Issue: the option demangle_cxx is ignored by vftr report --config (and so was strip_module_names).
test_a_report_strips_names_of_modules_as_its_configuration_says() {
    fortran_program
    config '"sampling": {"active": true}'
    run_well ./shapes
    expect_calls shapes_all.log shapes::grow 7
    config '"strip_module_names": true'
    report shapes_0.vfd
    expect_calls report grow 7
    report shapes_all.vfd
    expect_calls report shapes::grow 7
    grep -q '("strip_module_names": false)' report.err || fail "nothing is said: $(cat report.err)"
}

# Issue: dot of C and its binding for Fortran, dot_, were one function.
test_a_binding_for_fortran_is_another_function_than_what_it_binds() {
    [ -n "${FC:-}" ] || skip "no Fortran compiler"
    cat >blas.c <<'END'
double dot(int n, double *x) { return n * *x; }
void dot_(int *n, double *x, double *result) { *result = dot(*n, x); *result += dot(*n, x); }
END
    $cc -finstrument-functions -c blas.c || fail "blas.c cannot be compiled"
    build caller.F90 blas.o <<'END'
subroutine main(x)
  double precision :: x, y
  call dot(3, x, y)
  x = y
end subroutine
program p
  double precision :: x = 1
  call main(x)
end program
END
    config
    run_well ./caller
    expect_calls caller_all.log dot 2
    expect_calls caller_all.log dot_ 1
    expect_stack caller_all.log 'dot<dot_<main_<MAIN<main<init'
}

run_tests
