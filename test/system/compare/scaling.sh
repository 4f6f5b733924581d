# SPDX-License-Identifier: BSD-3-Clause
# vftr scaling: several scales of a job, each of one or several runs.
if [ -n "${MPICC:-}" ]; then
    . "${srcdir:-.}/test/system/mpi/lib_mpi.sh"
else
    . "${srcdir:-.}/test/system/lib.sh"
fi
. "$srcdir/test/system/compare/programs.sh"

test_functions_have_an_efficiency_on_each_scale() {
    needs BOOST_MATH
    [ -n "${MPICC:-}" ] || skip "no MPI"
    # Each rank does the same whatever their number is: that scales weakly, and not strongly.
    printf '#include <mpi.h>\nstatic volatile double sum;\nvoid work(void) { for (long i = 0; i < 20000000; ++i) sum += 1; }
int main(int argc, char **argv) { MPI_Init(&argc, &argv); work(); return MPI_Finalize(); }\n' | build_mpi job.c
    for folder in 1 2 2.again; do
        mkdir $folder
        VFTR_OUTPUT_DIRECTORY=$PWD/$folder ranks_well ${folder%.again} ./job
    done
    run "$vftr" scaling 1 -- 2 2.again
    expect_status 0
    grep -q '^Strong scaling from 1 rank to 2 ranks: efficiency .*; most is lost in ' out || fail "the first line is: $(head -1 out)"
    # times of all ranks: an efficiency of about a half, whatever the machine does meanwhile
    awk -F'|' 'NF > 5 && / work / { split($4, efficiency, " "); found = efficiency[1] > 15 && efficiency[1] < 90 } END { exit !found }' out || fail "the efficiency of work: $(cat out)"
    run "$vftr" scaling --weak --max-rows=1 1 -- 2 -- 2.again
    expect_status 0
    grep -q '^Weak scaling from 1 rank to 2 ranks' out || fail "the first line is: $(head -1 out)"
    grep -q 'more rows (--max-rows)$' out || fail "all rows are shown: $(cat out)"
    expect_same "$(grep -o 'efficiency\[%\]' out | wc -l)" 2 "columns of efficiencies"
}

test_wrong_usage_of_scaling_is_told_in_one_line() {
    needs BOOST_MATH
    two_versions
    record before base
    expect_refused 2 'give the files of two scales at least' "$vftr" scaling base
    expect_refused 2 'give the files of two scales at least' "$vftr" scaling base --
    expect_refused 2 'give the files of two scales at least' "$vftr" scaling -- base
    expect_refused 2 'give the files of two scales at least' "$vftr" scaling base -- -- base
    expect_refused 2 '--max-rows needs a number' "$vftr" scaling --max-rows=x base -- base
    expect_refused 1 'missing: ' "$vftr" scaling base -- missing
    expect_refused 1 'cannot write to standard output' bash -c '"$0" scaling base -- base >/dev/full' "$vftr"
}

run_tests
