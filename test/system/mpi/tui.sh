# SPDX-License-Identifier: BSD-3-Clause
# The views of vftr tui that only MPI jobs have: ranks, imbalance, communication, wait states.
. "${srcdir:-.}/test/system/mpi/lib_mpi.sh"
. "$srcdir/test/system/lib_tui.sh"

test_the_views_of_a_job_have_the_figures_of_the_report() {
    config '"sampling": {"active": true}'
    build_mpi late.c <<'END'
#include <mpi.h>
#include <unistd.h>
static int x, rank;
static void work(int ms) { usleep(ms * 1000); }
static void exchange(void)
{
    if (rank == 0)
        MPI_Send(&x, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
    else if (rank == 1)
        MPI_Recv(&x, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    work(rank == 0 ? 300 : 10);
    exchange();
    work(rank == 0 ? 200 : 10);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
END
    ranks_well 2 ./late
    run_well "$vftr" report --format=json late_0.vfd late_1.vfd
    mv out late.json
    terminal 100 30
    begin_tui --view imbalance late_0.vfd late_1.vfd
    exported imbalance
    figures late.json call_paths imbalance.csv
    to_view Communication
    exported pairs
    figures late.json message_matrix pairs.csv
    to_view Messages
    exported messages
    figures late.json messages messages.csv
    to_view Waits
    exported waits
    run_well "$vftr" waits late_0.vfd late_1.vfd
    expect_waits
    to_view Findings
    exported findings
    run_well "$vftr" report --findings late_0.vfd late_1.vfd
    local text
    sed 1d findings.csv | tr -d '\r' | sed 's/^[^,]*,[^,]*,[^,]*,"\{0,1\}//; s/"$//' >sentences
    [ -s sentences ] || fail "no findings"
    while read -r text; do
        tr -s ' \n' '  ' <out | grep -qF -- "$text" || fail "vftr report --findings does not say '$text', but: $(cat out)"
    done <sentences
    to_view Ranks
    exported ranks
    expect_ranks
    keys Down
    until_shown 'row 2 of 2'
    keys Enter
    until_shown 'late  rank 1'
    to_view Functions
    exported functions
    figures rank_1.json functions functions.csv
    keys p
    until_shown 'all ranks'
    keys Home Enter
    until_shown 'late  all ranks'
    end_tui
}
# The rows of the table of vftr waits: waits, state and function, and the time in six decimals.
expect_waits() {
    awk -F'|' '
        function trim(text) { gsub(/^ +| +$/, "", text); return text }
        /^Ranks that others/ { exit }
        $2 ~ /[0-9]/ { print trim($2) "," trim($3) "," trim($7) "," trim($8) }' out | sort >wanted
    tr -d '\r' <waits.csv | awk -F, '
        NR == 1 { for (i = 1; i <= NF; i++) place[$i] = i; next }
        { printf "%s,%.6f,%s,%s\n", $place["waits"], $place["ns"] / 1e9, $place["state"], $place["function"] }' | sort >shown
    [ -s wanted ] || fail "no waits"
    diff wanted shown >differences || fail "vftr waits (<) and the view (>): $(cat differences)"
}
expect_ranks() {
    local rank
    for rank in 0 1; do
        run_well "$vftr" report --format=json --rank $rank late_0.vfd late_1.vfd
        mv out rank_$rank.json
        python3 - $rank rank_$rank.json ranks.csv <<'END' || fail "rank $rank differs from its report"
import csv, json, sys
head = json.load(open(sys.argv[2]))["profiles"][0]["head"]
row = next(row for row in csv.DictReader(open(sys.argv[3])) if row["rank"] == sys.argv[1])
row.pop("rank")
sys.exit(0 if all(str(head[name]) == value for name, value in row.items()) else str(row) + str(head))
END
    done
}

run_tests
