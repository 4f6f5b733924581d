# SPDX-License-Identifier: BSD-3-Clause
# Programs that gcc's plugin has compiled do what they do without it, and their counts are those of their hooks.
. "${srcdir:-.}/test/system/lib.sh"
. "$srcdir/test/system/instrument/lib_plugin.sh"
. "$srcdir/test/system/instrument/behaviour_cases.sh"

test_with_link_time_optimisation_the_plugin_on_the_link_line_puts_hooks_in() {
    needs_plugin
    config
    two_files
    with_plugin
    # shellcheck disable=SC2086
    gcc $instrument -O2 -flto -c far.c lto.c || fail "gcc -c"
    # shellcheck disable=SC2046,SC2086
    gcc $instrument -O2 -flto far.o lto.o -o lto $(link_flags) || fail "gcc"
    run_well ./lto
    expect_calls lto_all.log main 1
    expect_calls lto_all.log near 0
    expect_calls lto_all.log far 1000
    rm -f -- *.log
    # Without it there, what has hooks before inlining is left.
    # shellcheck disable=SC2046
    gcc -O2 -flto far.o lto.o -o lto $(link_flags) || fail "gcc without the plugin"
    run_well ./lto
    expect_calls lto_all.log main 1
    expect_calls lto_all.log far 0
}

test_clones_have_the_name_of_their_function() {
    needs_plugin
    config
    with_plugin hooks=after
    local debug
    for file in a b; do
        cat >$file.c <<END
// Called with one value of n only, so that gcc makes a variant for it; and as a pointer, so that the function itself stays.
__attribute__((noinline)) static int work(int x, int n) { int s = 0; for (int i = 0; i < x; i++) s += i * n; return s; }
int (*pointer_$file)(int, int) = work;
int $file(int x) { int s = 0; for (int i = 0; i < 10; i++) s += work(x + i, 7); return s + pointer_$file(x, x); }
END
    done
    echo '#include <stdio.h>
int a(int), b(int);
int main(void) { printf("%d\n", a(3) + b(4) + b(5)); }' >cloned.c
    for debug in -g -g0; do
        optimise=-O3 build cloned a.c b.c $debug
        "${NM:-nm}" cloned | grep -q 'work\.constprop' || fail "there is no clone: $("${NM:-nm}" cloned | grep work)"
        run_well ./cloned
        expect_calls cloned_all.log 'work (a.c)' 11
        expect_calls cloned_all.log 'work (b.c)' 22
        rm -f -- *.log
    done
}

test_fortran_programs_are_the_same() {
    needs_plugin
    [ -n "${FC:-}" ] || skip "no Fortran compiler"
    config
    with_plugin hooks=after
    # Tables show Fortran's names without the decoration that nm shows.
    expect_same_counts() { expect_calls "$1" MAIN 1; }
    cat >solve.F90 <<'END'
module solver
  implicit none
contains
  recursive integer function depth(n) result(r)
    integer, intent(in) :: n
    r = 0
    if (n > 0) r = depth(n - 1) + 1
  end function
  subroutine sweep(x, n)
    integer, intent(in) :: n
    real(8), intent(inout) :: x(n)
    integer :: i
    do i = 2, n - 1
      x(i) = (x(i - 1) + x(i + 1)) / 2
    end do
  end subroutine
end module
program main
  use solver
  implicit none
  real(8) :: x(100)
  integer :: k
  x = 0
  x(100) = 1
  do k = 1, 200
    call sweep(x, 100)
  end do
  print '(f10.6, i4)', sum(x), depth(9)
contains
  subroutine inner()
    print *, 'inner'
  end subroutine
end program
END
    same_as_without solve "${levels[@]}"
}

run_tests
