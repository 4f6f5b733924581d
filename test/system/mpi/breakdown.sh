# SPDX-License-Identifier: BSD-3-Clause
# The first screen of a job's log: where the time went, per rank, and how efficient the ranks were.
. "${srcdir:-.}/test/system/mpi/lib_mpi.sh"
. "$srcdir/test/system/time_shares.sh"

# Rank 1 computes nine times as long as rank 0, in CPU time, and rank 0 waits for it in MPI_Allreduce, even where it has less of a core.
uneven() {
    build_mpi uneven.c <<EOC
#include <mpi.h>
$burn
void compute(int rank) { burn(rank == 1 ? 0.18 : 0.02); }
int main(int argc, char **argv)
{
    int rank, sum;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 4; ++i) {
        compute(rank);
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
EOC
}

# Issue: first screen: where the time went, in percent and per rank as min/avg/max; parallel efficiency in the terms of the POP project
test_the_first_screen_says_where_the_time_of_the_ranks_went() {
    uneven
    config '"sampling": {"active": true}'
    ranks_well 2 ./uneven
    log=uneven_all.log
    [ "$(grep -n '^Where the time went' $log | cut -d: -f1)" -lt "$(grep -n '^Runtime profile$' $log | cut -d: -f1)" ] || fail "it does not come first"
    expect_between "$(cell computation 2)" 0.8 1.0 "seconds of computation"
    expect_between "$(cell computation 4)" 0.08 0.2 "seconds of the rank that computes least"
    expect_same "$(cell computation 5)" 0 "the rank that computes least"
    expect_same "$(cell computation 8)" 1 "the rank that computes most"
    expect_same "$(cell 'MPI collectives' 8)" 0 "the rank that waits most"
    expect_between "$(breakdown_of $log | awk -F'|' 'NF > 4 { n += $4 } END { print n }')" 99 101 "percent of all activities"
    expect_between "$(sed -n 's/^Parallel efficiency.* load balance \([0-9.]*\) %.*/\1/p' $log)" 50 62 "load balance"
    sed -n 's/^Parallel efficiency \([0-9.]*\) % = load balance \([0-9.]*\) %, communication efficiency \([0-9.]*\) % (product; POP metrics)/\1 \2 \3/p' $log |
        awk '{ d = $1 - $2 * $3 / 100; n = d < 0.2 && d > -0.2 } END { exit !n }' || fail "it is not the product: $(grep ^Parallel $log)"
    # Of the files, and of one rank.
    report uneven_0.vfd uneven_1.vfd
    log=report
    expect_between "$(cell computation 2)" 0.8 1.0 "seconds of computation in vftr report"
}

# Issue: rank 0 was compared as a whole with ranks that were cut at the collation
test_what_follows_mpi_finalize_counts_in_no_efficiency() {
    build_mpi after.c <<EOC
#include <mpi.h>
$burn
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    burn(0.3);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    burn(0.9);
    return 0;
}
EOC
    config '"sampling": {"active": true}'
    ranks_well 2 ./after
    log=after_all.log
    expect_between "$(sed -n 's/^Parallel efficiency.* load balance \([0-9.]*\) %.*/\1/p' $log)" 75 100 "load balance"
    local in_log
    in_log=$(grep '^Parallel efficiency' $log)
    report after_0.vfd after_1.vfd
    expect_same "$(grep '^Parallel efficiency' report)" "$in_log" "the efficiencies in vftr report"
}

test_waiting_before_collective_calls_is_told_apart_where_it_is_measured() {
    uneven
    config '"mpi": {"show_sync_time": true}'
    ranks_well 2 ./uneven
    log=uneven_all.log
    expect_between "$(cell 'MPI waiting before collectives' 7)" 0.2 9 "seconds that rank 0 waited"
}

# Issue: serialisation and transfer where a timeline tells
test_waits_divides_the_communication_efficiency() {
    uneven
    config '"sampling": {"active": true}'
    ranks_well 2 ./uneven
    "$vftr" waits uneven_[01].vfd >waits || fail "vftr waits failed"
    grep -qE '^Time in MPI: [0-9.]+ s, [0-9.]+ % of it waits for other ranks' waits || fail "the waits are not told from the rest: $(head -5 waits)"
    sed -n 's/^Communication efficiency \([0-9.]*\) % = serialisation efficiency \([0-9.]*\) %, transfer efficiency \([0-9.]*\) % (product; POP metrics)/\1 \2 \3/p' waits |
        awk '{ d = $1 - $2 * $3 / 100; n = d < 0.2 && d > -0.2 && $1 > 0 } END { exit !n }' || fail "it is not the product: $(grep ^Comm waits)"
    log=uneven_all.log
    local in_log
    in_log=$(sed -n 's/.* communication efficiency \([0-9.]*\) .*/\1/p' $log)
    # The log's is of a moment in MPI_Finalize.
    awk -v a="$in_log" -v b="$(sed -n 's/^Communication efficiency \([0-9.]*\) .*/\1/p' waits)" 'BEGIN { exit !(a > 0 && a - b < 2 && b - a < 2) }' ||
        fail "vftr waits has another communication efficiency than the log's $in_log: $(grep ^Comm waits)"
}

test_the_example_of_readme_shows_its_efficiencies() {
    case $("$cc" --version) in *clang*) skip "the compiler's OpenMP is another one" ;; esac
    build_mpi heat_hybrid.c -fopenmp -lm <"$srcdir/examples/heat_hybrid.c"
    config
    export OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive
    ranks_well 2 ./heat_hybrid
    unset OMP_NUM_THREADS OMP_WAIT_POLICY
    grep -q '^norm of the upper part after 600 steps: [0-9.]*$' out || fail "it printed: $(cat out)"
    grep -qE '^Parallel efficiency [0-9.]+ % = load balance [0-9.]+ %, communication efficiency [0-9.]+ %, OpenMP efficiency [0-9.]+ % \(product; POP metrics\)$' heat_hybrid_all.log ||
        fail "no efficiencies: $(breakdown_of heat_hybrid_all.log)"
}

run_tests
