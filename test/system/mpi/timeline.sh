# SPDX-License-Identifier: BSD-3-Clause
# Messages in the timeline: with sampling, vftr dump shows each one with its peer, count, type and tag.
. "${srcdir:-.}/test/system/mpi/lib_mpi.sh"

dump() { "$vftr" dump "$@" >dump 2>dump.err || fail "vftr dump $*: $(cat dump.err)"; }

# "send count=1000 type=MPI_DOUBLE(8Bytes) peer=2 tag=7" for each message of the dump.
messages() { awk '/ in stackID / { direction = $2 } /^ *count=/ { print direction, $1, $2, $6, $7 }' dump; }

# Debian's MPICH (UCX) is not reliable with more ranks than cores.
size=3
mpi_library_is_mpich && size=2

record_timeline() {
    config "$1"
    build_mpi timeline
    ranks_well $size ./timeline
}

test_every_message_is_in_the_dump() {
    record_timeline '"sampling": {"active": true}'
    for rank in $(seq 0 $((size - 1))); do
        dump "timeline_$rank.vfd"
        diff <(sort expected.$rank) <(messages | sort) >differences ||
            fail "rank $rank: expected (<) and found (>) differ: $(head -20 differences)"
        expect_same "$(awk '/^ *Messages:/ { print $2 }' dump)" "$(wc -l <expected.$rank)" "the number of messages of rank $rank"
        expect_same "$(awk '/^Samples:/ { print $2 }' dump)" "$(grep -cE '^ *[0-9.]+ (call|exit) |^ *count=' dump)" "the number of samples"
    done
}

test_a_message_has_three_lines_with_its_begin_and_end() {
    record_timeline '"sampling": {"active": true, "sample_interval": 0}'
    dump timeline_1.vfd
    [ "$(messages | wc -l)" -ge 30 ] || fail "there are but $(messages | wc -l) messages"
    expect_same "$(sed '1,/^Stack and message samples:$/d' dump | grep -cvE '^ *[0-9]+\.[0-9]{6} ((call|exit) [^ ]+init|(send|recv) (end|in stackID [0-9]+ from threadID 0))$|^ {17}count=[0-9]+ type=[^ ]+\([0-9]+Bytes\) rate= +[0-9]+\.[0-9]{4} MiB/s peer=[0-2] tag=-?[0-9]+( comm=[0-9a-f]{8})?$')" \
        0 "lines of another form"
    expect_same "$(awk '/ in stackID / { begin = $1; after = NR } / (send|recv) end$/ && (NR != after + 2 || $1 < begin) { print }' dump)" '' \
        "ends that are before their begins"
    # In the order of their begins, among the calls.
    grep -E ' (call|exit|in stackID) ' dump | sort -s -c -k1,1n || fail "the dump is not in the order of time"
}

test_a_message_belongs_to_the_call_that_began_it() {
    record_timeline '"sampling": {"active": true}'
    dump timeline_0.vfd
    awk '/^ *[0-9]+: / { path[$1 + 0] = $2 }
        / in stackID / { id = $5; direction = $2 }
        /^ *count=/ { split(path[id], names, "<"); sub(/[*]$/, "", names[1]); print names[1], direction, $7 }' dump | sort | uniq -c |
        sed 's/^ *//' >found
    for line in '1 MPI_Isend send tag=7' '1 MPI_Recv recv tag=7' '1 MPI_Irecv recv tag=100' '1 MPI_Isend send tag=104' '3 MPI_Startall send tag=9' \
        '3 MPI_Startall recv tag=9' '1 MPI_Sendrecv send tag=3' '1 MPI_Bcast recv tag=-1' "$size MPI_Allreduce send tag=-1" '1 MPI_Put send tag=-1' \
        '1 MPI_Get recv tag=-1'; do
        grep -qx -- "$line" found || fail "no '$line' in: $(cat found)"
    done
}

test_without_log_messages_there_are_none() {
    record_timeline '"sampling": {"active": true}, "mpi": {"log_messages": false}'
    dump timeline_0.vfd
    expect_same "$(messages | wc -l)" 0 "messages"
    grep -q '^ *Messages:     0$' dump || fail "messages are counted: $(head -12 dump)"
}

test_skip_samples_leaves_messages_out_too() {
    record_timeline '"sampling": {"active": true}'
    dump --skip_samples timeline_0.vfd
    expect_same "$(messages | wc -l)" 0 "messages"
    dump --show_threadtree --only_header timeline_0.vfd
    ! grep -q 'Stacks list' dump || fail "--only_header prints the stacks"
}

test_the_header_tells_the_clock_offset_to_rank_0() {
    record_timeline '"sampling": {"active": true}'
    dump --only_header timeline_1.vfd
    grep -qE '^Clock offset:    ([+-][0-9.]+ us at start \(± [0-9.]+ us\), )?[+-][0-9.]+ us at end \(± [0-9.]+ us\)$' dump ||
        fail "no clock offset in: $(cat dump)"
}

# Two ranks that send each other 3000 messages each, with many calls between; what each expects of itself is in expected.<rank>.
many_messages() {
    config "\"sampling\": {\"active\": true, \"sample_interval\": 0, $1}"
    build_mpi stream.c <<'END'
#include <mpi.h>
#include <stdio.h>
static int leaf(int n) { return n + 1; }
static void exchange(int rank, int i, FILE *expected)
{
    int sent[8] = {i}, got[8];
    MPI_Sendrecv(sent, 1 + i % 8, MPI_INT, 1 - rank, i, got, 8, MPI_INT, 1 - rank, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (got[0] != i)
        MPI_Abort(MPI_COMM_WORLD, 1);
    fprintf(expected, "send count=%d type=MPI_INT(4Bytes) peer=%d tag=%d\n", 1 + i % 8, 1 - rank, i);
    fprintf(expected, "recv count=%d type=MPI_INT(4Bytes) peer=%d tag=%d\n", 1 + i % 8, 1 - rank, i);
    for (int n = 0; n < 200; n++)
        leaf(n);
}
int main(int argc, char **argv)
{
    int rank;
    char name[20];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    sprintf(name, "expected.%d", rank);
    FILE *expected = fopen(name, "w");
    for (int i = 0; i < 3000; i++)
        exchange(rank, i, expected);
    fclose(expected);
    MPI_Finalize();
    return 0;
}
END
    ranks_well 2 ./stream
    expect_calls stream_all.log leaf 1200000
    # Of 1 to 8 integers, sent and received by two ranks.
    expect_same "$(table stream_all.log 'Communication profile' 1 2 3 7 8)" "12000 18.0 18.0 MPI_Sendrecv exchange" "the communication profile"
}

# Issue: optional zstd of full segments; messages stand in them as well.
test_a_compressed_timeline_has_every_message() {
    needs ZSTD
    many_messages '"compress": true'
    for rank in 0 1; do
        dump "stream_$rank.vfd"
        diff <(sort expected.$rank) <(messages | sort) >differences || fail "rank $rank: expected (<) and found (>) differ: $(head -20 differences)"
        expect_same "$(grep -c ' call *leaf<' dump)" 600000 "calls of rank $rank"
    done
}

# Issue: a ring mode as a flight recorder. The messages that are kept are the latest ones, without a gap, and the tables have all.
test_a_flight_recorder_has_the_latest_messages_and_the_table_all() {
    many_messages '"keep_last": "1 MiB"'
    for rank in 0 1; do
        dump "stream_$rank.vfd"
        messages >found
        expect_at_least "$(wc -l <found)" 1000 "messages that rank $rank has kept"
        expect_at_most "$(wc -l <found)" 5990 "messages that rank $rank has kept"
        for direction in send recv; do
            diff <(grep $direction expected.$rank | tail -n "$(grep -c $direction found)") <(grep $direction found) >differences ||
                fail "rank $rank: the latest messages (<) and those found (>) differ: $(head -20 differences)"
        done
    done
}

run_tests
