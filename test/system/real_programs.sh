# SPDX-License-Identifier: BSD-3-Clause
# Real programs that none of us wrote, from Debian's sources: exact counts, and the same results as without us.
# REAL_PROGRAMS names the folder where test/system/real_programs/programs.sh has fetched them.
. "${srcdir:-.}/test/system/lib.sh"
. "$srcdir/test/system/real_programs/programs.sh"

# sources NAME: a copy of the program's sources, as ./NAME.
sources() {
    [ -e "${REAL_PROGRAMS:-}/$1/.complete" ] || skip "the sources of $1 are not here"
    cp -R "$REAL_PROGRAMS/$1" "$1"
}

test_the_lua_interpreter_has_exact_counts() {
    sources lua5.4
    config
    build_lua lua5.4 "-g -O1 -w -finstrument-functions" "$(link_flags)" >build.log 2>&1 || fail "$(tail build.log)"
    run_well lua5.4/src/lua "$srcdir/examples/bench.lua"
    mv out out.traced
    run_counted lua5.4/src/lua "$srcdir/examples/bench.lua"
    cmp out.traced out.counted || fail "other output"
    expect_same_counts lua_all.log counts lua5.4/src/lua
}

test_hpcc_runs_through_with_two_ranks() {
    [ -n "${MPICC:-}" ] || skip "built without MPI"
    sources hpcc
    config
    build_hpcc hpcc "-O1 -finstrument-functions" "$(link_flags)" >build.log 2>&1 || fail "$(tail build.log)"
    cd hpcc || exit 1
    flags=(--oversubscribe -n 2)
    [ "$(id -u)" != 0 ] || flags+=(--allow-run-as-root)
    run_well mpirun "${flags[@]}" ./hpcc
    grep -q '^End of HPC Challenge tests' hpccoutf.txt || fail "it did not end well: $(tail -3 hpccoutf.txt)"
    ! grep -q FAILED hpccoutf.txt || fail "its own checks failed: $(grep FAILED hpccoutf.txt)"
    expect_calls hpcc_all.log MPI_Init 2
    expect_calls hpcc_all.log HPL_pdtest 2
    expect_stack hpcc_all.log 'HPL_pdtest<HPL_main<main<init'
}

run_tests
