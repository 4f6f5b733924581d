# SPDX-License-Identifier: BSD-3-Clause
# Programs that gcc's plugin has compiled do what they do without it, and their counts are those of their hooks.
. "${srcdir:-.}/test/system/lib.sh"
. "$srcdir/test/system/instrument/lib_plugin.sh"

# What takes long is tested with the plugin as gcc builds it. That it works as another compiler builds it, the other tests see.
where_gcc_is_tested() { [[ " ${COMPILERS-gcc clang} " == *" gcc "* ]] || skip "the compilers of this build are $COMPILERS"; }

# What has no hooks is compiled as if nobody had asked for any: not an instruction differs.
same_code() { # SOURCE FLAGS…
    local source=$1 compiler=gcc
    shift
    case $source in *.cpp) compiler=g++ ;; *.f90) compiler=${FC:-gfortran} ;; esac
    $compiler "$@" -c "$source" -o without.o || fail "$compiler $* $source"
    $compiler "$@" -finstrument-functions -fplugin="$plugin" -fplugin-arg-vftrace-gcc-hooks=none -c "$source" -o none.o || fail "$compiler $* $source with the plugin"
    for object in without none; do objdump -dr --no-show-raw-insn $object.o | sed 1,3d >$object.code; done
    [ -s none.code ] || fail "no code"
    cmp -s without.code none.code || fail "$source $*: other code: $(diff without.code none.code | head -10)"
}
test_code_without_hooks_is_the_same_as_without_the_option() {
    needs_plugin
    where_gcc_is_tested
    local level program
    # Without optimisation, variables that nobody uses have a place on the stack.
    for level in -Og -O1 -O2 -O3 -Os; do
        for program in hydro.cpp words.cpp; do same_code "$srcdir/bench/programs/$program" -std=c++17 $level; done
        [ -z "${FC:-}" ] || for program in waves sparse; do same_code "$srcdir/bench/programs/$program.f90" $level; done
    done
    cat >odd.c <<'END'
int nested(int n) { int s = 0; void add(int i) { s += i; } for (int i = 0; i < n; i++) add(i); return s; }
int jumps(void *buffer) { return __builtin_setjmp(buffer); }
int variadic(int n, ...) { __builtin_va_list a; __builtin_va_start(a, n); int s = __builtin_va_arg(a, int); __builtin_va_end(a); return s; }
__attribute__((noreturn)) void stop(void) { for (;;) __asm__ volatile(""); }
void region(int n, double *x)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) x[i] *= 2;
}
END
    for level in -O1 -O2 -O3; do same_code odd.c $level -fopenmp; done
}

# The tests of control flow, with hooks after inlining in every function that is left.
test_control_flow_is_recorded_as_with_early_hooks() {
    needs_plugin
    where_gcc_is_tested
    local script
    with_plugin hooks=after
    for script in exceptions jumps coroutines stacks; do
        (cd "$builddir" && env srcdir="$srcdir" CC=gcc CXX=g++ COMPILERS=gcc instrument="$instrument" AGAIN='' TIMES='' \
            bash "$srcdir/test/system/flow/$script.sh") >"$script.out" 2>&1 || fail "$script.sh: $(grep -v '^ok' "$script.out" | tail -20)"
        grep -q '^ok: ' "$script.out" || fail "$script.sh tested nothing: $(cat "$script.out")"
    done
}

# Each is compiled at every level: same output as without hooks, and the counts that the counting library sees of the same hooks.
same_as_without() { # NAME [FLAGS…]
    local name=$1 optimise level
    shift
    for level in -O0 -Og -O1 -O2 -O3 -Os '-O2 -flto'; do
        # shellcheck disable=SC2034
        optimise=$level
        instrument='' build "$name" "$@"
        run_well "./$name" && cp out out.without
        build "$name" "$@"
        run_counted "./$name"
        run_well "./$name"
        cmp -s out out.without || fail "$level: other output: $(head -3 out), without: $(head -3 out.without)"
        expect_same_counts "${name}_all.log" counts "$name"
        rm -f -- *.log *.vfd
    done
}

test_programs_give_the_same_output_and_the_counts_of_their_hooks() {
    needs_plugin
    where_gcc_is_tested
    config
    # shellcheck disable=SC2034
    nm_flags=-C
    cat >mixed.cpp <<'END'
#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>
struct Shape { virtual ~Shape() = default; virtual double area() const = 0; };
struct Square : Shape { double side; explicit Square(double s) : side(s) {} double area() const override { return side * side; } };
struct Comb : Shape { std::vector<double> teeth; double area() const override { return std::accumulate(teeth.begin(), teeth.end(), 0.0); } };
template <class T> T power(T x, int n) { T result = 1; while (n-- > 0) result *= x; return result; }
static int depth(int n) { if (n == 0) throw std::out_of_range("bottom"); return depth(n - 1) + 1; }
static long even(long n);
static long odd(long n) { return n == 0 ? 0 : even(n - 1); }
static long even(long n) { return n == 0 ? 1 : odd(n - 1); } // tail calls
constexpr int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
int main()
{
    std::vector<std::unique_ptr<Shape>> shapes;
    for (int i = 0; i < 50; i++) {
        shapes.push_back(std::make_unique<Square>(i));
        auto comb = std::make_unique<Comb>();
        for (int j = 0; j < i; j++) comb->teeth.push_back(power(1.01, j));
        shapes.push_back(std::move(comb));
    }
    std::sort(shapes.begin(), shapes.end(), [](const auto &a, const auto &b) { return a->area() < b->area(); });
    double sum = 0;
    for (const auto &shape : shapes) sum += shape->area();
    std::map<std::string, int> words;
    for (int i = 0; i < 1000; i++) words["w" + std::to_string(i % 37)] += i;
    int caught = 0;
    for (int i = 0; i < 20; i++) try { depth(i); } catch (const std::out_of_range &) { caught++; }
    std::vector<std::thread> threads;
    std::vector<double> parts(4);
    for (int t = 0; t < 4; t++) threads.emplace_back([&, t] { for (int i = 0; i < 1000; i++) parts[t] += power(1.0001, i % 50); });
    for (auto &thread : threads) thread.join();
    static_assert(fib(10) == 55);
    std::printf("%.6f %d %d %.6f %ld %d\n", sum, words["w5"], caught, parts[0] + parts[3], even(1000), fib(15));
}
END
    with_plugin
    same_as_without mixed
    with_plugin hooks=after
    same_as_without mixed
}

test_tail_calls_of_functions_without_hooks_stay() {
    needs_plugin
    config
    with_plugin
    # Ten million levels deep: it runs only where the calls are jumps.
    optimise=-O2 build deep.c <<'END'
#include <stdio.h>
long odd(long n);
__attribute__((noinline, noclone)) long even(long n) { return n == 0 ? 1 : odd(n - 1); }
__attribute__((noinline, noclone)) long odd(long n) { return n == 0 ? 0 : even(n - 1); }
int main(void) { printf("%ld\n", even(10000000)); }
END
    run_well ./deep
    expect_same "$(cat out)" 1 output
}

test_pure_calls_are_moved_out_of_loops_as_without_hooks() {
    needs_plugin
    config
    with_plugin
    optimise=-O2 build pure.c <<'END'
#include <stdio.h>
__attribute__((noinline, noclone)) double norm(const double *x) { double s = 0; for (int i = 0; i < 100; i++) s += x[i] * x[i]; return s; }
int main(void)
{
    static double x[100] = {1, 2, 3};
    double s = 0;
    for (int i = 0; i < 1000; i++) s += norm(x) * i;
    printf("%g\n", s);
}
END
    run_well ./pure
    expect_calls pure_all.log norm 1
    expect_same "$(cat out)" 6.993e+06 output
}

test_with_link_time_optimisation_the_plugin_on_the_link_line_puts_hooks_in() {
    needs_plugin
    config
    cat >far.c <<'END'
double near(double);
__attribute__((noinline, noclone)) double far(const double *x, int n) { double s = 0; for (int i = 0; i < n; i++) s += near(x[i]); return s; }
END
    cat >lto.c <<'END'
#include <stdio.h>
double far(const double *, int);
double near(double x) { return x * x; }
int main(void)
{
    double x[100], s = 0;
    for (int i = 0; i < 100; i++) x[i] = i;
    for (int i = 0; i < 1000; i++) { x[i % 100] += 1; s += far(x, 100); }
    printf("%g\n", s);
}
END
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

test_a_profile_of_an_earlier_run_decides() {
    needs_plugin
    config
    guided() {
        cat <<'END'
#include <stdio.h>
// A loop, which is hardly ever reached; and one that is long.
__attribute__((noinline)) int rare(int x) { int s = 0; if (x == 999) for (int i = 0; i < 50; i++) s += i * x; return s + x; }
__attribute__((noinline)) int often(int x) { int s = 0; for (int i = 0; i < 500 + x % 3; i++) s += i ^ s; return s; }
int main(void) { int s = 0; for (int i = 0; i < 1000; i++) s += rare(i) + often(i); printf("%d\n", s); }
END
    }
    guided >source.c
    # With the same hooks before inlining, as the profile is one of the same blocks.
    compile source.c -O2 -fprofile-generate < <(guided)
    gcc -fprofile-generate file.o -o guided && ./guided >/dev/null || fail "no profile"
    compile source.c -O2 -fprofile-use < <(guided)
    expect_decision after often 'long by the profile'
    expect_decision none rare 'short by the profile'
    expect_hooks often
    expect_no_hooks rare
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
        nm cloned | grep -q 'work\.constprop' || fail "there is no clone: $(nm cloned | grep work)"
        run_well ./cloned
        expect_calls cloned_all.log 'work (a.c)' 11
        expect_calls cloned_all.log 'work (b.c)' 22
        rm -f -- *.log
    done
}

test_openmp_constructs_are_recorded_as_without_the_plugin() {
    needs_plugin
    config
    cat >omp.c <<'END'
#include <stdio.h>
double part(int i) { double s = 0; for (int j = 0; j < 100; j++) s += i * j; return s; }
int main(void)
{
    double s = 0;
    #pragma omp parallel for reduction(+ : s) num_threads(4)
    for (int i = 0; i < 1000; i++) s += part(i);
    printf("%g\n", s);
}
END
    cc=gcc optimise='-O2 -fno-inline' build omp -fopenmp
    run_well ./omp
    cp out out.without
    stacks_of omp_all.log | sort >stacks.without
    rm -f -- *.log
    with_plugin
    optimise='-O2 -fno-inline' build omp -fopenmp
    run_well ./omp
    cmp -s out out.without || fail "other output"
    expect_same "$(stacks_of omp_all.log | sort)" "$(cat stacks.without)" "call stacks"
    expect_calls omp_all.log part 1000
}

test_functions_of_odd_kinds() {
    needs_plugin
    with_plugin hooks=after
    config
    optimise=-O2 build odd.c <<'END'
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
static int begun, chosen;
__attribute__((constructor)) static void begin(void) { for (int i = 0; i < 3; i++) begun += i; }
__attribute__((destructor)) static void end(void) { for (int i = 0; i < 3; i++) begun -= i; }
static int plain(int x) { return x + 1; }
static int (*resolve(void))(int) { for (int i = 0; i < 3; i++) chosen += i; return plain; }
int picked(int) __attribute__((ifunc("resolve")));
__attribute__((naked)) int bare(void) { __asm__("mov $7, %eax; ret"); }
__attribute__((always_inline)) static inline int always(int x) { return x * 3; }
static jmp_buf back;
__attribute__((noinline)) static void jump(int n) { longjmp(back, n); }
__attribute__((noinline)) static int catches(int n) { int r = setjmp(back); if (r == 0) jump(n); return r; }
__attribute__((noinline)) static int variadic(int n, ...) { __builtin_va_list a; __builtin_va_start(a, n); int s = 0; while (n--) s += __builtin_va_arg(a, int); __builtin_va_end(a); return s; }
__attribute__((cold, noinline)) static void rare(void) { puts("rare"); }
__attribute__((noreturn, noinline)) static void leave(int code) { fflush(stdout); exit(code); }
static int nested(int n)
{
    __label__ out;
    int found = 0;
    void search(int i) { for (; i < 100; i++) if (i == n) { found = i; goto out; } }
    search(0);
    return -1;
out:
    return found;
}
int main(int argc, char **argv)
{
    (void)argv;
    if (argc > 5) rare();
    printf("%d %d %d %d %d %d %d\n", begun, picked(1), bare(), always(argc), catches(4), variadic(3, 1, 2, 3), nested(42));
    leave(3);
}
END
    run ./odd
    expect_ending 3 "3 2 7 3 4 6 42"
    expect_silence
    expect_calls odd_all.log catches 1
    expect_calls odd_all.log jump 1
    expect_calls odd_all.log leave 1
    expect_calls odd_all.log variadic 1
    expect_stack odd_all.log 'leave<main<init'
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
    same_as_without solve
}

run_tests
