# SPDX-License-Identifier: BSD-3-Clause
# Which messages and calls vftr waits brings together: by communicator, for probes, for neighbours, and between the two sides of an
# intercommunicator. communication.sh has the wait states themselves.
. "${srcdir:-.}/test/system/mpi/lib_mpi.sh"

# Debian's MPICH (UCX) is not reliable with more ranks than cores.
size=4
mpi_library_is_mpich && size=2

# "send tag from to comm" of each message of all ranks; "-" for MPI_COMM_WORLD.
numbers_of() {
    local rank
    for ((rank = 0; rank < size; rank++)); do
        "$vftr" dump "$1_$rank.vfd" >dump || fail "vftr dump of rank $rank"
        awk -v rank=$rank '
            / in stackID / { direction = $2 }
            /^ *count=/ {
                split("", value)
                for (i = 1; i <= NF; i++) { split($i, pair, "="); value[pair[1]] = pair[2] }
                if (value["tag"] < 0) next
                print direction, value["tag"], direction == "send" ? rank " " value["peer"] : value["peer"] " " rank, value["comm"] == "" ? "-" : value["comm"]
            }' dump
    done
}

# expect_numbers PROGRAM CALLS: the numbers of the communicators that so many calls of the program have made.
expect_numbers() {
    config '"sampling": {"active": true}'
    build_mpi "$1"
    ranks_well $size "./$1"
    numbers_of "$1" >numbers
    diff <(sed -n 's/^send //p' numbers | sort) <(sed -n 's/^recv //p' numbers | sort) >differences ||
        fail "sender (<) and receiver (>) do not agree: $(head -20 differences)"
    expect_same "$(awk '$2 == 0 && $5 != "-" || $2 > 0 && $5 == "-"' numbers)" "" "messages whose communicator is MPI_COMM_WORLD, or not, by mistake"
    awk '$2 >= 100 { print $2, $5 }' numbers | sort -u >made
    expect_same "$(awk '{ print $1 }' made | sort -u | wc -l)" "$2" "calls that made communicators"
    expect_same "$(awk '{ ++n[$1] } END { for (tag in n) if (n[tag] != int(tag / 100)) print tag, n[tag] }' made)" "" "tags with another number of communicators"
    expect_same "$(awk '{ print $2 }' made | sort | uniq -d)" "" "numbers of two communicators"
}

# Issue: messages of equal pair, tag and size on different communicators are mixed up; a communicator has an identity.
test_a_communicator_has_one_number_on_all_members_and_shares_it_with_no_other() { expect_numbers communicator_numbers 39; }
test_communicators_that_fortran_makes_have_numbers_too() { expect_numbers communicator_numbers_fortran 6; }

# Rows "state@function@caller" of the waits of at least 0.1 s.
long_waits() {
    awk -F'|' '
        function trim(text) { gsub(/^ +| +$/, "", text); return text }
        /^Ranks that others/ { exit }
        $3 >= 0.1 && $2 ~ /[0-9]/ { print trim($7) "@" trim($8) "@" trim($9) }' out | sort
}

# Issue: messages on different communicators are mixed up (a late sender is lost); MPI_Probe and Mprobe, neighbourhood and
# intercommunicator collectives have no rows.
test_waits_are_found_by_communicator_and_for_probes_neighbours_and_two_sides() {
    config '"sampling": {"active": true}'
    build_mpi found.c <<'END'
#include <mpi.h>
#include <unistd.h>
static int x, y, rank;
static MPI_Comm early, late, line, sides, self;
static void sleep_on(int who) { if (rank == who) usleep(300000); }
static void two_communicators(void)
{
    if (rank == 0) {
        MPI_Send(&x, 1, MPI_INT, 1, 1, early);
        sleep_on(0);
        MPI_Send(&x, 1, MPI_INT, 1, 1, late);
    }
    if (rank == 1) {
        MPI_Recv(&x, 1, MPI_INT, 0, 1, late, MPI_STATUS_IGNORE);
        MPI_Recv(&x, 1, MPI_INT, 0, 1, early, MPI_STATUS_IGNORE);
    }
}
static void calls_in_another_order(void)
{
    MPI_Request request[2];
    MPI_Ibarrier(rank == 0 ? early : late, &request[0]);
    sleep_on(0);
    MPI_Ibarrier(rank == 0 ? late : early, &request[1]);
    MPI_Wait(&request[0], MPI_STATUS_IGNORE);
    MPI_Wait(&request[1], MPI_STATUS_IGNORE);
}
static void send_late(int n)
{
    sleep_on(0);
    for (int i = 0; i < n; i++)
        MPI_Send(&x, 1, MPI_INT, 1, 2, late);
}
static void probe(void)
{
    MPI_Probe(0, MPI_ANY_TAG, late, MPI_STATUS_IGNORE);
    MPI_Probe(0, 2, late, MPI_STATUS_IGNORE);
    MPI_Recv(&x, 1, MPI_INT, 0, 2, late, MPI_STATUS_IGNORE);
}
static void matched_probe(void)
{
    MPI_Message message;
    MPI_Mprobe(MPI_ANY_SOURCE, 2, late, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv(&x, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
}
static void neighbours(void) { int in[2]; MPI_Neighbor_allgather(&x, 1, MPI_INT, in, 1, MPI_INT, line); }
static void sum_of_the_other_side(void) { MPI_Allreduce(&x, &y, 1, MPI_INT, MPI_SUM, sides); }
static void from_the_other_side(void) { MPI_Bcast(&x, 1, MPI_INT, rank == 0 ? MPI_ROOT : 0, sides); }
static void to_the_other_side(void) { MPI_Reduce(&x, &y, 1, MPI_INT, MPI_SUM, rank == 1 ? MPI_ROOT : 0, sides); }
static void barrier(void) { MPI_Barrier(MPI_COMM_WORLD); }
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &early);
    MPI_Comm_dup(MPI_COMM_WORLD, &late);
    MPI_Cart_create(MPI_COMM_WORLD, 1, (int[]){2}, (int[]){0}, 0, &line);
    MPI_Comm_split(MPI_COMM_WORLD, rank, 0, &self);
    MPI_Intercomm_create(self, 0, MPI_COMM_WORLD, 1 - rank, 0, &sides);
    barrier(), two_communicators();
    barrier(), calls_in_another_order();
    barrier(), rank == 0 ? send_late(1) : probe();
    barrier(), rank == 0 ? send_late(1) : matched_probe();
    barrier(), sleep_on(0), neighbours();
    barrier(), sleep_on(0), sum_of_the_other_side();
    barrier(), sleep_on(0), from_the_other_side();
    barrier(), sleep_on(0), to_the_other_side();
    MPI_Finalize();
    return 0;
}
END
    ranks_well 2 ./found
    run "$vftr" waits found_[01].vfd
    expect_status 0
    long_waits >states
    cat >expected <<'END'
late sender@MPI_Mprobe@matched_probe
late sender@MPI_Probe@probe
late sender@MPI_Recv@two_communicators
wait at collective@MPI_Allreduce@sum_of_the_other_side
wait at collective@MPI_Bcast@from_the_other_side
wait at collective@MPI_Neighbor_allgather@neighbours
wait at collective@MPI_Reduce@to_the_other_side
wait at collective@MPI_Wait@calls_in_another_order
END
    expect_same "$(comm -13 states expected)" "" "wait states that are not seen"
    # The first message is there when the second probe looks, and both probes have found one message.
    expect_same "$(awk -F'|' '$8 ~ /MPI_Probe/ { print $2 + 0 }' out)" 1 "waits of the two probes"
    ! grep -q '^Note:' out || fail "$(grep '^Note:' out)"
}

run_tests
