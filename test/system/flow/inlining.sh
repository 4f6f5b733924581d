# SPDX-License-Identifier: BSD-3-Clause
# Calls that the compiler changes: tail calls, inlining, optimisation of the whole program, functions without hooks in between.
. "${srcdir:-.}/test/system/lib.sh"

test_sibling_calls_keep_the_counts() {
    config
    check() {
        optimise='-O2 -foptimize-sibling-calls' build siblings.c <<'END'
__attribute__((noinline)) static int last(int n) { __asm__ volatile(""); return n; }
__attribute__((noinline)) static int odd(int n);
__attribute__((noinline)) static int even(int n) { return n == 0 ? last(1) : odd(n - 1); }
__attribute__((noinline)) static int odd(int n) { return n == 0 ? last(0) : even(n - 1); }
int main(void)
{
    int sum = 0;
    for (int i = 0; i < 100; i++)
        sum += even(50);
    return sum != 100;
}
END
        run_well ./siblings
        run_counted ./siblings
        expect_same_counts siblings_all.log counts siblings
        expect_at_most "$(stacks_of siblings_all.log | wc -l)" 30 "call stacks"
    }
    with_each_compiler check
}

# Issue: -flto, inlined functions, no_instrument_function mixes: with both compilers and optimisation of the whole program, counts are those of an
# independent counter, and each function is below one that calls it.
test_inlining_mixes_and_whole_program_optimisation_keep_the_counts() {
    config
    check() {
        cat >other.c <<'END'
#define QUIET __attribute__((no_instrument_function))
void leaf(void);
void call_back(void (*f)(int), int n);
static inline __attribute__((always_inline)) void inlined(int n) { leaf(); if (n) leaf(); }
static QUIET void quiet(void (*f)(int), int n) { f(n); leaf(); }
void call_back(void (*f)(int), int n) { inlined(n); quiet(f, n); inlined(0); }
END
        cat >mixed.c <<'END'
#define QUIET __attribute__((no_instrument_function))
#define N __attribute__((noinline))
void call_back(void (*f)(int), int n);
N void leaf(void) { __asm__ volatile(""); }
static void seen(int n) { leaf(); if (n > 0) call_back(seen, n - 1); }
static QUIET N void hidden(int n) { seen(n); leaf(); }
static int tail(int n) { leaf(); return n; }
static N int calls_tail(int n) { leaf(); return tail(n + 1); }
static inline int twice(int n) { return calls_tail(n) + calls_tail(n + 1); }
int main(void)
{
    int sum = 0;
    for (int i = 0; i < 50; i++) {
        call_back(hidden, i % 4);
        sum += twice(i);
    }
    leaf();
    return sum == 0;
}
END
        local flags
        for flags in -O0 '-O2 -foptimize-sibling-calls' '-O3 -flto' '-O2 -finstrument-functions-after-inlining'; do
            case $cc$flags in
            gcc*after*) continue ;;
            clang*lto*)
                have ld.lld || continue
                flags="$flags -fuse-ld=lld"
                ;;
            esac
            optimise=$flags
            case $flags in *after*) instrument= ;; *) unset instrument ;; esac
            build mixed other.c
            run_well ./mixed
            run_counted ./mixed
            expect_same_counts mixed_all.log counts mixed
            expect_stack mixed_all.log 'leaf<main<init'
            ! stacks_of mixed_all.log | grep -qE 'hidden|quiet' || fail "a function without hooks is in the tree"
            [ "$flags" = -O0 ] || continue
            expect_stack mixed_all.log 'leaf<inlined<call_back<main<init'
            expect_stack mixed_all.log 'leaf<seen<call_back<main<init'
            expect_stack mixed_all.log 'leaf<tail<calls_tail<twice<main<init'
        done
    }
    with_each_compiler check
}

run_tests
