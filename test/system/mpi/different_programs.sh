# SPDX-License-Identifier: BSD-3-Clause
# Ranks of one job run different programs.
. "${srcdir:-.}/test/system/mpi/lib_mpi.sh"

# program NAME CALLS: its work() makes so many calls of leaf(), and only it has a function NAME_only().
program() {
    build_mpi "$1.c" <<END
#include <mpi.h>
static int leaf(int x) { return x + 1; }
static int work(int n) { int s = 0; for (int i = 0; i < n; i++) s += leaf(i); return s; }
int $1_only(int x) { return x; }
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    $1_only(work($2));
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
END
}
both_programs() {
    local session status
    session=$(mktemp -d)
    # shellcheck disable=SC2086
    OMPI_MCA_orte_tmpdir_base=$session timeout -k 1 "$run_limit" "$mpirun" $mpirun_flags -n 2 ./solver : -n 1 ./reader >out 2>err
    status=$?
    rm -rf "$session"
    [ $status = 0 ] || fail "exit code $status: $(cat err)"
    expect_silence
}

expect_both() { # LOG
    local text
    text=$(sed -n 's/^Runtime profile for application: //p' "$1")
    expect_same "$text" "reader (rank 2), solver (ranks 0-1)" "the programs in $1"
    expect_calls "$1" 'main (solver)' 2
    expect_calls "$1" 'main (reader)' 1
    expect_calls "$1" 'leaf (solver)' 20
    expect_calls "$1" 'leaf (reader)' 7
    expect_calls "$1" solver_only 2
    expect_calls "$1" reader_only 1
    expect_stack "$1" 'leaf (reader)<work (reader)<main (reader)<init'
    expect_stack "$1" 'reader_only<main (reader)<init'
}

# Issue: main of both is one row and one program is named nowhere
test_functions_of_different_programs_have_rows_of_their_own() {
    program solver 10
    program reader 7
    config '"sampling": {"active": true}'
    both_programs
    expect_both solver_all.log
    # A rank's file is named after its program.
    report solver_[01].vfd reader_2.vfd
    expect_both report
    report reader_2.vfd
    expect_calls report main 1
    expect_calls report leaf 7
}

# Ranks may have copies of the executable.
test_copies_of_one_program_are_one() {
    program solver 10
    mkdir far
    cp solver far/solver
    config
    # shellcheck disable=SC2086
    run_well "$mpirun" $mpirun_flags -n 1 ./solver : -n 1 far/solver
    expect_same "$(sed -n 's/^Runtime profile for application: //p' solver_all.log)" solver "the programs"
    expect_calls solver_all.log leaf 20
}

run_tests
