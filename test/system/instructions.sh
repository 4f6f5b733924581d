# SPDX-License-Identifier: BSD-3-Clause
#
# Instructions per pair of hooks, counted by callgrind: the one figure of what recording costs that is the same on every run and every machine whose
# clock is read with one instruction. What they may be is in instructions.table; nanoseconds are bench's (bench/README.md).
. "${srcdir:-.}/test/system/lib.sh"

# shellcheck source=test/system/lib_instructions.sh
. "${srcdir:-.}/test/system/lib_instructions.sh"

# call_kinds, and call_kinds.plain that is not instrumented.
programs() {
    optimise=-O2 linkage=none instrument='' build call_kinds
    mv call_kinds call_kinds.plain
    optimise=-O2 build call_kinds
}

# counted NAME COMMAND…: lines "KIND INSTRUCTIONS" in the file NAME, of all calls of that kind in call_kinds.c.
counted() {
    local name=$1
    shift
    run valgrind --tool=callgrind --callgrind-out-file=calls.$name --dump-before='begin_*' --dump-before='end_*' "$@"
    expect_status 0
    ! grep vftrace: err || fail "it speaks under valgrind"
    awk '/^desc: Trigger: --dump-before=end_/ { sub(/.*end_/, ""); kind = $0 } /^totals:/ && kind != "" { print kind, $2; kind = "" }' \
        calls.$name.* >"$name"
    expect_same "$(wc -l <"$name")" 5 'kinds of calls that callgrind saw'
    rm -f calls.$name*
}

# expect_instructions NAME ROW KIND CALLS: of the run NAME, against the row of the table.
expect_instructions() {
    local bound each
    bound=$(bound_of "$2")
    each=$(awk -v kind="$3" -v calls="$4" '$1 == kind { n[FILENAME] = $2 } END { printf "%.1f", (n[ARGV[1]] - n[ARGV[2]]) / calls }' "$1" plain)
    echo "  $2: $each instructions, bound $bound"
    awk -v each="$each" -v bound="$bound" 'BEGIN { exit !(each > 0 && each <= bound) }' || over=1
}

# Issue: instruction counts per hook pair (callgrind) as the repeatable figure, checked in CI against a stored bound.
test_a_pair_of_hooks_takes_no_more_instructions_than_before() {
    local over=0
    for_this_build
    [ "$(cat /sys/devices/system/clocksource/clocksource0/current_clocksource)" = tsc ] ||
        skip "the bounds are those of the time stamp counter, which this system does not use"
    programs
    counted plain ./call_kinds.plain
    config '"timing": "exact"'
    counted exact ./call_kinds
    config '"timing": "exact", "sampling": {"active": true, "sample_interval": 0}'
    counted events ./call_kinds
    expect_instructions exact leaf leaf 20000
    expect_instructions exact inlined inlined 20001
    expect_instructions exact leaves leaves 20000
    expect_instructions exact tree tree 20000
    expect_instructions exact folded fib 20056
    expect_instructions events event leaf 20000
    expect_instructions events tree_event tree 20000
    config '"filter": {"exclude": {"functions": "."}, "live_patching": false}'
    counted excluded ./call_kinds
    expect_instructions excluded excluded leaf 20000
    VFTR_OFF=1 counted off ./call_kinds
    expect_instructions off off leaf 20000
    [ $over = 0 ] || fail "$too_many"
}

# Issue: the end of a process of 50,000 paths costs at most 20 ms
test_the_end_of_many_call_paths_takes_no_more_instructions_than_before() {
    local paths=47988 bound each
    for_this_build
    cp "$srcdir/bench/programs/paths.c" "$srcdir/bench/programs/workload.h" .
    optimise=-O2 build paths
    run valgrind --tool=callgrind --callgrind-out-file=end --toggle-collect='vftr::session::finalize()' ./paths 2 '36 0 0'
    expect_status 0
    bound=$(bound_of end_of_path)
    each=$(awk -v paths=$paths '/^(totals|summary):/ { n = $2 } END { printf "%d", n / paths }' end)
    echo "  end_of_path: $each instructions, bound $bound"
    [ "$each" -gt 100 ] && [ "$each" -le "$bound" ] || fail "$too_many"
}

# of_the_end: instructions, of the command in "$@".
of_the_end() {
    run valgrind --tool=callgrind --callgrind-out-file=/dev/null --toggle-collect='vftr::session::finalize()' "$@"
    expect_status 0
    sed -n 's/.*Collected : //p' err
}

# Issue: The end of a short process: `git log --stat` takes 6.5 ms without and 119 ms with us; json's conversion test (148,000 paths) 1 s to end
test_long_names_of_cxx_do_not_take_most_of_the_end_of_a_process() {
    local short long
    have valgrind || skip "no valgrind"
    cp "$srcdir/bench/programs/endings.cpp" "$srcdir/bench/programs/workload.h" .
    config
    build endings -g0
    short=$(of_the_end ./endings 2 'short 10 500 10')
    long=$(of_the_end ./endings 2 'long 10 500 10')
    echo "  instructions of the end: $short with names of C, $long with names of C++"
    expect_at_least "${short:-0}" 1000000 "instructions of the end"
    expect_at_most "$((${long:-0} / short))" 8 "how many times as many long names take"
}

# Issue: the same: the names of functions were read one by one from the program's file
test_the_names_of_most_functions_of_a_program_are_read_together() {
    local reads
    have strace || skip "no strace"
    cp "$srcdir/bench/programs/endings.cpp" "$srcdir/bench/programs/workload.h" .
    config
    build endings -g0
    run strace -f -y -o calls -e trace=pread64 ./endings 2 'short 10 500 10'
    expect_status 0
    reads=$(grep -c 'pread64([0-9]*<[^>]*/endings>' calls)
    echo "  $reads reads of the program's file, with the names of 576 functions"
    expect_at_least "$reads" 2 "reads"
    expect_at_most "$reads" 150 "reads"
}

# Issue: MPI_Finalize of 8 ranks on 2 cores takes 0.04 to 0.1 s longer: each rank parsed its configuration again to name functions, and timed hooks anew after 25 calls.
test_a_program_of_few_calls_ends_with_no_more_instructions_than_before() {
    local taken bound
    for_this_build
    config
    build prog
    run valgrind --tool=callgrind --callgrind-out-file=/dev/null --toggle-collect='vftr::session::finalize()' ./prog 10
    expect_status 3
    taken=$(sed -n 's/.*Collected : //p' err)
    bound=$(bound_of end)
    echo "  end: $taken instructions, bound $bound"
    [ "${taken:-0}" -gt 0 ] && [ "$taken" -le "$bound" ] || fail "$too_many"
}

# Issue: the same: to list the 300 mappings of an MPI program, of whose files none was needed, took each rank 0.6 ms.
test_the_mappings_of_a_process_are_not_listed_where_its_files_are_in_their_places() {
    have strace || skip "no strace"
    config
    build prog
    run strace -f -o calls -e trace=openat ./prog 10
    expect_status 3
    ! grep map_files calls || fail "they are"
    expect_calls prog_all.log leaf 10
}

run_tests
