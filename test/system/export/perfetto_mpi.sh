# SPDX-License-Identifier: BSD-3-Clause
# Timelines of several ranks for Perfetto: an arrow for each message that the program knows it sent.
. "${srcdir:-.}/test/system/mpi/lib_mpi.sh"
. "$srcdir/test/system/export/lib_perfetto.sh"

test_messages_are_flows_between_ranks() {
    build_mpi ring.c <<'END'
#include <mpi.h>
#include <stdio.h>
static void exchange(int rank, int size, int round)
{
    char out[64] = {0}, in[64];
    MPI_Request requests[2];
    int to = (rank + 1) % size, from = (rank + size - 1) % size;
    MPI_Irecv(in, round + 1, MPI_CHAR, from, 7, MPI_COMM_WORLD, requests);
    MPI_Isend(out, round + 1, MPI_CHAR, to, 7, MPI_COMM_WORLD, requests + 1);
    printf("%d\t%d\t%d\t%d\n", rank, to, round + 1, 7);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}
int main(int count, char **arguments)
{
    int rank, size, last = 0;
    MPI_Init(&count, &arguments);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 10; i++)
        exchange(rank, size, i);
    if (rank == 0) {
        MPI_Send(&last, 1, MPI_INT, size - 1, 9, MPI_COMM_WORLD);
        printf("0\t%d\t4\t9\n", size - 1);
    } else if (rank == size - 1)
        MPI_Recv(&last, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Allreduce(&rank, &last, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
END
    every_event
    ranks_well 3 ./ring
    perfetto trace ring_?.vfd
    checked trace
    same_calls trace ring_all.log
    LC_ALL=C sort out >sent
    expect_same "$(wc -l <sent)" 31 "messages of the program"
    found trace message | LC_ALL=C sort | diff sent - >differences || fail "messages of the program (<) and of the trace (>): $(head -6 differences)"
    expect_same "$(found trace process | cut -f2 | tr '\n' ' ')" "rank 0 rank 1 rank 2 " "processes"

    # Files of single ranks can be put together: none has a sequence, track or pid of another one.
    local rank
    for rank in 0 1 2; do
        perfetto "only.$rank" --ranks=$rank ring_?.vfd
        grep -q 'Process and thread ids are numbers' "only.$rank" || fail "no note about ids"
    done
    grep -aq 'Of 21 sends and receives 21 have no arrow, as the other end is not in the files' only.0 || fail "no note about messages with other ranks"
    perfetto two --ranks=0,1 ring_?.vfd
    grep -aq 'Of 41 sends and receives 21 have no arrow' two || fail "no note about messages with rank 2"
    ! grep -aq 'have no arrow' trace || fail "a note about messages that are all there"
    cat only.? >together
    checked together --files
    found trace call >of_one_file
    found together call | diff of_one_file - >differences || fail "calls of one file (<) and of three (>): $(head -6 differences)"
    found together message | LC_ALL=C sort | diff sent - >differences || fail "messages of three files: $(head -6 differences)"
}

# Issue: One file for all ranks (default), or one per rank (`--split`) with a manifest.
# Issue: one-time work after a message had ended moved its begin, so that messages came before they were sent
test_a_split_trace_is_the_whole_one() {
    build_mpi pairs.c <<'END'
#include <mpi.h>
static void pass_on(int rank, int data)
{
    if (rank == 0)
        MPI_Ssend(&data, 1, MPI_INT, 1, data, MPI_COMM_WORLD);
    else if (rank == 1)
        MPI_Recv(&data, 1, MPI_INT, 0, data, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
int main(int count, char **arguments)
{
    int rank;
    MPI_Init(&count, &arguments);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 5; i++) {
        pass_on(rank, i);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
END
    every_event
    ranks_well 3 ./pairs
    perfetto whole pairs_?.vfd
    checked whole
    perfetto split --split pairs_?.vfd
    expect_same "$(cd split && LC_ALL=C && echo *)" "perfetto_manifest.json rank_0.perfetto-trace rank_1.perfetto-trace rank_2.perfetto-trace" "files"
    python3 - split/perfetto_manifest.json "$(uname -n)" <<'END' || fail "the manifest: $(cat split/perfetto_manifest.json)"
import json, sys
text = open(sys.argv[1]).read()
assert "".join(text.split()).startswith('{"perfetto_manifest"'), "viewers know it by how it begins"
manifest = json.loads(text)
assert list(manifest) == ["perfetto_manifest"]
assert manifest["perfetto_manifest"] == {
    "version": 1,
    "trace_time": {"clock": "REALTIME"},
    "files": [{"path": f"rank_{rank}.perfetto-trace", "machine": {"name": sys.argv[2]}} for rank in range(3)],
}
END
    cat split/rank_?.perfetto-trace >together
    checked together --files
    local kind rank
    for kind in call message wait process; do
        found whole $kind | LC_ALL=C sort >of_whole
        found together $kind | LC_ALL=C sort | diff of_whole - >differences || fail "$kind of one file (<) and of three (>): $(head -6 differences)"
    done
    expect_same "$(found whole message | wc -l)" 5 "messages"
    for rank in 0 1 2; do
        cp split/rank_$rank.perfetto-trace alone
        checked alone --part
        expect_same "$(found alone process | cut -f2)" "rank $rank" "processes of one file"
    done
    perfetto again --split pairs_?.vfd
    diff -r split again >differences || fail "a second export differs: $(head -3 differences)"
    "$vftr" export --format=perfetto --split pairs_?.vfd >out || fail "vftr export without --output"
    expect_same "$(cat out)" pairs_all.perfetto-traces "name"
    diff -r split pairs_all.perfetto-traces >differences || fail "the folder of the default name differs: $(head -3 differences)"
    refused() { expect_refused "$1" "$2" "$vftr" export "${@:3}"; }
    refused 2 '--split is for perfetto, not for folded' --format=folded --split pairs_?.vfd
    refused 1 '--split needs a timeline' --format=perfetto --split pairs_all.vfd
    refused 1 'is a folder' --format=perfetto --split -o - pairs_?.vfd
    refused 1 'split: File exists' --format=perfetto --split -o split pairs_?.vfd
}

# Issue: wait states as slices on a track of their own with who was late
test_wait_states_are_those_of_vftr_waits() {
    build_mpi late.c <<'END'
#include <mpi.h>
#include <unistd.h>
int main(int count, char **arguments)
{
    int rank, data = 0;
    MPI_Request requests[2];
    MPI_Init(&count, &arguments);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < 3; i++) {
        if (rank == 1)
            usleep(100000);
        if (rank == 1)
            MPI_Send(&data, 1, MPI_INT, 0, i, MPI_COMM_WORLD);
        if (rank == 0)
            MPI_Recv(&data, 1, MPI_INT, 1, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank == 2)
            usleep(300000);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Irecv(&data, 1, MPI_INT, (rank + 2) % 3, 9, MPI_COMM_WORLD, requests);
    if (rank == 0)
        usleep(10000);
    MPI_Isend(&rank, 1, MPI_INT, (rank + 1) % 3, 9, MPI_COMM_WORLD, requests + 1);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return 0;
}
END
    every_event
    ranks_well 3 ./late
    perfetto trace late_?.vfd
    checked trace
    same_calls trace late_all.log
    "$vftr" waits --max-rows=0 late_?.vfd >waits || fail "vftr waits"
    awk -F'|' '$3 + 0 > 0 && $7 ~ /(sender|receiver|collective|exit) *$/ { gsub(/^ +| +$/, "", $7); gsub(/^ +| +$/, "", $8); n[$7 "\t" $8] += $2; s[$7 "\t" $8] += $3 }
        END { for (k in n) printf "%s\t%d\t%.4f\n", k, n[k], s[k] }' waits | LC_ALL=C sort >shown
    found trace wait | awk -F'\t' '{ n[$2 "\t" $3]++; s[$2 "\t" $3] += $5 } END { for (k in n) printf "%s\t%d\t%.4f\n", k, n[k], s[k] / 1e9 }' | LC_ALL=C sort >drawn
    # The table has tenths of a millisecond, each sum rounded.
    awk -F'\t' 'FNR == NR { n[$1 FS $2] = $3; s[$1 FS $2] = $4; next }
        { k = $1 FS $2; off = s[k] - $4; if (n[k] != $3 || off > 0.00005 * ($3 + 2) || off < -0.00005 * ($3 + 2)) print; delete n[k] }
        END { for (k in n) print k, n[k] }' shown drawn >differences
    [ ! -s differences ] || fail "waits of vftr waits and of the trace: $(cat shown drawn)"
    expect_at_least "$(found trace wait | grep -c "^rank 0	late sender	MPI_Recv	1	")" 3 "times that rank 0 waited for rank 1"
    expect_at_least "$(found trace wait | grep -c "^rank [01]	wait at collective	MPI_Barrier	2	")" 6 "times that rank 2 was late"
    perfetto one --ranks=0 late_?.vfd
    checked one --part
    found trace wait | grep '^rank 0' >of_all
    found one wait | diff of_all - >differences || fail "waits of rank 0 among all (<) and alone (>): $(cat differences)"
    perfetto long --min-duration=15ms late_?.vfd
    checked long --part
    found trace wait | awk -F'\t' '$5 >= 15000000' >longest
    found long wait | diff longest - >differences || fail "waits of at least 15 ms: $(cat differences)"
    # Whose partners are not all there.
    perfetto part late_0.vfd late_1.vfd
    checked part --part
    expect_same "$(found part wait | grep -c MPI_Barrier)" 0 "waits at a barrier of which a rank is not known"
}

run_tests
