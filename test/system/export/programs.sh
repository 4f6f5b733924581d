# SPDX-License-Identifier: BSD-3-Clause
# Programs of all kinds in all formats: each has the calls that the log has, under the same names, and the times that the others have.
. "${srcdir:-.}/test/system/export/lib_export.sh"

have python3 || { echo "skip: no python3" && exit 77; }
find_python_of_otf2

# Issue: serial, 4 threads
test_threads() {
    build threads.c -pthread <<'END'
#include <pthread.h>
static int leaf(int n) { return n; }
static void *worker(void *n) { for (long i = 0; i < 10 + (long)n; i++) leaf((int)i); return n; }
int main(void)
{
    pthread_t threads[4];
    for (long i = 0; i < 4; i++)
        pthread_create(&threads[i], 0, worker, (void *)i);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], 0);
    return leaf(0);
}
END
    config '"sampling": {"active": true, "sample_interval": 0}'
    run_well ./threads
    expect_calls threads_all.log leaf 47
    expect_functions_in_all_formats threads_all.log threads_0.vfd
}

# Issue: C++ names with every bracket
test_names_of_cxx_with_every_bracket() {
    build names.cpp <<'END'
#define N __attribute__((noinline))
template <class T, char c> struct Box { N T operator()(T n) const { return n + c; } N T operator[](T n) const { return n; } };
N bool operator<(const Box<int, '<'> &, int n) { return n > 0; }
N int operator<<=(Box<int, ';'>, int n) { return n; }
N int operator->*(Box<int, ';'>, int n) { return n; }
template <int (*f)(int)> N int calls(int n) { return f(n); }
N int in(int n) { return n; }
namespace räume { N int größe(int n) { return n; } }
int main()
{
    int s = 0;
    for (int i = 0; i < 10; i++) {
        auto lambda = [&](int n) N { return n + i; };
        s += Box<int, '('>()(i) + Box<int, '"'>()(i) + Box<int, '\''>()[i] + Box<int, '\\'>()(i) + (Box<int, '<'>() < i) + (Box<int, ';'>() <<= i) + (Box<int, ';'>()->*i);
        s += calls<in>(i) + räume::größe(i) + lambda(i);
    }
    return s == 0;
}
END
    config '"sampling": {"active": true, "sample_interval": 0}'
    run_well ./names
    expect_at_least "$(grouped_counts names_all.log | grep -c '[][(<;"{]')" 9 "names with brackets"
    expect_functions_in_all_formats names_all.log names_0.vfd
}

# Issue: `;` and newlines in names replaced. Names are what the symbols of a program say, whatever that is.
test_names_with_what_separates_lines_and_fields() {
    have objcopy || skip "no objcopy"
    build separates.c <<'END'
static int lines(int n) { return n; }
static int fields(int n) { return lines(n) + lines(n); }
int main(void) { return fields(0); }
END
    objcopy --redefine-sym lines=$'two\nli;nes\r' --redefine-sym fields=$'a,"b"\t;c}(1) 7 <&e>' separates || fail "objcopy"
    config '"sampling": {"active": true, "sample_interval": 0}'
    run_well ./separates
    expect_calls separates_all.log 'two?li;nes?' 2
    grouped_counts separates_all.log | grep -qxF $'1\ta,"b"?;c}(1) 7 <&e>' || fail "names in the log: $(grouped_counts separates_all.log)"
    expect_functions_in_all_formats separates_all.log separates_0.vfd
}

# Issue: Fortran
test_fortran() {
    [ -n "${FC:-}" ] || skip "no Fortran compiler"
    build steps.F90 <<'END'
module plate
contains
    subroutine relax(x)
        real, intent(inout) :: x(:)
        x(2:size(x) - 1) = 0.5 * (x(1:size(x) - 2) + x(3:))
    end subroutine
    recursive integer function depth(n) result(d)
        integer, intent(in) :: n
        d = 0
        if (n > 0) d = depth(n - 1) + 1
    end function
end module
program steps
    use plate
    real :: x(100) = 1.0
    integer :: i
    do i = 1, 20
        call relax(x)
    end do
    if (depth(30) /= 30) stop 1
end program
END
    config '"sampling": {"active": true, "sample_interval": 0}'
    run_well ./steps
    expect_functions_in_all_formats steps_all.log steps_0.vfd
}

# Issue: 3000-deep recursion. Of two functions that call each other, as one that calls itself is one call path.
test_a_recursion_of_3000_calls() {
    build deep.c <<'END'
static int odd(int n);
static int even(int n) { return n == 0 ? 0 : odd(n - 1) + 1; }
static int odd(int n) { return even(n - 1) + 1; }
static int leaf(int n) { return n; }
int main(void) { return leaf(even(2998)) != 2998; }
END
    config '"sampling": {"active": true, "sample_interval": 0}, "max_recursion": 5000'
    run_well ./deep
    expect_calls deep_all.log even 1500
    expect_calls deep_all.log odd 1499
    expect_functions_in_all_formats deep_all.log deep_0.vfd
    expect_same "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "depth") column = i } NR > 1 && $column > most { most = $column } END { print most }' of.csv)" 3000 "the depth of the deepest call path"
}

# Issue: 10^6 paths (as many are in the bench)
test_fifty_thousand_call_paths() {
    build wide.c <<'END'
typedef void function(int depth);
static function *const all[36];
#define F(i) static void f##i(int depth) { for (int j = 0; j < 36 && depth; j++) all[j](depth - 1); }
#define SIX(X, i) X(i##0) X(i##1) X(i##2) X(i##3) X(i##4) X(i##5)
#define EACH(X) SIX(X, 0) SIX(X, 1) SIX(X, 2) SIX(X, 3) SIX(X, 4) SIX(X, 5)
#define NAME(i) f##i,
EACH(F)
static function *const all[36] = {EACH(NAME)};
int main(void)
{
    for (int j = 0; j < 36; j++)
        all[j](2);
    return 0;
}
END
    config '"sampling": {"active": true, "sample_interval": 0}'
    run_well ./wide
    expect_calls wide_all.log f35 $((1 + 36 + 36 * 36))
    expect_functions_in_all_formats wide_all.log wide_0.vfd
    expect_same "$(wc -l <of.csv)" $((1 + 2 + 36 + 36 * 35 + 36 * 35 * 35)) "rows of the call paths, on which none calls itself"
}

# Issue: OpenMP; OpenMP regions, regions of the user likewise
test_openmp_and_regions() {
    echo 'int main(void) { return 0; }' | $cc -fopenmp -x c - -o nothing 2>err || skip "no OpenMP for $cc"
    build omp.c -fopenmp <<'END'
#include <vftrace.h>
static int leaf(int n) { return n; }
static void loop(void)
{
#pragma omp parallel for num_threads(4)
    for (int i = 0; i < 40; i++)
        leaf(i);
}
int main(void)
{
    for (int i = 0; i < 3; i++) {
        vftrace_region_begin("part {one}; \"all\"");
        loop();
        vftrace_region_end("part {one}; \"all\"");
    }
    return 0;
}
END
    config '"sampling": {"active": true, "sample_interval": 0}, "openmp": {"active": true}'
    run_well ./omp
    expect_calls omp_all.log leaf 120
    expect_calls omp_all.log 'part {one}; "all"' 3
    expect_functions_in_all_formats omp_all.log omp_0.vfd
}

# Issue: files of running programs
test_a_program_that_runs() {
    build runs.c <<'END'
#include <stdio.h>
#include <unistd.h>
static void leaf(void) {}
static void before(void) { for (int i = 0; i < 8; i++) leaf(); }
int main(void)
{
    before();
    printf("%d\n", (int)getpid());
    fflush(stdout);
    getchar();
    return 0;
}
END
    config '"sampling": {"active": true, "sample_interval": 0}'
    begin ./runs
    report runs_*.tmpvfd
    expect_calls report leaf 8
    expect_functions_in_all_formats report "$(echo runs_*.tmpvfd)"
    end_it
    expect_status 0
    expect_functions_in_all_formats runs_all.log runs_0.vfd
}

run_tests
