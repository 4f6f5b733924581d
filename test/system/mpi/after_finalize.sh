# SPDX-License-Identifier: BSD-3-Clause
# What ranks call after MPI_Finalize: destructors of static objects, handlers of atexit, and whatever else.
. "${srcdir:-.}/test/system/mpi/lib_mpi.sh"

# argv[1] says what rank 1 does after MPI_Finalize besides: it waits until the file `go_on` is there, or is killed, once rank 0 has called after() as well, since
# mpirun then kills that too.
late_program() {
    build_mpi after.cpp <<'END'
#include <mpi.h>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>
void closed() {}
struct Table { ~Table() { for (int i = 0; i < 3; ++i) closed(); } };
static Table table;
extern "C" void at_exit() { closed(); }
void before() {}
void after() {}
int main(int argc, char **argv)
{
    int rank;
    std::atexit(at_exit);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    before();
    MPI_Finalize();
    after();
    if (rank == 1 && argc > 1 && !std::strcmp(argv[1], "wait"))
        while (access("go_on", F_OK) != 0) usleep(1000);
    if (argc > 1 && !std::strcmp(argv[1], "kill")) {
        if (rank == 0)
            close(creat("called", 0600));
        while (access("called", F_OK) != 0) usleep(1000);
        if (rank == 1) raise(SIGKILL);
    }
    return 0;
}
END
}

expect_all_calls() { # LOG RANKS
    expect_calls "$1" 'before()' "$2"
    expect_calls "$1" 'after()' "$2"
    expect_calls "$1" at_exit "$2"
    expect_calls "$1" 'Table::~Table()' "$2"
    expect_calls "$1" 'closed()' $((4 * $2))
    expect_calls "$1" main "$2"
}

# Issue: calls after MPI_Finalize of ranks other than 0 are in no table (58 functions of one code, all destructors of another halved), while the README says that counts are exact
test_what_all_ranks_call_after_finalize_is_in_the_tables() {
    late_program
    local sampling
    for sampling in false true; do
        config '"sampling": {"active": '$sampling'}, "mpi": {"collate_timeout": 60}'
        ranks_well 3 ./after
        expect_all_calls after_all.log 3
        grep -q '^Note: rank 0 is shown to its end, and so are ranks 1-2 with calls after MPI_Finalize;' after_all.log || fail "the head says: $(grep ^Note after_all.log)"
        ! grep -q 'still ran when rank 0' after_all.log || fail "ranks ran on: $(grep ^Note after_all.log)"
        report after_all.vfd
        expect_all_calls report 3
        [ $sampling = true ] || expect_same "$(ls ./*vfd)" ./after_all.vfd "what is left"
    done
    # The files of all ranks say the same.
    report after_[0-2].vfd
    expect_all_calls report 3
    # Nothing is counted twice where the merged profile has it already.
    report after_all.vfd after_1.vfd
    expect_all_calls report 3
}

# Issue: calls after MPI_Finalize of ranks other than 0 are in no table: of ranks that run on when rank 0 has written the results, the log says so
test_what_a_rank_calls_that_runs_on_is_said_and_added_by_report() {
    late_program
    config '"mpi": {"collate_timeout": 0.5}'
    # shellcheck disable=SC2016
    ranks_well 3 sh -c 'rank=${OMPI_COMM_WORLD_RANK-$PMI_RANK}; if [ $rank = 0 ]; then ./after wait; touch go_on; else exec ./after wait; fi' sh
    expect_calls after_all.log 'closed()' 8
    grep -q '^Note: rank 1 still ran when rank 0 had ended: what came there after MPI_Finalize is in no table' after_all.log || fail "the head says: $(grep ^Note after_all.log)"
    expect_same "$(echo ./*.vfd)" "./after_1.vfd ./after_all.vfd" "what is left"
    report after_all.vfd after_1.vfd
    expect_all_calls report 3
    ! grep -q 'still ran' report || fail "the head says: $(grep ^Note report)"
    report .
    expect_all_calls report 3
    "$vftr" report --rank 1 after_all.vfd after_1.vfd >report || fail "no report of rank 1"
    expect_all_calls report 1
}

# A rank that is killed after MPI_Finalize has recorded what it called there.
test_what_a_rank_called_that_is_killed_after_finalize_is_counted() {
    late_program
    config '"mpi": {"collate_timeout": 60}'
    may_be_killed=1 ranks 2 ./after kill
    report ./*.vfd
    expect_calls report 'before()' 2
    expect_calls report 'after()' 2
    "$vftr" recover after_1.vfd >recovered 2>&1 || fail "vftr recover: $(cat recovered)"
    report ./*.vfd
    expect_calls report 'after()' 2
}

run_tests
