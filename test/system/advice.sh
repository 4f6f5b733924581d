# SPDX-License-Identifier: BSD-3-Clause
# What recording costs and what to do about it: vftr flags, vftr filter suggest.
. "${srcdir:-.}/test/system/lib.sh"

write_template_program() {
    cat >words.cpp <<'END'
#include <map>
#include <numeric>
#include <string>
#include <vector>
struct Text {
    std::vector<std::string> words;
    void add(int i) { words.push_back(std::to_string(i % 7)); }
    std::map<char, int> count() const;
};
std::map<char, int> Text::count() const {
    std::map<char, int> counts;
    for (const std::string& word : words)
        ++counts[word[0]];
    return counts;
}
int main() {
    Text text;
    for (int i = 0; i < 100; ++i)
        text.add(i);
    const auto counts = text.count();
    return std::accumulate(counts.begin(), counts.end(), 0, [](int sum, const auto& word) { return sum + word.second; }) - 100;
}
END
}

# Issue: "`vftr flags [COMPILER]` prints the recommended flags to start with"; "header functions that gcc instruments before inlining can be
# 25 × all other calls together"
# calls_with FLAGS…: how many calls the program has, by its log.
calls_with() {
    # shellcheck disable=SC2046
    g++ "$@" words.cpp -o words $(link_flags) 2>build.err || fail "g++ does not take $*: $(cat build.err)"
    run_well ./words
    grouped_counts words_all.log | awk '{ n += $1 } END { print n }'
}
test_flags_of_gcc_leave_the_calls_of_headers_out_and_none_of_the_programs() {
    local all own
    write_template_program
    printf '#!/bin/sh\ncase "$*" in *-fplugin*) exit 1 ;; esac\nexec g++ "$@"\n' >without_plugin
    chmod +x without_plugin
    config
    expect_same "$("$vftr" flags --no-plugin g++)" "$("$vftr" flags ./without_plugin)" "flags without the plugin"
    # shellcheck disable=SC2046
    own=$(calls_with $("$vftr" flags ./without_plugin) -O0) || fail "$own"
    for f in main 'Text::add(int)' 'Text::count() const'; do
        [ "$(calls_of words_all.log "$f")" -gt 0 ] || fail "$f is not recorded"
    done
    expect_calls words_all.log 'Text::add(int)' 100
    ! grouped_counts words_all.log | grep -E '	([^(<]* )?(std|__gnu_cxx)::' || fail "functions of the library are recorded"
    all=$(calls_with -g -finstrument-functions -O0) || fail "$all"
    expect_at_least "$all" $((25 * own)) "calls with the hooks in headers, of $own without"
}

test_flags_of_gcc_with_the_plugin_leave_out_what_is_short() {
    local all own
    [ -e "$builddir/vftrace.so" ] || skip "built without gcc's plugin"
    write_template_program
    config
    expect_same "$("$vftr" flags g++)" "-g -finstrument-functions -fplugin=$builddir/vftrace.so" "flags"
    # shellcheck disable=SC2046
    own=$(calls_with $("$vftr" flags g++) -O2) || fail "$own"
    expect_calls words_all.log main 1
    all=$(calls_with -g -finstrument-functions -O2) || fail "$all"
    expect_at_least "$all" $((25 * own)) "calls with all hooks, of $own without those of short functions"
}

each_flag_works() {
    local flags
    flags=$("$vftr" flags "$cc") || fail "vftr flags $cc"
    [ "$(printf '%s\n' "$flags" | wc -l)" = 1 ] || fail "not one line: $flags"
    echo 'int half(int x) { while (x > 2) x -= x / 2; return x / 2; } int main(void) { return half(0); }' >half.c
    # shellcheck disable=SC2086,SC2046
    $cc $flags -Werror half.c -o half $(link_flags) 2>build.err || fail "$cc does not take $flags: $(cat build.err)"
    config
    run_well ./half
    expect_calls half_all.log half 1
    expect_same "$("$vftr" flags --explain "$cc" | grep -c '^-')" "$(wc -w <<<"$flags")" "flags that are explained"
}
test_flags_are_taken_by_their_compiler_and_record() { with_each_compiler each_flag_works; }

test_flags_are_those_of_the_compiler_behind_a_wrapper_and_of_CC() {
    printf '#!/bin/sh\nexec gcc "$@"\n' >wrapped
    chmod +x wrapped
    expect_same "$("$vftr" flags ./wrapped)" "$("$vftr" flags gcc)" "flags of a wrapper of gcc"
    expect_same "$(CC="./wrapped -pipe" "$vftr" flags)" "$("$vftr" flags gcc)" "flags of CC with a flag in it"
}

test_flags_leave_out_what_a_compiler_does_not_take() {
    printf '#!/bin/sh\ncase $* in *exclude-file-list* | *-fplugin*) exit 1 ;; esac\nexec gcc "$@"\n' >old
    chmod +x old
    expect_same "$("$vftr" flags ./old)" "-g -finstrument-functions" "flags of a gcc without lists and plugins"
    printf '#!/bin/sh\ncase $* in *instrument-functions*) exit 1 ;; esac\nexec gcc "$@"\n' >older
    chmod +x older
    run "$vftr" flags ./older
    expect_status 1
    expect_said_once "cannot instrument functions"
}

test_flags_of_what_is_no_compiler_are_an_error() {
    run "$vftr" flags /bin/true
    expect_status 2
    expect_said_once "no compiler of the families gcc and clang"
    run "$vftr" flags ./not-there
    expect_status 2
    expect_said_once "there is no such compiler: ./not-there"
    [ ! -s out ] || fail "something is printed: $(cat out)"
}

# get and put are called a hundred thousand times, every other function once: what its hooks cost is a hundredth of what would matter, on any machine.
write_hot_program() {
    cat >hot.c <<'END'
double get(double* a, int i) { return a[i]; }
void put(double* a, int i, double v) { a[i] = v; }
double get_sum(double* a, int n) {
    double sum = 0;
    for (int i = 0; i < n; ++i)
        sum += get(a, i);
    return sum;
}
void relax(double* a, int n) {
    for (int k = 0; k < 100; ++k)
        for (int i = 1; i < n - 1; ++i)
            put(a, i, 0.5 * (get(a, i - 1) + get(a, i + 1)));
}
void work(double* a, int n) {
    for (int k = 0; k < 5000; ++k)
        for (int i = 1; i < n; ++i)
            a[i] += 1e-9 * a[i - 1];
}
int main(void) {
    static double a[1000] = {1};
    relax(a, 1000);
    work(a, 1000);
    return get_sum(a, 1000) < 0;
}
END
}

# suggest [OPTION…] FILE: the file `suggested`, and in `left_out` the functions that are to be left out, sorted.
suggest() {
    "$vftr" filter suggest "$@" >suggested 2>err || fail "vftr filter suggest $*: $(cat err)"
    left_out=$(awk -F'|' '$10 ~ /leave out/ { gsub(/^ *| *$/, "", $9); print $9 }' suggested | sort | paste -sd,)
}
# predicted ROW COLUMN: of the table of predictions.
predicted() { awk -F'|' -v row="$1" -v column="$2" 'index($2, row) { print $column + 0 }' suggested; }

# Issue: "`vftr filter suggest FILE`: from one profile, says which functions make the cost, proposes a filter, and predicts overhead, events
# and trace size with it; writes the config section"
test_the_suggested_filter_does_what_is_predicted() {
    write_hot_program
    build hot
    config '"sampling": {"active": true, "sample_interval": 0}'
    run_well ./hot
    grouped_counts hot_all.log | grep -v '	\(get\|put\)$' | sort >before
    suggest --aggressive --max-overhead=0 --output=filter.json hot_all.vfd
    expect_same "$left_out" get,put "functions to leave out"
    expect_same "$(predicted events 3)" "$("$vftr" dump hot_0.vfd | grep -c ' \(call\|exit\) ')" "events as recorded"
    "$vftr" config check filter.json >checked || fail "the configuration is refused: $(cat checked)"
    grep -q ' 0 warnings' checked || fail "the configuration: $(cat checked)"
    export VFTR_CONFIG=$PWD/filter.json
    run_well ./hot
    expect_calls hot_all.log get 0
    expect_calls hot_all.log put 0
    grouped_counts hot_all.log | sort | diff before - || fail "calls of the other functions differ"
    expect_same "$("$vftr" dump hot_0.vfd | grep -c ' \(call\|exit\) ')" "$(predicted events 4)" "events with the filter"
}

test_a_suggestion_is_the_same_from_the_recording_of_the_process_and_from_the_merged_profile() {
    write_hot_program
    build hot
    config '"sampling": {"active": true, "sample_interval": 0}'
    run_well ./hot
    suggest --aggressive --max-overhead=0 hot_0.vfd
    expect_same "$left_out" get,put "functions to leave out"
    sed -n '/^Section/,$p' suggested >of_process
    suggest --aggressive --max-overhead=0 hot_all.vfd
    sed -n '/^Section/,$p' suggested | diff of_process - || fail "the suggestions differ"
}

# Issue: "prints the compiler flags that remove the cost at its source"
test_the_suggested_flags_leave_the_same_functions_out_and_no_other() {
    local flags cxx
    cat >vec.hpp <<'END'
template <class T>
struct Vec {
    T value[100] = {};
    T& at(int i) { return value[i]; }
};
END
    cat >use.cpp <<'END'
#include "vec.hpp"
namespace { int get(int x) { return x; } }
int get_sum(Vec<double>& v, int n) {
    int sum = 0;
    for (int i = 0; i < n; ++i)
        sum += get(static_cast<int>(v.at(i % 100)));
    for (volatile int i = 0; i < 20000000; i = i + 1) // work of which the hooks take a small part, whatever they seem to cost
        ;
    return sum;
}
int set(Vec<double>& v, int i) { return static_cast<int>(v.at(i) = 1); }
int main() {
    Vec<double> v;
    for (int i = 0; i < 100000; ++i)
        set(v, i % 100);
    return get_sum(v, 100000) != 100000;
}
END
    cxx=g++
    build use
    config
    run_well ./use
    suggest --aggressive --max-overhead=1 --compiler=g++ use_all.vfd
    expect_same "$left_out" "(anonymous namespace)::get(int),Vec<double>::at(int),set(Vec<double>&, int)" "functions to leave out"
    flags=$(grep "^'\?-finstrument" suggested | tr '\n' ' ')
    grep -q '^Flags of g++ ' suggested || fail "other flags than those of --compiler: $(grep '^Flags' suggested)"
    [[ $flags == *-file-list=vec.hpp* ]] || ! has LIBDW || fail "not by the header, although it has debug information: $flags"
    eval "optimise='-O0 '; build use $flags"
    run_well ./use
    expect_same "$(grouped_counts use_all.log | cut -f2 | grep -v init | sort | tr '\n' ',')" "get_sum(Vec<double>&, int),main," "functions that are left"
}

test_the_suggested_flags_are_those_of_the_compiler_that_is_asked_for_else_of_CC_else_of_the_language() {
    write_hot_program
    cp hot.c hotter.cpp
    cxx=g++
    build hot
    build hotter
    config
    run_well ./hot
    run_well ./hotter
    compiler_named() { sed -n 's/^Flags of \(.*\) for the same.*/\1/p' suggested; }
    unset CC
    suggest --aggressive --max-overhead=0 hot_all.vfd
    expect_same "$(compiler_named)" gcc "the compiler of a program in C"
    suggest --aggressive --max-overhead=0 hotter_all.vfd
    expect_same "$(compiler_named)" g++ "the compiler of a program in C++"
    CC='gcc -pipe' suggest --aggressive --max-overhead=0 hotter_all.vfd
    expect_same "$(compiler_named)" gcc "the compiler of CC"
    have clang++ || return 0
    CC=gcc suggest --aggressive --max-overhead=0 --compiler=clang++ hotter_all.vfd
    expect_same "$(compiler_named)" clang++ "the compiler of --compiler"
    ! sed -n '/^Flags of/,$p' suggested | grep gcc || fail "another compiler is named"
}

test_nothing_is_suggested_where_the_hooks_cost_little() {
    cat >calm.c <<'END'
int step(volatile int* x) { for (int i = 0; i < 1000000; ++i) ++*x; return *x; }
int main(void) { int x = 0; return step(&x) + step(&x) == 0; }
END
    build calm
    config
    run_well ./calm
    suggest calm_all.vfd
    expect_same "$left_out" "" "functions to leave out"
    grep -q 'nothing need be left out' suggested || fail "it does not say so"
    ! grep -q '^Section' suggested || fail "there is a filter"
}

# Issue: "`filter suggest` works in CPU time (its percentages of wall time mislead on busy cores)"
test_a_program_that_sleeps_gets_the_suggestion_of_one_that_does_not() {
    cat >drowsy.c <<'END'
#include <stdlib.h>
#include <unistd.h>
unsigned step(unsigned x) {
    for (int i = 0; i < 100; ++i)
        x = x * 1664525u + 1013904223u;
    return x;
}
void nap(int seconds) { sleep(seconds); }
int main(int argc, char** argv) {
    unsigned x = 1;
    nap(atoi(argv[1]));
    for (int i = 0; i < 1000000; ++i)
        x = step(x);
    return argc > 2 && x == 0;
}
END
    local overhead asleep
    build drowsy
    config '"timing": "exact"'
    run_well ./drowsy 0
    suggest --aggressive --max-overhead=2 drowsy_all.vfd
    expect_same "$left_out" step "functions to leave out of a program that runs"
    overhead=$(predicted hooks 3)
    run_well ./drowsy 8
    suggest --aggressive --max-overhead=2 drowsy_all.vfd
    asleep=$(predicted hooks 3)
    expect_same "$left_out" step "functions to leave out of a program that sleeps"
    # Of the run time it is less than a twentieth of that.
    awk -v a="$asleep" -v b="$overhead" 'BEGIN { exit !(a > b / 4) }' || fail "the hooks cost $asleep % where the program sleeps, $overhead % where it does not"
}

test_wrong_usage_of_filter_is_one_line_and_2() {
    local arguments
    for arguments in "" "advise x" "suggest" "suggest --max-overhead=x y" "suggest --max-events=-1 y" "suggest --keep-share=nan y"; do
        # shellcheck disable=SC2086
        run "$vftr" filter $arguments
        expect_status 2
        expect_same "$(wc -l <err)" 1 "lines on stderr of vftr filter $arguments"
    done
    run "$vftr" filter suggest not-there.vfd
    expect_status 1
    expect_said_once not-there.vfd
}

run_tests
