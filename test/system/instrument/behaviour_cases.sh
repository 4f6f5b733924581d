# SPDX-License-Identifier: BSD-3-Clause
#
# Programs that a compiler's plugin has compiled do what they do without it, and their counts are those of their hooks: what is the same for gcc and
# clang. bash, sourced after lib_plugin.sh by the tests of each.
# shellcheck shell=bash disable=SC2154

# far.c and lto.c, which call each other: a loop that is called 1000 times, and a function that is short.
two_files() {
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
}

# What has no hooks is compiled as if nobody had asked for any: not an instruction differs.
same_code() { # SOURCE FLAGS…
    local source=$1 compiler=$plugin_cc
    shift
    case $source in *.cpp) compiler=$plugin_cxx ;; *.f90) compiler=${FC:-gfortran} ;; esac
    $compiler "$@" -c "$source" -o without.o || fail "$compiler $* $source"
    # shellcheck disable=SC2046
    $compiler "$@" $(flags_with hooks=none) -c "$source" -o none.o || fail "$compiler $* $source with the plugin"
    for object in without none; do objdump -dr --no-show-raw-insn $object.o | sed 1,3d >$object.code; done
    [ -s none.code ] || fail "no code"
    cmp -s without.code none.code || fail "$source $*: other code: $(diff without.code none.code | head -10)"
}
test_code_without_hooks_is_the_same_as_without_the_option() {
    needs_plugin
    where_gcc_is_tested
    local level program
    for level in "${levels_of_same_code[@]}"; do
        for program in hydro.cpp words.cpp; do same_code "$srcdir/bench/programs/$program" -std=c++17 $level; done
        [ "$plugin_cc" != gcc ] || [ -z "${FC:-}" ] || for program in waves sparse; do same_code "$srcdir/bench/programs/$program.f90" $level; done
    done
    cat >odd.c <<'END'
#ifndef __clang__
int nested(int n) { int s = 0; void add(int i) { s += i; } for (int i = 0; i < n; i++) add(i); return s; }
#endif
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
        (cd "$builddir" && env -u CASES srcdir="$srcdir" CC=$plugin_cc CXX=$plugin_cxx COMPILERS=$plugin_cc instrument="$instrument" AGAIN='' TIMES='' \
            bash "$srcdir/test/system/flow/$script.sh") >"$script.out" 2>&1 || fail "$script.sh: $(grep -v '^ok' "$script.out" | tail -20)"
        grep -q '^ok: ' "$script.out" || fail "$script.sh tested nothing: $(cat "$script.out")"
    done
}

# same_as_without PROGRAM LEVEL…: the same output as without hooks, and the counts that the counting library sees of the same hooks.
same_as_without() {
    local name=$1 optimise
    shift
    [ -e out.without ] || { instrument='' linkage=none build "$name" && run_well "./$name" && cp out out.without; } || exit 1
    # shellcheck disable=SC2034
    for optimise; do
        build "$name"
        run_counted "./$name"
        run_well "./$name"
        cmp -s out out.without || fail "$optimise: other output: $(head -3 out), without: $(head -3 out.without)"
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
    with_plugin hooks=after
    same_as_without mixed "${levels[@]}"
    with_plugin # fewer hooks, of the same kinds
    same_as_without mixed -O0 -O2
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
    make_profile
    compile source.c -O2 "$profile_use" < <(guided)
    expect_decision after often 'long by the profile'
    expect_decision none rare 'short by the profile'
    expect_hooks often
    expect_no_hooks rare
}

test_openmp_constructs_are_recorded_as_without_the_plugin() {
    needs_plugin
    needs_openmp
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
    cc=$plugin_cc optimise='-O2 -fno-inline' build omp "${openmp[@]}"
    run_well ./omp
    cp out out.without
    stacks_of omp_all.log | sort >stacks.without
    rm -f -- *.log
    with_plugin
    optimise='-O2 -fno-inline' build omp "${openmp[@]}"
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
#ifdef __clang__
static int nested(int n) { return n; }
#else
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
#endif
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

test_functions_with_odd_bodies_and_names() {
    needs_plugin
    with_plugin hooks=after
    config
    odd_bodies() { # LEVEL
        optimise=$1 build bodies.cpp <<'END'
#include <csetjmp>
#include <cstdio>
#include <functional>
#include <initializer_list>
#include <stdexcept>
#define N __attribute__((noinline))
extern "C" N int labelled(int x) __asm__("label.of$the_program");
extern "C" N int labelled(int x) { return x + 1; }
// A jump to a computed address, and a block of the assembler that jumps.
extern "C" N int computed(int n)
{
    static void *const steps[] = {&&add, &&twice, &&end};
    int x = 1, i = 0;
    goto *steps[i];
add: x += n; goto *steps[++i];
twice: x *= 2; goto *steps[++i];
end: return x;
}
extern "C" N int by_assembler(int x)
{
#ifdef __x86_64__
    __asm__ goto("test %0, %0; jz %l1" : : "r"(x) : "cc" : zero);
#else
    if (x == 0) goto zero;
#endif
    return 1;
zero: return 0;
}
extern "C" N int original(int x) { return x * 5; }
extern "C" int second_name(int) __attribute__((alias("original")));
extern "C" __attribute__((weak)) int feeble(int x) { return x * 7; }
static std::jmp_buf back;
extern "C" N void jumps() { std::longjmp(back, 1); }
extern "C" N int sets(int n) { if (setjmp(back) == 0) jumps(); return n; }
struct Static { int value; N explicit Static(int v) : value(v) {} N ~Static() { value = 0; } };
N Static &in_function() { static Static one(3); return one; }
N Static &in_thread() { thread_local Static one(4); return one; }
N int tries(int n) try { if (n) throw std::runtime_error("n"); return 0; } catch (const std::exception &e) { return e.what()[0]; }
struct Quits { int &count; N ~Quits() { count++; } };
N int unwinds(int n, int &count) { Quits one{count}, two{count}; if (n > 2) throw n; return n; }
template <class... T> N int sum(T... all) { return (0 + ... + all); }
N int calls_back(const std::function<int(int)> &f) { return f(1) + f(2); }
N int list(std::initializer_list<int> all) { int s = 0; for (int i : all) s += i; return s; }
struct Base { virtual ~Base() = default; N virtual int f() { return 1; } };
struct Other { virtual ~Other() = default; N virtual int g() { return 2; } };
struct Both : Base, Other { N int f() override { return 3; } N int g() final { return 4; } }; // g has a thunk
extern "C" N void nothing() { __asm__ volatile(""); }
extern "C" N unsigned long wide(double a, long double b, __int128 c, float d) { return (unsigned long)(a + (double)b + (double)d) + (unsigned long)c; }
struct Big { double x[40]; };
extern "C" N Big big(int n) { Big b{}; b.x[n] = n; return b; }
int main()
{
    int count = 0, caught = 0;
    for (int n = 0; n < 5; n++) try { unwinds(n, count); } catch (int m) { caught += m; }
    Both both;
    Base &base = both;
    Other &other = both;
    nothing();
    std::printf("%d %d %d %d %d %d %d %d %d\n", labelled(1), computed(4), by_assembler(0) + by_assembler(2), second_name(2), feeble(1), sets(6), in_function().value, in_thread().value, tries(1));
    std::printf("%d %d %d %d %d %d %lu %g\n", count, caught, sum(1, 2, 3) + sum(4), calls_back([&](int x) { return x + count; }), list({1, 2}), base.f() * 10 + other.g(), wide(1, 2, 3, 4), big(7).x[7]);
}
END
        run_counted ./bodies
        run_well ./bodies
        expect_same "$(cat out)" $'2 10 1 10 7 6 3 4 110\n10 7 10 23 3 34 10 7' "output at $1"
        nm_flags=-C expect_same_counts bodies_all.log counts bodies
        # What has no effect is computed by the compiler.
        for function in feeble jumps nothing 'tries(int)'; do expect_calls bodies_all.log "$function" 1; done
        expect_calls bodies_all.log 'unwinds(int, int&)' 5
        expect_calls bodies_all.log 'Quits::~Quits()' 10
        rm -f -- *.log
    }
    for level in -O0 '-O2 -g' -O3; do odd_bodies "$level"; done
}
