# SPDX-License-Identifier: BSD-3-Clause
# mpi.show_sync_time: how long a collective call waited for the others.
. "${srcdir:-.}/test/system/mpi/lib_mpi.sh"

# The calls of the program are the same in number, and each blocking collective one has its barrier, but during a pause.
test_sync_time_is_a_region_before_each_blocking_collective_call() {
    build_mpi collective.c -ldl <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
static int barriers;
int PMPI_Barrier(MPI_Comm comm)
{
    ++barriers;
    return ((int (*)(MPI_Comm))dlsym(RTLD_NEXT, "PMPI_Barrier"))(comm);
}
static int noticed(void)
{
    int n = barriers;
    barriers = 0;
    return n;
}
int main(int argc, char **argv)
{
    MPI_Comm half, inter;
    int rank, a = 1, b;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 1, &inter);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Allreduce(&a, &b, 1, MPI_INT, MPI_SUM, half);
    noticed();
    MPI_Allreduce(&a, &b, 1, MPI_INT, MPI_SUM, inter);
    printf("%d ", noticed());
    MPI_Ibarrier(inter, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Pcontrol(0);
    MPI_Allreduce(&a, &b, 1, MPI_INT, MPI_SUM, inter);
    printf("%d\n", noticed());
    MPI_Pcontrol(1);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
    return MPI_Finalize();
}
END
    config '"mpi": {"show_sync_time": true}'
    ranks_well 4 ./collective
    expect_same "$(sort -u out)" "1 0" "barriers before a call, and during a pause"
    VFTR_OFF=1 ranks_well 4 ./collective
    expect_same "$(sort -u out)" "0 0" "barriers when off"
    expect_calls collective_all.log MPI_Allreduce 8
    expect_calls collective_all.log MPI_Allreduce_sync 8
    expect_calls collective_all.log MPI_Barrier 4
    expect_calls collective_all.log MPI_Barrier_sync 4
    ! grep -q 'MPI_Ibarrier_sync\|MPI_Wait_sync' collective_all.log || fail "a barrier before a call that does not wait"
    config
    ranks_well 4 ./collective
    expect_same "$(sort -u out)" "0 0" "barriers without the option"
    ! grep -q 'MPI_[A-Za-z]*_sync' collective_all.log || fail "a barrier without the option"
}

# Issue: MPI_<name>_sync stands below its MPI call (so that the call's inclusive time has the wait).
# The messages begin when all have come, so a rate is not that of the wait.
test_the_wait_for_others_is_part_of_the_calls_inclusive_time() {
    build_mpi late.c <<'END'
#include <mpi.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    int rank, a = 1, b;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        usleep(500000);
    MPI_Allreduce(&a, &b, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return MPI_Finalize();
}
END
    ! have "$mpi_fortran" || build_mpi late_fortran.F90 <<'END'
program late
   use mpi
   integer :: ierror
   call MPI_Init(ierror)
   call MPI_Barrier(MPI_COMM_WORLD, ierror)
   call MPI_Finalize(ierror)
end program
END
    config '"mpi": {"show_sync_time": true}, "sampling": {"active": true}'
    ranks_well 2 ./late
    expect_stack late_all.log 'MPI_Barrier_sync<MPI_Barrier<main<init'
    expect_stack late_all.log 'MPI_Allreduce_sync<MPI_Allreduce<main<init'
    expect_no_stack late_all.log '^MPI_[A-Za-z]*_sync<main'
    table late_all.log 'Runtime profile' 2 4 5 >times
    awk '{ own[$3] = $1; all[$3] = $2 } END { wait = all["MPI_Allreduce_sync"]; exit !(wait > 0.1 && all["MPI_Allreduce"] >= wait && own["MPI_Allreduce"] < wait / 2) }' times ||
        fail "the wait of up to half a second is not in the inclusive time of MPI_Allreduce alone: $(cat times)"
    # From the first send on: the wait is over before it.
    "$builddir/vftr" dump late_0.vfd >dump
    awk '$2 == "send" { begin[++n] = $1 } END { exit 0 }
        $2 == "exit" && $3 ~ /^MPI_Allreduce_sync/ { over = $1 }
        $2 == "send" && $3 == "in" && (over == 0 || $1 < over) { early = 1 }
        END { exit early || n == 0 }' dump || fail "messages begin before all have come: $(tail -20 dump)"
    if have "$mpi_fortran"; then
        ranks_well 2 ./late_fortran
        expect_stack late_fortran_all.log 'MPI_Barrier_sync<MPI_Barrier<MAIN<main<init'
    fi
}

test_every_blocking_collective_call_has_its_sync_time() {
    config '"mpi": {"show_sync_time": true}'
    for program in collectives neighbours; do
        build_mpi $program -I"$programs"
        ranks_well 2 ./$program
        mpi_calls_of ${program}_all.log >calls
        awk -F'|' '$2 ~ /^ *collective/ { gsub(/ /, "", $1); print $1 }' "$srcdir/src/mpi/functions.table" >collective
        awk 'NR == FNR { collective[$1] = 1; next } $1 in collective { print $1 "_sync", $2 }' collective calls | sort >wanted
        expect_at_least "$(wc -l <wanted)" 5 "blocking collective functions"
        diff wanted <(grep '_sync ' calls | sort) >differences ||
            fail "$program: expected (<) and found (>) barriers differ: $(cat differences)"
    done
}

run_tests
