# SPDX-License-Identifier: BSD-3-Clause
# A job of which one rank shares its core with other work.
. "${srcdir:-.}/test/system/mpi/lib_mpi.sh"
. "$srcdir/test/system/time_shares.sh"
. "$srcdir/test/system/busy_core.sh"

# run_uneven [SECONDS]: two ranks that compute for as long, or rank 0 for so long, of which rank 1 has a quarter of a core; they meet at last in MPI_Barrier.
run_uneven() {
    local of_rank_0=${1:-0.3}
    build_mpi shared.c <<EOC
#include <mpi.h>
$burn
int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    burn(rank == 0 ? $of_rank_0 : 0.3);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
EOC
    # shellcheck disable=SC2016
    beside_loops 3 ranks_well 2 sh -c '[ ${OMPI_COMM_WORLD_RANK-$PMI_RANK} != 1 ] || taskset -cp '"$core"' $$ >taskset.out; exec ./shared'
    log=shared_all.log
}

# Issue: head and tables contradict each other once ranks lose time differently: the sum of t_excl over ranks is 1.4 to 1.8 × the application time
test_the_head_of_a_job_is_what_its_tables_add_up_to() {
    config
    run_uneven
    local total average application overhead waiting sum rows
    total=$(head_value "Total runtime" $log) average=$(head_value "Average of the ranks" $log) application=$(head_value "Application time" $log)
    overhead=$(head_value Overhead $log) waiting=$(head_value "Waiting for a core" $log) sum=$(head_value "Sum of t_excl" $log)
    rows=$(awk -F'|' '/^Runtime profile$/ { on = 1 } /^$/ { on = 0 } on && $2 + 0 > 0 { n += $3 } END { print n }' $log)
    awk -v r="${average:-$total}" -v a="$application" -v o="$overhead" -v w="$waiting" -v s="$sum" -v rows="$rows" 'function near(x, y) { return x - y < 0.03 && y - x < 0.03 }
        BEGIN { exit !(near(a + o + w, r) && near(2 * a, s) && near(rows, s)) }' ||
        fail "head and tables: average run time ${average:-$total}, application $application, overhead $overhead, waiting $waiting, sum of t_excl $sum, rows $rows"
    awk -v w="$(cell 'waiting for a core' 2)" -v h="$waiting" 'BEGIN { exit !(w - 2 * h < 0.02 && 2 * h - w < 0.02) }' || fail "waiting: head $waiting, table $(breakdown_of $log)"
    # The rank that lost most is told by itself: rank 1, unless other work has robbed rank 0 of more.
    grep -qE '^Slowest rank: +[0-9.]+ s lost \(rank [01]\)$' $log || fail "which is the slowest rank: $(sed -n '/^Nr/,/^$/p' $log)"
    awk -v l="$(head_value "Slowest rank" $log)" -v w="$waiting" -v o="$overhead" 'BEGIN { exit !(l > 0.1 && l > w + o - 0.02 && l < 2 * (w + o) + 0.04) }' ||
        fail "the slowest rank lost $(head_value "Slowest rank" $log) s, an average one $overhead and $waiting s"
}

# Issue: peers' waits for a core land in MPI functions, marked exact; say in the log what of MPI's time is at most owed to that, and mark the efficiencies as those of a shared machine
test_what_of_the_time_in_mpi_is_owed_to_a_rank_without_a_core_is_told() {
    config
    run_uneven 0.05 # so that rank 0 is early, also where other work robs it of its core, too
    local line in_mpi at_most
    line=$(grep '^Shared cores: ' $log) || fail "no line: $(breakdown_of $log)"
    in_mpi=$(sed -n 's/^Shared cores: of \([0-9.]*\) s in MPI .*/\1/p' $log) at_most=$(sed -n 's/^Shared cores: .* up to \([0-9.]*\) s .*/\1/p' $log)
    # Rank 0 is in MPI_Barrier for nothing else.
    awk -v m="$in_mpi" -v a="$at_most" 'BEGIN { exit !(m > 0 && a > 0 && a <= m) }' || fail "of MPI's time: $line"
    grep -qE '^These efficiencies are those of shared cores: .* communication efficiency would be [0-9.]+ % to [0-9.]+ %$' $log || fail "the efficiencies are not marked: $(breakdown_of $log)"
    awk -F'|' '/^Runtime profile$/ { on = 1 } on && / MPI_Barrier / { n = $(NF - 1) + 0 } END { exit !(n > 0) }' $log || fail "MPI_Barrier is exact: $(sed -n '/^Runtime profile$/,/^$/p' $log)"
}

run_tests
