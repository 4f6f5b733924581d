# SPDX-License-Identifier: BSD-3-Clause
# Every function of MPI, called from C and from each Fortran binding, is in the call tree with its exact number of calls, and
# all that the program gets back is the same as without us: return codes, statuses byte for byte, handles, received data,
# calls of error handlers and other callbacks. The programs are one for each family of functions (programs/).
. "${srcdir:-.}/test/system/mpi/lib_mpi.sh"

families_c='point_to_point completion collectives neighbours one_sided communicators datatypes files attributes environment
    deprecated tools spawn partitioned sessions'

everything_recorded='"sampling": {"active": true}, "mpi": {"show_sync_time": true, "show_callpath": true}'

# Of lines "name calls" those whose name has a row in the table.
with_row() {
    awk -v rows=<(all_mpi_functions) 'BEGIN { while (getline row < rows) known[row] = 1 }
        { name = $1; sub(/_c$/, "", name) } name in known || $1 in known' "$@"
}

# compare_with_plain NAME [FLAGS…]; `recorded` has options for the run with us.
compare_with_plain() {
    local name=$1
    linkage=none build_mpi "$@"
    ranks_well 2 "./$name"
    mv out out.plain
    linkage=shared build_mpi "$@"
    config "${recorded-}"
    ranks_well 2 "./$name" counted
    diff out.plain out >differences || fail "the program's output is another one: $(head -6 differences)"
    diff <(sum_of_counts counted.0 counted.1 | with_row) <(mpi_calls_of "${name}_all.log" | awk '!/_sync / || /^MPI_(File|Win)_sync /') >differences ||
        fail "the program counted (<) other calls than vftrace (>): $(head -8 differences)"
}

in_c() { compare_with_plain "$1" -I"$programs"; }

for family in $families_c; do
    eval "test_${family}_in_c() { in_c $family; }"
done

fortran() {
    have "$mpi_fortran" || skip "no Fortran"
    optimise='-O0 -w -ffree-line-length-none' compare_with_plain families_fortran "$@"
}
test_mpif_h() { fortran -DBINDING_MPIFH -fallow-argument-mismatch; }
test_use_mpi() { fortran -DBINDING_MPI; }
# MPICH's mpi_f08 (4.0) asks for the neighbours of a graph also on a cartesian communicator, which is an error.
fortran_2008() {
    local without=
    ! mpi_library_is_mpich || without=-DNO_NEIGHBOR_ALLTOALLW
    fortran -DBINDING_F08 $without "$@"
}
test_use_mpi_f08() { fortran_2008; }
test_init_thread_in_fortran() { fortran_2008 -DWITH_THREADS; }

# With clang, and with all that can be recorded.
test_with_clang_and_everything_recorded() {
    have clang || skip "no clang"
    cc=clang recorded=$everything_recorded
    for family in point_to_point completion collectives one_sided; do
        rm -f ./*.log ./*.vfd
        in_c $family
    done
}

# What the library offers and the programs above do not call, and why:
not_called() {
    echo MPI_Abort # has a test of its own below
    mpi_library_is_mpich || return 0
    # There is no performance variable and no event in MPICH as Debian builds it, so none of these has an argument.
    printf 'MPI_T_pvar_%s\n' handle_alloc handle_free read readreset reset start stop write
    printf 'MPI_T_event_%s\n' callback_get_info callback_set_info copy get_index get_info get_source get_timestamp handle_alloc \
        handle_free handle_get_info handle_set_info read register_callback set_dropped_handler
    printf 'MPI_T_source_%s\n' get_info get_timestamp
    # It cannot start processes: spawn fails, and a second try takes the program down.
    echo MPI_Comm_spawn_multiple
}

test_the_programs_call_every_function_of_the_library() {
    for family in $families_c; do
        instrument='' linkage=none build_mpi $family -I"$programs"
        ranks_well 2 ./$family counted
        sum_of_counts counted.0 counted.1
    done | awk '{ print $1 }' | sort -u >called
    diff <(offered_functions ./point_to_point | grep -v '_c$') <({ cat called && not_called; } | sort -u) >differences ||
        fail "not called (<) or not there (>): $(cat differences)"
}

test_an_aborted_job_ends_as_without_us() {
    build_abort() { build_mpi abort.c <<'END_OF_PROGRAM'
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    printf("rank %d\n", rank);
    fflush(stdout);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Abort(MPI_COMM_WORLD, 7);
    MPI_Barrier(MPI_COMM_WORLD);
    return 0;
}
END_OF_PROGRAM
    }
    linkage=none build_abort
    ranks 2 ./abort
    local plain=$status
    mv out out.plain
    build_abort
    config
    ranks 2 ./abort
    expect_same "$status" "$plain" "the job's exit code"
    diff out.plain out || fail "the output is another one"
    expect_silence
}

run_tests
