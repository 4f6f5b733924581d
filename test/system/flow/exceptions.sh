# SPDX-License-Identifier: BSD-3-Clause
# C++ exceptions.
. "${srcdir:-.}/test/system/lib.sh"

test_cxx_exceptions_keep_counts_and_stacks() {
    config
    check() {
        for optimise in -O0 -O2; do
            build thrower.cpp <<'END'
#include <cstdio>
struct Guard {
    ~Guard();
};
extern "C" {
__attribute__((noinline)) void leaf() { __asm__ volatile(""); }
__attribute__((noinline)) void cleanup() { leaf(); }
__attribute__((noinline)) void thrower(int n) { leaf(); throw n; }
__attribute__((noinline)) void passer(int n) { Guard guard; thrower(n); }
__attribute__((noinline)) void outer(int n) { passer(n); __asm__ volatile(""); }
__attribute__((noinline)) int catcher(int n)
{
    try {
        outer(n);
    } catch (int value) {
        leaf();
        return value;
    }
    return 0;
}
}
Guard::~Guard() { cleanup(); }
int main()
{
    long sum = 0;
    for (int i = 0; i < 2000; i++)
        sum += catcher(i);
    leaf();
    std::printf("%ld\n", sum);
}
END
            run_well ./thrower
            expect_same "$(cat out)" 1999000 "output"
            for f in catcher outer passer thrower cleanup; do expect_calls thrower_all.log $f 2000; done
            expect_calls thrower_all.log leaf 6001
            expect_stack thrower_all.log 'leaf<main<init'
            expect_stack thrower_all.log 'leaf<catcher<main<init'
            expect_stack thrower_all.log 'leaf<thrower<passer<outer<catcher<main<init'
            stacks_at_most thrower_all.log 13
            rm -f -- *.log
        done
    }
    with_each_compiler check
}

run_tests
