# SPDX-License-Identifier: BSD-3-Clause
#
# Which functions a compiler's plugin gives hooks, by its report and by the object files: what is the same for gcc and clang. bash, sourced after
# lib_plugin.sh by the tests of each.
# shellcheck shell=bash disable=SC2154

shapes() {
    cat <<'END'
struct Cell { double value[64]; };
static inline double at(const struct Cell *c, int i) { return c->value[i]; }
__attribute__((noinline)) double first(const struct Cell *c) { return at(c, 0) + 1; }
__attribute__((noinline)) double total(const struct Cell *c) { double s = 0; for (int i = 0; i < 64; i++) s += at(c, i) * s + 1; return s; }
#define FOUR(x) x x x x
#define SIXTEEN(x) FOUR(FOUR(x))
volatile double sink;
__attribute__((noinline)) double straight(double x) { FOUR(SIXTEEN(x = x * 1.5 + sink; sink = x;)) return x; }
static double once(const struct Cell *c) { double s = 1; for (int i = 0; i < 64; i++) s *= at(c, i) + s; return s; }
static double few(const struct Cell *c) { double s = 1; for (int i = 0; i < 4; i++) s *= at(c, i) + s; return s; }
double caller(const struct Cell *c) { return once(c) * few(c) * first(c); }
__attribute__((no_instrument_function, noinline)) double never(const struct Cell *c) { double s = 0; for (int i = 0; i < 64; i++) s -= at(c, i) * s; return s; }
int main(void) { struct Cell c = {{1}}; return (int)(first(&c) + total(&c) + straight(1) + caller(&c) + never(&c)); }
END
}

test_what_is_long_has_hooks_after_inlining_and_what_is_short_has_none() {
    needs_plugin
    for level in -O1 -O2 -O3 -Os '-O2 -fno-inline' "${other_levels[@]}"; do
        # shellcheck disable=SC2086
        compile source.c $level < <(shapes)
        expect_decision before main 'the main program'
        expect_decision after total 'a loop'
        expect_decision after straight 'long'
        expect_decision none first 'short'
        for function in main total straight; do expect_hooks $function; done
        for function in first at never; do expect_no_hooks $function; done
        [ "$(cut -f2 decisions | grep -c never)" = 0 ] || fail "$level: a decision about what has no hooks: $(grep never decisions)"
    done
}

test_what_is_inlined_is_named_with_where_it_went() {
    needs_plugin
    compile source.c -O2 < <(shapes)
    expect_decision inlined few '^into caller$'
    expect_decision inlined at '^into total$'
    expect_no_hooks few
}

test_a_function_that_takes_long_is_not_inlined() {
    needs_plugin
    compile source.c -O2 < <(shapes)
    expect_decision after once 'a loop'
    expect_hooks once
    compile source.c -O2 min-keep-size=0 < <(shapes)
    expect_decision inlined once '^into caller$'
    expect_no_hooks once
    expect_hooks caller # by the loop of the other
}

test_without_optimisation_the_body_as_written_decides() {
    needs_plugin
    for level in "${unoptimised[@]}"; do
        compile source.c $level < <(shapes)
        expect_decision before total 'a loop'
        expect_decision before straight 'long'
        expect_decision none first 'short'
        for function in main total straight once; do expect_hooks $function; done
        for function in first at never; do expect_no_hooks $function; done
    done
}

test_modes_are_for_all_functions() {
    needs_plugin
    compile source.c -O2 hooks=before < <(shapes)
    for function in main total straight first caller; do expect_hooks $function; done
    expect_decision before at 'hooks=before'
    mv hooks with
    $plugin_cc -x c -finstrument-functions -O2 -c -o file.o - < <(shapes) || fail "$plugin_cc"
    hooks_in file.o >hooks
    expect_same "$(cat with)" "$(cat hooks)" "hooks with hooks=before, and without the plugin"
    compile source.c -O2 hooks=after < <(shapes)
    for function in main total straight first caller; do expect_hooks $function; done
    expect_no_hooks few
    compile source.c -O2 hooks=none < <(shapes)
    [ ! -s hooks ] || fail "hooks=none leaves $(cat hooks)"
    expect_decision none main 'hooks=none'
}

test_sizes_are_bounds() {
    needs_plugin
    compile source.c -O2 min-late-size=0 < <(shapes)
    expect_hooks first
    compile source.c -O2 min-late-size=1000000 < <(shapes)
    expect_no_hooks straight
    expect_hooks total # a loop is long, whatever it has of statements
    compile source.c -O0 min-size=1 < <(shapes)
    expect_hooks first
    compile source.c -O0 min-size=1000000 < <(shapes)
    expect_no_hooks straight
}

test_lists_decide_before_all_rules() {
    needs_plugin
    printf '# hot\n/^fir/\n' >include
    printf 'total\nmain\nstraight\n' >exclude
    for level in -O0 -O2; do
        compile source.c $level include=include exclude=exclude < <(shapes)
        for function in total main straight; do
            expect_no_hooks $function
            expect_decision none $function 'a list excludes it'
        done
        expect_hooks first
        expect_decision before first 'a list includes it'
    done
    compile source.c -O2 hooks=none include=include < <(shapes)
    expect_hooks first
    expect_no_hooks main
}

test_what_a_list_includes_is_seen_where_it_is_inlined() {
    needs_plugin
    echo inner >include
    compile source.c -O2 hooks=none include=include <<'END'
__attribute__((always_inline)) static inline int inner(int x) { return x * 3; }
int outer(int x) { return inner(x) + 1; }
END
    expect_hooks outer # those of inner
    expect_decision before inner 'a list includes it'
}

test_lists_name_functions_of_cxx_as_tables_do() {
    needs_plugin
    printf 'geo::Box::side(int) const\ngeo::twice\n' >include
    compile source.cpp -O2 include=include <<'END'
namespace geo {
struct Box { int n; int side(int) const; int side(long) const; };
int Box::side(int i) const { return n + i; }
int Box::side(long i) const { return n - (int)i; }
template <class T> __attribute__((noinline)) T twice(T x) { return x + x; }
template int twice<int>(int);
}
END
    expect_hooks _ZNK3geo3Box4sideEi
    expect_no_hooks _ZNK3geo3Box4sideEl
    expect_decision before 'geo::Box::side(int) const' 'a list includes it'
}

test_options_that_are_wrong_are_one_line() {
    needs_plugin
    refused() { # OPTION MESSAGE
        # shellcheck disable=SC2046
        ! shapes | $plugin_cc -x c $(flags_with "$1") -c -o file.o - 2>err || fail "$1 is taken"
        expect_same "$(grep -c vftrace: err)" 1 "lines about $1"
        grep -qF -- "$2" err || fail "not '$2' but: $(cat err)"
    }
    refused hooks=late 'hooks=late: it is one of auto, before, after and none'
    refused min-size=-1 'min-size=-1: it is a number of statements, 0 or more'
    refused min-late-size 'min-late-size=: it is a number of statements, 0 or more'
    refused include=not-there 'cannot read not-there: No such file or directory'
    echo '/(/' >bad
    refused exclude=bad 'bad:1: no valid regular expression'
    refused colour=red 'unknown option colour; there are hooks, min-size, min-late-size, min-keep-size, include, exclude and report'
}

test_a_report_that_cannot_be_written_is_a_warning() {
    needs_plugin
    # shellcheck disable=SC2046
    shapes | $plugin_cc -x c $(flags_with report=/not/there) -c -o file.o - 2>err || fail "$(cat err)"
    expect_same "$(grep -c 'warning: vftrace: cannot write /not/there: No such file or directory' err)" 1 "warnings: $(cat err)"
    [ -e file.o ] || fail "no object"
}

test_compilers_side_by_side_report_into_one_file() {
    needs_plugin
    local i
    for i in {1..8}; do
        # shellcheck disable=SC2046
        shapes | $plugin_cc -x c -O1 $(flags_with report=all) -c -o "file$i.o" - &
    done
    wait
    expect_same "$(grep -c "^after.total.*a loop$" all)" 8 "lines of total"
    expect_same "$(awk -F'\t' 'NF != 7' all | wc -l)" 0 "lines that are not whole"
}

test_it_is_quiet_where_it_has_nothing_to_do() {
    needs_plugin
    local without=${plugin_hooks#* }
    shapes | $plugin_cc -x c -O2 "$without" -c -o file.o - 2>err || fail "$(cat err)"
    expect_same "$(hooks_in file.o)" "" "hooks without -finstrument-functions"
    # shellcheck disable=SC2086
    shapes | $plugin_cc -x c -O2 $plugin_hooks -E - -o out.i 2>>err || fail "-E: $(cat err)"
    # shellcheck disable=SC2086
    shapes | $plugin_cc -x c -O2 $plugin_hooks -fsyntax-only - 2>>err || fail "-fsyntax-only: $(cat err)"
    [ ! -s err ] || fail "it says $(cat err)"
}

