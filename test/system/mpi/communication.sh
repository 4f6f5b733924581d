# SPDX-License-Identifier: BSD-3-Clause
# The communication profile, the communication matrix and the wait states of real jobs, against what the programs know they sent.
. "${srcdir:-.}/test/system/mpi/lib_mpi.sh"

# cells LOG TITLE: a matrix as lines "from to value", without those that did not talk and the sums.
cells() {
    awk -F'|' -v title="$2" '
        /^Communication matrix$/ { matrix = 1 }
        matrix && $0 == title { on = 1; lines = 0; next }
        on && /^[+]/ { if (++lines == 3) exit; next }
        on { gsub(/ /, "") }
        on && lines == 1 { for (i = 3; i < NF; i++) to[i] = $i }
        on && lines == 2 && $2 != "sum" { for (i = 3; i < NF; i++) if (to[i] != "sum" && $i != "----") print $2, to[i], $i }' "$1"
}

# Each rank sends five messages to the next, rank 0 broadcasts 40 bytes, and rank 1 gets 24 bytes from rank 0.
talk() {
    build_mpi talk.c <<'END'
#include <mpi.h>
#include <string.h>
static char out[10000], in[10000];
static void ring(int rank, int size)
{
    for (int i = 0; i < 5; i++)
        MPI_Sendrecv(out, 100 * (rank + 1), MPI_CHAR, (rank + 1) % size, 3, in, sizeof in, MPI_CHAR, (rank + size - 1) % size, 3,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
static void get(int rank)
{
    MPI_Win win;
    double mine[3] = {1, 2, 3}, got[3];
    MPI_Win_create(mine, sizeof mine, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    if (rank == 1)
        MPI_Get(got, 3, MPI_DOUBLE, 0, 0, 3, MPI_DOUBLE, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
}
int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    ring(rank, size);
    MPI_Bcast(out, 10, MPI_INT, 0, MPI_COMM_WORLD);
    get(rank);
    MPI_Finalize();
    return 0;
}
END
}

# Issue: "In tables of wrappers (`MPI_Waitall | hypre_MPI_Waitall` five times) the first caller that is no wrapper is shown."
test_the_caller_of_mpi_is_no_wrapper() {
    config '"sampling": {"active": true, "sample_interval": 0}'
    build_mpi wrapped.c <<'END'
#include <mpi.h>
#include <unistd.h>
static int a[4], b[4];
static void lib_MPI_Sendrecv(int to, int from)
{
    MPI_Sendrecv(a, 4, MPI_INT, to, 1, b, 4, MPI_INT, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
static void all_add(void) { MPI_Allreduce(a, b, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD); }
static void halo(int to, int from) { lib_MPI_Sendrecv(to, from); }
static void norm(int rank)
{
    usleep(20000 * rank);
    all_add();
}
static void energy(void)
{
    for (int i = 0; i < 20000; ++i) // what the first call takes, or a few preemptions, does not count then
        all_add();
}
int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 3; ++i)
        halo((rank + 1) % size, (rank + size - 1) % size);
    norm(rank);
    energy();
    MPI_Finalize();
    return 0;
}
END
    ranks_well 2 ./wrapped
    expect_same "$(table wrapped_all.log 'Communication profile' 7 8 | sort)" "MPI_Allreduce energy
MPI_Allreduce norm
MPI_Sendrecv halo" "functions and their callers"
    grep -q '^Caller: .*not shown: all_add, lib_MPI_Sendrecv$' wrapped_all.log || fail "the wrappers are not named: $(grep '^Caller' wrapped_all.log)"
    expect_stack wrapped_all.log 'MPI_Allreduce<all_add<norm<main<init'
    "$vftr" waits wrapped_[01].vfd >waits || fail "vftr waits"
    table waits 'Ranks that others waited for in collective calls' 1 5 6 | grep -qx '1 MPI_Allreduce norm' || fail "the caller of the wait: $(cat waits)"
}

test_the_tables_show_what_the_program_sent() {
    config
    talk
    for size in 3 4; do
        ranks_well $size ./talk
        expect_same "$(table talk_all.log 'Communication profile' 1 2 3 7 8 | sort)" "1 ---- 24.0 MPI_Get get
$((10 * size)) $((50 * (size + 1))).0 $((50 * (size + 1))).0 MPI_Sendrecv ring
$((2 * size)) 40.0 40.0 MPI_Bcast main" "communication profile of $size ranks"
        for what in bytes Messages; do
            awk -v size=$size -v what=$what 'BEGIN {
                for (r = 0; r < size; r++) {
                    sum[r " " (r + 1) % size] += what == "bytes" ? 500 * (r + 1) : 5
                    sum["0 " r] += what == "bytes" ? 40 : 1
                }
                sum["0 1"] += what == "bytes" ? 24 : 1
                for (pair in sum) print pair, sum[pair]
            }' | sort >expected
            expect_same "$(cells talk_all.log $what | sort)" "$(cat expected)" "matrix of $what of $size ranks"
        done
        expect_same "$(table talk_all.log 'Communication profile' 9 | while read -r id; do grep -cE "^ *STID$id " talk_all.log; done | sort -u)" 1 \
            "call stacks of a row"
    done
}

test_the_report_of_the_files_has_the_same_messages() {
    config '"sampling": {"active": true}, "mpi": {"matrix_per_callpath": true, "show_callpath": true}'
    talk
    ranks_well 3 ./talk
    report talk_[0-9].vfd
    for file in report talk_all.log; do
        {
            table $file 'Communication profile' 1 2 3 7 8 9 10 11 13
            cells $file bytes
            table $file 'Pairs of ranks that moved most' 1 2 3 4 7 9
        } >$file.messages
    done
    expect_at_least "$(wc -l <report.messages)" 10 "lines to compare"
    diff report.messages talk_all.log.messages || fail "the report of the files differs from the log"
    grep -q ' MPI_Sendrecv<ring<main<init |$' report || fail "no call path in the table: $(grep MPI_Sendrecv report)"
    expect_same "$(table report 'Pairs of ranks that moved most' 1 2 3 4 7 | grep Sendrecv | sort)" "0 1 5 500 MPI_Sendrecv
1 2 5 1000 MPI_Sendrecv
2 0 5 1500 MPI_Sendrecv" "pairs per call path"
}

test_only_messages_between_the_named_ranks_are_recorded() {
    config '"mpi": {"only_for_ranks": "0-1"}'
    talk
    ranks_well 3 ./talk
    # The ring goes from 0 to 1 only: five sends, five receives.
    expect_same "$(cells talk_all.log bytes | sort)" "0 0 40
0 1 564" "matrix of ranks 0 and 1"
    expect_same "$(table talk_all.log 'Communication profile' 1 7 | sort)" "1 MPI_Get
10 MPI_Sendrecv
4 MPI_Bcast" "messages of ranks 0 and 1"
}

test_messages_can_be_left_out() {
    config '"mpi": {"log_messages": false}'
    talk
    ranks_well 3 ./talk
    expect_same "$(sed -n '/^Communication profile/{n;p}' talk_all.log)" "No messages were recorded." "the communication profile"
    ! grep -q '^Communication matrix' talk_all.log || fail "there is a matrix"
    expect_calls talk_all.log MPI_Sendrecv 15
    rm ./*.log
    config '"mpi": {"show_table": false, "show_matrix": false}'
    ranks_well 3 ./talk
    ! grep -q '^Communication' talk_all.log || fail "a table is there that is not wanted"
}

test_the_communication_has_a_file_of_its_own() {
    printf '{"profile_table": {"separate": true}, "mpi": {"sort_table": {"column": "messages"}, "max_rows": 1, "matrix_max_ranks": 2}}\n' >config.json
    export VFTR_CONFIG=$PWD/config.json
    talk
    ranks_well 3 ./talk
    expect_file talk_all_mpi.log
    ! grep -q '^Communication' talk_all.log || fail "a table stands in the log"
    expect_same "$(table talk_all_mpi.log 'Communication profile' 1 7)" "30 MPI_Sendrecv
7 (2 more)" "the table with one row"
    expect_same "$(table talk_all_mpi.log 'Pairs of ranks that moved most' 1 2 3 4)" "2 0 5 1500
(4 more) ---- 14 1644" "the pair that moves most"
}

test_messages_of_more_than_2_GiB_are_counted_in_full() {
    config
    # 2.5 GiB out of a buffer of 1 MiB, packed as it is sent.
    instrument='' build_mpi huge.c <<'END'
#include <mpi.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int rank;
    char *buffer = calloc(1, 1 << 20);
    MPI_Datatype type;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_create_hvector(2560, 1 << 20, 0, MPI_CHAR, &type);
    MPI_Type_commit(&type);
    if (rank == 0)
        MPI_Send(buffer, 1, type, 1, 0, MPI_COMM_WORLD);
    else
        MPI_Recv(buffer, 1, type, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
END
    ranks_well 2 ./huge
    expect_same "$(table huge_all.log 'Communication profile' 1 2 3 7 | sort)" "1 ---- 2684354560.0 MPI_Recv
1 2684354560.0 ---- MPI_Send" "a message of 2.5 GiB"
    expect_same "$(cells huge_all.log bytes)" "0 1 2684354560" "the matrix"
}

test_wait_states_show_who_waited() {
    config '"sampling": {"active": true}'
    build_mpi wait.c <<'END'
#include <mpi.h>
#include <unistd.h>
static int x, rank;
static void sleep_on(int who) { if (rank == who) usleep(300000); }
static void late_sender(void)
{
    if (rank == 0) MPI_Send(&x, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    if (rank == 1) MPI_Recv(&x, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
static void late_sender_of_a_posted_receive(void)
{
    MPI_Request request;
    if (rank == 0) MPI_Send(&x, 1, MPI_INT, 1, 2, MPI_COMM_WORLD);
    if (rank == 1) {
        MPI_Irecv(&x, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}
static void late_receiver(void)
{
    if (rank == 2) MPI_Ssend(&x, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
    if (rank == 1) MPI_Recv(&x, 1, MPI_INT, 2, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
static void barrier(void) { MPI_Barrier(MPI_COMM_WORLD); }
static void broadcast(void) { MPI_Bcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD); }
static void reduce(void) { int sum; MPI_Reduce(&x, &sum, 1, MPI_INT, MPI_SUM, 1, MPI_COMM_WORLD); }
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    barrier();
    sleep_on(0), late_sender(), barrier();
    sleep_on(0), late_sender_of_a_posted_receive(), barrier();
    sleep_on(1), late_receiver(), barrier();
    sleep_on(0), broadcast(), barrier();
    sleep_on(2), reduce(), barrier();
    MPI_Finalize();
    return 0;
}
END
    ranks_well 3 ./wait
    run "$vftr" waits wait_[0-9].vfd
    expect_status 0
    # Those of at least 0.1 s: state, function, caller, and the rank that waited longest where it can be only one.
    awk -F'|' '
        function trim(text) { gsub(/^ +| +$/, "", text); return text }
        $3 >= 0.1 && $2 ~ /[0-9]/ { print trim($7) "@" trim($8) "@" trim($9) "@" ($8 ~ /Barrier|Bcast/ ? "" : trim($6)) }' out | sort >states
    # On a busy machine ranks may wait elsewhere too.
    cat >expected <<'END'
late receiver@MPI_Ssend@late_receiver@2
late sender@MPI_Recv@late_sender@1
late sender@MPI_Wait@late_sender_of_a_posted_receive@1
wait at collective@MPI_Barrier@barrier@
wait at collective@MPI_Bcast@broadcast@
wait at collective@MPI_Reduce@reduce@1
END
    expect_same "$(comm -13 states expected)" "" "wait states that are not seen"
    # Issue: in a collective say who caused the wait: the one that slept.
    awk -F'|' '
        function trim(text) { gsub(/^ +| +$/, "", text); return text }
        $11 >= 0.1 && $2 ~ /[0-9]/ && $8 !~ /Barrier/ { print trim($8), trim($12) }' out | sort >causes
    cat >expected <<'END'
MPI_Bcast 0
MPI_Recv 0
MPI_Reduce 2
MPI_Ssend 1
MPI_Wait 0
END
    expect_same "$(comm -13 causes expected)" "" "causes of waits that are not seen"
    awk -F'|' '
        function trim(text) { gsub(/^ +| +$/, "", text); return text }
        /^Ranks that others waited for/ { on = 1 }
        /^Global/ { on = 0 }
        on && $5 >= 0.1 && $2 ~ /[0-9]/ && $6 ~ /Bcast|Reduce/ { print trim($2), trim($3), trim($4), trim($6) }' out | sort >late
    printf '%s\n' '0 1 1 MPI_Bcast' '2 1 1 MPI_Reduce' >expected
    expect_same "$(comm -13 late expected)" "" "late ranks that are not seen"
    ! grep -q '^Note:' out || fail "$(grep '^Note:' out)"
    grep -q '^ *STID[0-9]* *MPI_Ssend<late_receiver<main<init$' out || fail "no call stack of MPI_Ssend"
    run "$vftr" waits --max-width=20 wait_[0-9].vfd
    expect_status 0
    grep -q -- '--max-width 0 shows all' out || fail "call stacks: $(grep STID out)"
    run "$vftr" waits wait_[01].vfd
    expect_status 0
    grep -qE '^Note: [0-9]+ of [0-9]+ sends and receives have no counterpart' out || fail "nothing said of messages of rank 2: $(head -5 out)"
    run "$vftr" waits wait_all.vfd
    expect_status 1
}

run_tests
