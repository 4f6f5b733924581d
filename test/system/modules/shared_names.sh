# SPDX-License-Identifier: BSD-3-Clause
# Different functions that have one name are different functions wherever a log groups by name.
. "${srcdir:-.}/test/system/lib.sh"

# Two static functions init, of which a.c calls one 3 times and b.c the other one 7 times; `work` calls both from one place.
sources() {
    local file calls
    for file in a:3 b:7; do
        calls=${file#*:} file=${file%:*}
        cat >$file.c <<END_OF_FILE
static int init(int n) { return n + $calls; }
int (*of_$file(void))(int) { return init; }
int from_$file(int n)
{
    for (int i = 0; i < $calls; i++)
        n = init(n);
    return n;
}
END_OF_FILE
    done
    cat >calls.c <<'END_OF_FILE'
#include <stdlib.h>
int from_a(int), from_b(int);
int (*of_a(void))(int), (*of_b(void))(int);
static int work(int n) { return of_a()(of_b()(n)); }
int main(int argc, char **argv)
{
    int which = argc > 1 ? atoi(argv[1]) : 3, n = which;
    if (which & 1)
        n = from_a(n);
    if (which & 2)
        n = from_b(n);
    return argc > 1 ? 0 : work(n) == 0;
}
END_OF_FILE
}
program() { # [FLAGS…]
    sources
    # shellcheck disable=SC2046
    $cc -O0 -finstrument-functions "$@" a.c b.c calls.c -o calls $(link_flags) 2>build.err || fail "$cc cannot build it: $(cat build.err)"
}

expect_both() { # LOG
    expect_calls "$1" "init (a.c)" 4
    expect_calls "$1" "init (b.c)" 8
    expect_calls "$1" init 1 # the root
    expect_stack "$1" "init (a.c)<from_a<main<init"
    expect_stack "$1" "init (b.c)<from_b<main<init"
    # One caller, two paths.
    expect_stack "$1" "init (a.c)<work<main<init"
    expect_stack "$1" "init (b.c)<work<main<init"
}

# Issue: two files with a static function init each, and the root, were one row of the table by name.
test_static_functions_of_one_name_are_told_apart_by_their_files() {
    config '"sampling": {"active": true}'
    check() {
        local flags
        for flags in -g -g0; do
            for linkage in shared static; do
                rm -rf -- *.vfd *.log vftrace_symbols
                program $flags
                run_well ./calls
                expect_both calls_all.log
                [ $linkage = shared ] || continue # no configuration, so there are only defaults
                # By the store, without the program.
                mv calls calls.away
                report calls_*[0-9].vfd
                expect_both report
            done
        done
    }
    with_each_compiler check
}

# What begins at the same line of a file is one function, as far as there is debug information.
test_a_function_of_a_header_is_one_function() {
    needs LIBDW
    config
    echo 'static inline int twice(int n) { return 2 * n; }' >h.h
    for name in one two; do
        printf '#include "h.h"\nint %s(int n) { return twice(n); }\n' $name >$name.c
    done
    echo 'int one(int), two(int); int main(void) { return one(two(0)); }' >header.c
    check() {
        # shellcheck disable=SC2046
        $cc -g -O0 -finstrument-functions one.c two.c header.c -o header $(link_flags) || fail "cannot build"
        run_well ./header
        expect_calls header_all.log twice 2
    }
    with_each_compiler check
}

# Where nothing has a name, functions are told apart by their addresses.
test_of_a_stripped_program_each_function_is_one() {
    config
    check() {
        program
        strip calls || fail "strip"
        run_well ./calls
        expect_same "$(grouped_counts calls_all.log | sort -n | awk '$1 == 4 || $1 == 8 { print $1 " " ($2 ~ /^calls\+0x[0-9a-f]+$/) }')" "4 1
8 1" "the functions of a stripped program"
        # Symbols without the names of source files, as strip -g leaves them.
        program
        strip -g calls || fail "strip"
        run_well ./calls
        expect_same "$(grouped_counts calls_all.log | sort -n | sed -n 's/^\([48]\)\tinit (0x[0-9a-f]*)$/\1/p' | paste -sd' ')" "4 8" "functions without files"
    }
    with_each_compiler check
}

# What one process called does not decide how a function is named, so any processes can be merged in any order.
test_each_process_names_them_alike() {
    config '"sampling": {"active": true}'
    program
    for n in 1 2; do
        rm -f -- calls*.vfd
        run_well ./calls $n
        mv calls_all.log $n.log
    done
    expect_calls 1.log "init (a.c)" 3
    expect_calls 1.log "init (b.c)" 0
    expect_calls 2.log "init (b.c)" 7
    expect_calls 2.log "init (a.c)" 0
}

# A filter knows them by their name, which means all of them, and by what tables show, which means one.
test_filters_match_the_bare_name() {
    program
    config '"filter": {"exclude": {"functions": "^init$"}}'
    run_well ./calls
    expect_calls calls_all.log "init (a.c)" 0
    expect_calls calls_all.log "init (b.c)" 0
    config '"filter": {"exclude": {"functions": "^init \\(a\\.c\\)$"}}'
    run_well ./calls
    expect_calls calls_all.log "init (a.c)" 0
    expect_calls calls_all.log "init (b.c)" 8
    config '"filter": {"include": {"functions": "^(init|main)$"}}'
    run_well ./calls
    expect_stack calls_all.log "init (b.c)<main<init"
    config '"sampling": {"active": true, "sample_interval": 1000, "precise_functions": "^init$"}'
    run_well ./calls
    "$vftr" dump calls_*[0-9].vfd >dump || fail "vftr dump"
    grep -q 'init (a.c)\*<from_a' dump && grep -q 'init (b.c)\*<from_b' dump || fail "not precise: $(grep init dump)"
}

# Issue: clang's functions of parallel regions have one name in all files.
test_outlined_functions_of_clang_are_told_apart() {
    . "$srcdir/test/system/openmp/openmp.sh"
    find_clang_with_openmp || skip "no clang whose OpenMP is seen"
    config
    for name in one two; do
        printf 'int %s(int n)\n{\n    int sum = 0;\n#pragma omp parallel num_threads(2) reduction(+ : sum)\n    sum += n;\n    return sum;\n}\n' $name >$name.c
    done
    echo 'int one(int), two(int); int main(void) { return one(two(0)); }' >regions.c
    # shellcheck disable=SC2046
    $cc -g -O0 -fopenmp -finstrument-functions one.c two.c regions.c -o regions $(link_flags) || fail "cannot build"
    run_well ./regions
    grouped_counts regions_all.log | grep outlined >outlined || skip "this clang names them after their functions"
    for name in one two; do
        grep -q " ($name\.c)" outlined || fail "not told apart: $(cat outlined)"
    done
    ! grep -qv '(one\.c)\|(two\.c)' outlined || fail "of which file is that: $(cat outlined)"
}

run_tests
