# SPDX-License-Identifier: BSD-3-Clause
# What matters in jobs: the findings of ranks with planted problems, and of the same ranks without them.
. "${srcdir:-.}/test/system/mpi/lib_mpi.sh"
. "$srcdir/test/system/time_shares.sh"
. "$srcdir/test/system/lib_findings.sh"

# Rank 1 works longer and sends to rank 0, which waits for it; or both work alike.
build_late() {
    build_mpi late.c <<EOC
#include <mpi.h>
#include <stdlib.h>
$burn
__attribute__((noinline)) static void relax(double seconds) { burn(seconds); }
__attribute__((noinline)) static void exchange(int rank)
{
    int x = 0;
    if (rank == 1) MPI_Ssend(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    else MPI_Recv(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 4; ++i) {
        relax(rank == 1 && atoi(argv[1]) ? 0.1 : 0.02);
        exchange(rank);
    }
    MPI_Finalize();
    return 0;
}
EOC
}

# Issue: load imbalance with the rank that is late; time waited in MPI and for whom
test_a_rank_that_is_late() {
    build_late
    config '"sampling": {"active": true, "sample_interval": 0}'
    ranks_well 2 ./late 1
    expect_finding late_all.log 'Load imbalance' 'rank 1 works .* in (relax below main|burn below relax), .*: the others may wait for it'
    expect_finding late_all.log Communication 'most of it MPI_Recv below exchange: '
    report late_0.vfd late_1.vfd
    expect_finding report 'Load imbalance' 'rank 1 works'
    run_well "$vftr" report --findings late_0.vfd late_1.vfd
    expect_finding out 'Waiting in MPI' 'ranks wait .* in MPI_Recv below exchange \(late sender, [0-9]+ waits?\), .* of it for rank 1; .*follows from (the load imbalance in|.* and the load imbalance in)'
    # Issue: findings told a symptom before its cause
    expect_same "$(findings_of out | grep -oE '(Load imbalance|Waiting in MPI): ' | head -1)" 'Load imbalance: ' "the first one of cause and symptom"
    expect_finding out 'Load imbalance' 'rank 1 works'
    ranks_well 2 ./late 0
    expect_no_finding late_all.log 'Load imbalance' 'rank 1 works'
}

# Issue: many tiny messages
test_many_small_messages() {
    build_mpi small.c <<EOC
#include <mpi.h>
#include <stdlib.h>
static char data[8000];
__attribute__((noinline)) static void halo(int rank, int bytes)
{
    for (int i = 0; i < 8000; i += bytes)
        if (rank == 0) MPI_Send(data + i, bytes, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
        else MPI_Recv(data + i, bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 100; ++i) halo(rank, atoi(argv[1]));
    MPI_Finalize();
    return 0;
}
EOC
    config
    ranks_well 2 ./small 8
    run_well "$vftr" report --format=json small_all.vfd
    grep -q '"rule":"small_messages"' out || fail "no finding of small messages: $(findings_of small_all.log)"
    grep -q 'MPI_Send below halo sends 100000 messages of 8 B on average' small_all.log || fail "what it says: $(findings_of small_all.log)"
    ranks_well 2 ./small 8000
    expect_no_finding small_all.log 'Small messages' ''
}

run_tests
