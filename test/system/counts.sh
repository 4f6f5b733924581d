# SPDX-License-Identifier: BSD-3-Clause
# Call counts are exact: against numbers known beforehand, and against the independent counting library.
. "${srcdir:-.}/test/system/lib.sh"
unset COMPILERS # Here, programs of each compiler meet the library of each.

small_program() {
    build small.c "$@" <<'END'
#include <stdio.h>
static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static int leaf(int n) { return n + 1; }
static int work(int n) { int s = 0; for (int i = 0; i < n; i++) s += leaf(i); return s; }
int main(void) { return printf("%d %d\n", fib(15), work(1000)) < 0; }
END
}

test_a_c_program_has_exact_counts_and_stacks() {
    config
    check() {
        small_program
        run_well ./small
        expect_same "$(cat out)" "610 500500" "output of the program"
        expect_calls small_all.log fib 1973
        expect_calls small_all.log leaf 1000
        expect_calls small_all.log work 1
        expect_calls small_all.log main 1
        expect_stack small_all.log 'leaf<work<main<init'
        run_counted ./small
        expect_same_counts small_all.log counts small
    }
    with_each_compiler check
}

test_optimised_and_lto_programs_have_exact_counts() {
    config
    check() {
        for optimise in -O2 '-O3 -flto' '-O2 -foptimize-sibling-calls'; do
            [ "$cc" != clang ] || [ "$optimise" != '-O3 -flto' ] || have ld.lld || have llvm-ar || continue
            small_program
            run_well ./small
            run_counted ./small
            expect_same_counts small_all.log counts small
            done
    }
    with_each_compiler check
}

run_tests
