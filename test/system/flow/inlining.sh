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

run_tests
