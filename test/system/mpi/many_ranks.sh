# SPDX-License-Identifier: BSD-3-Clause
# More ranks than processors: the collation and the files of 64 ranks.
. "${srcdir:-.}/test/system/mpi/lib_mpi.sh"

test_64_ranks_end_with_one_log() {
    config '"sampling": {"active": true}, "logfile_for_ranks": "0,7,63"'
    build_mpi many.c <<'END'
#include <mpi.h>
static void leaf(void) {}
static void everywhere(void) { leaf(); }
static void odd(void) { leaf(); }
int main(int argc, char **argv)
{
    int rank, sum;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i <= rank; i++)
        everywhere();
    if (rank & 1)
        odd();
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return sum != 2016;
}
END
    run_limit=600 ranks_well 64 ./many
    expect_calls many_all.log everywhere 2080
    expect_calls many_all.log odd 32
    expect_calls many_all.log leaf 2112
    expect_calls many_all.log main 64
    expect_calls many_all.log MPI_Allreduce 64
    grep -q 'Nr. of MPI ranks: *64$' many_all.log || fail "the log does not have 64 ranks"
    local rank
    for rank in 00 07 63; do expect_calls "many_$rank.log" everywhere $((10#$rank + 1)); done
    expect_same "$(ls many_*.vfd | grep -cE 'many_[0-9][0-9]\.vfd')" 64 "files of ranks"
    report many_[0-9][0-9].vfd
    expect_same "$(grouped_counts report | sort)" "$(grouped_counts many_all.log | sort)" "the report of the files"
}

run_tests
