# SPDX-License-Identifier: BSD-3-Clause
# Patching: hook calls of small functions that the compiler has inlined into loops, where it holds their addresses in registers.
. "${srcdir:-.}/test/system/lib.sh"

[ "$(uname -m)" = x86_64 ] || { echo "skip: no text is changed on $(uname -m)" && exit 77; }

# One-line member functions in loops with calls that stay, a switch, an exception and another way out.
program() {
    optimise=-O2 build small.cpp <<'END'
#include <cstdio>
#include <stdexcept>
#include <vector>
struct Grid {
    std::vector<double> cells;
    int width;
    explicit Grid(int n) : cells(static_cast<std::size_t>(n) * n, 1.0), width(n) {}
    double& at(int i, int j) { return cells[static_cast<std::size_t>(i) * width + j]; }
    double get(int i, int j) const { return cells[static_cast<std::size_t>(i) * width + j]; }
    int last() const { return width - 1; }
};
struct Counter {
    int value = 0;
    void add(int n) { value += n; }
    int twice() const { return value * 2; }
    bool even() const { return value % 2 == 0; }
};
__attribute__((noinline)) double watched(double v, int n)
{
    if (n == 7777)
        throw std::runtime_error("far");
    return v * 0.5;
}
__attribute__((noinline)) double sweep(Grid& g, Counter& c)
{
    double sum = 0;
    for (int i = 1; i < g.last(); i++)
        for (int j = 1; j < g.last(); j++) {
            double v = .25 * (g.get(i - 1, j) + g.get(i + 1, j) + g.get(i, j - 1) + g.get(i, j + 1));
            sum += watched(v - g.at(i, j), i * j);
            g.at(i, j) = v;
            c.add(1);
        }
    return sum;
}
__attribute__((noinline)) int choose(Counter& c, int n)
{
    for (int i = 0; i < n; i++)
        switch (c.value % 7) {
        case 0: c.add(watched(2, i) > 0.5 ? 3 : 4); break;
        case 1: c.add(2); break;
        case 2: c.add(c.even() ? 1 : 5); break;
        case 3: c.add(c.twice() % 5 + 1); break;
        case 4: break;
        case 5: watched(1, 0), c.add(1); [[fallthrough]];
        default: c.add(1 + c.even());
        }
    return c.twice();
}
__attribute__((noinline)) int caught(Grid& g, Counter& c, int n)
{
    for (int i = 0; i < n; i++)
        try {
            g.at(1, 1) = watched(g.get(1, 2), i % 10 == 0 ? 7777 : i);
            c.add(1);
        } catch (const std::exception&) {
            c.add(2);
            g.at(2, 2) += 1;
        }
    return c.twice();
}
int main()
{
    Grid g(100);
    Counter c;
    double sum = 0;
    for (int k = 0; k < 10; k++)
        sum += sweep(g, c);
    std::printf("%d\n", choose(c, 5000) + caught(g, c, 200) + (sum > 0));
}
END
}
counts() { # FILTER LIVE_PATCHING: of what is not excluded, in the file counts.LIVE_PATCHING; the note of what was taken out, in the file note
    config "\"include_cxx_prelude\": true, \"filter\": {\"exclude\": {\"functions\": \"$1\"}, \"live_patching\": $2}"
    run_well ./small
    cp out out."$2"
    expect_file small_all.log
    grouped_counts small_all.log | sort >counts."$2"
    grep '^Note: .*taken out' small_all.log >note
    ! grep -q 'ignored: no function' small_all.log || fail "hooks without their other half: $(grep '^Note' small_all.log)"
    rm -f small_all.* ./*.vfd
}

# Issue: the hook call instructions of excluded functions are replaced; counts of functions that are never excluded are exact, whatever is excluded
test_whichever_half_is_excluded_the_counts_of_the_other_are_the_same_as_without_patching() {
    each() {
        local filter
        program
        for filter in '^(..)*$' '^.(..)*$' 'Grid' 'Counter' '::(at|add|even)' '::(get|last|twice)' '^(watched|sweep|choose|caught)'; do
            counts "$filter" false
            counts "$filter" true
            expect_same "$(cat out.true)" "$(cat out.false)" "output of the program without $filter"
            cmp -s counts.true counts.false || fail "counts without $filter ($cc): $(diff counts.false counts.true | head -5)"
            [ -s note ] || fail "nothing was taken out without $filter ($cc)"
        done
    }
    with_each_compiler each
}

# Issue: … and then nothing at all. All places of the loops: 11 calls in sweep, 10 in choose, 7 in caught have two hooks each.
test_hook_calls_in_loops_are_taken_out_with_all_functions_excluded() {
    each() {
        local out stay
        program
        counts . true
        out=$(sed 's/^Note: \([0-9]*\) .*/\1/' note)
        stay=$(sed -n 's/.*; of \([0-9]*\) more there.*/\1/p' note)
        expect_at_least "$out" 100 "hook calls that were taken out ($cc)"
        expect_at_most "${stay:-0}" $((out / 10)) "hook calls that are not certain ($cc)"
    }
    with_each_compiler each
}

# Issue: … where nothing is wanted. small is excluded when it is called for the first time; later calls of it are in other functions, and on a call path that is
# known: within excluded ones all is below main.
test_calls_are_taken_out_of_all_functions_that_a_small_one_is_inlined_into() {
    each() {
        config '"filter": {"exclude": {"functions": "^(small|outer)$"}}'
        optimise=-O2 build others.c "$@" <<'END'
#include <stdio.h>
#include <string.h>
enum { BYTES = 128 };
#define ALONE __attribute__((noinline, aligned(128), no_instrument_function))
static inline int small(int n) { return n % 3 ? n * 5 : n; }
ALONE int first(int n) { return small(n) + 1; }
ALONE int second(int n) { return small(n) + 2; }
__attribute__((noinline, aligned(128))) int outer(int n) { return small(n) + 3; }
static char before[2][BYTES];
static int changed(int which, const void *function)
{
    int n = 0;
    for (int i = 0; i < BYTES; i++)
        n += before[which][i] != ((const char *)function)[i];
    return n;
}
int main(void)
{
    memcpy(before[0], (void *)second, BYTES);
    memcpy(before[1], (void *)outer, BYTES);
    int sum = first(1) + second(2) + outer(3);
    printf("%d %d %d\n", sum, changed(0, (void *)second), changed(1, (void *)outer));
    return 0;
}
END
        run_well ./others
        expect_same "$(cat out)" "24 2 4" "result, and bytes that have changed in second and outer: $cc $*"
    }
    with_each_compiler each
    with_each_compiler each -fno-plt
    with_each_compiler each -no-pie -fno-pie
}

run_tests
