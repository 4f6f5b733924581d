# SPDX-License-Identifier: BSD-3-Clause
# Every function of MPI, called from C and from each Fortran binding, is in the call tree with its exact number of calls, and
# all that the program gets back is the same as without us: return codes, statuses byte for byte, handles, received data,
# calls of error handlers and other callbacks. The programs are one for each family of functions (programs/).
. "${srcdir:-.}/test/system/mpi/lib_mpi.sh"

# As ranks_well.
ranks_to_the_end() {
    ranks_patiently "$@"
    [ $status = 0 ] || fail "exit code $status of: mpirun -n $*"
    expect_silence
}

families_c='point_to_point completion collectives neighbours one_sided communicators datatypes files attributes environment
    deprecated tools spawn partitioned sessions'
families_large='point_to_point completion collectives neighbours one_sided datatypes files'

everything_recorded='"sampling": {"active": true}, "mpi": {"show_sync_time": true, "show_callpath": true}'
# The status of a collective's request has, in MPICH, the tag of some inner message, by which the barrier of show_sync_time can be seen.
! mpi_library_is_mpich || everything_recorded='"sampling": {"active": true}, "mpi": {"show_callpath": true}'

# Of lines "name calls" those whose name has a row in the table.
with_row() {
    awk -v rows=<(all_mpi_functions) 'BEGIN { while (getline row < rows) known[row] = 1 }
        { name = $1; sub(/_c$/, "", name) } name in known || $1 in known' "$@"
}

# plain_run NAME [FLAGS…]: what the program puts out without us, in the file out.plain, and what it counts, in counted.0 and counted.1. It runs
# once for all tests of this script, and stays in the folder `plain`.
plain_run() {
    plain=$shared/$(printf '%s ' "$cc" "$@" | md5sum | cut -d' ' -f1)
    if [ ! -e "$plain/done" ]; then
        mkdir -p "$plain"
        [ ! -e large_count.h ] || cp large_count.h "$plain"
        (cd "$plain" && linkage=none build_mpi "$@" && ranks_to_the_end 2 "./$1" counted && touch done) || exit 1
    fi
    cp "$plain/out" out.plain
    cp "$plain"/counted.[01] .
}

# compare_with_plain NAME [FLAGS…]; `recorded` has options for the run with us.
compare_with_plain() {
    local name=$1
    plain_run "$@"
    rm counted.[01]
    build_mpi "$@"
    config "${recorded-}"
    ranks_to_the_end 2 "./$name" counted
    diff out.plain out >differences || fail "the program's output is another one: $(head -6 differences)"
    diff <(sum_of_counts counted.0 counted.1 | with_row) <(mpi_calls_of "${name}_all.log" | awk '!/_sync / || /^MPI_(File|Win)_sync /') >differences ||
        fail "the program counted (<) other calls than vftrace (>): $(head -8 differences)"
}

in_c() { compare_with_plain "$1" -I"$programs"; }

for family in $families_c; do
    eval "test_${family}_in_c() { in_c $family; }"
done

# The same programs with large counts, where MPI has them.
test_large_counts_in_c() {
    large_counts
    for family in $families_large; do
        compare_with_plain $family -DLARGE_COUNT -I. -I"$programs"
    done
}

# Every program in Fortran, with the binding that the flags say.
fortran() {
    have "$mpi_fortran" || skip "no Fortran"
    optimise="-O0 -w -ffree-line-length-none -I$programs"
    local name flags=("$@")
    ! mpi_library_is_mpich || flags+=(-DWITH_MPICH)
    for name in $programs_fortran; do
        compare_with_plain "${name}_fortran" "${flags[@]}"
    done
}
programs_fortran='messages objects windows_files'
[ "$mpi_version" -lt 4 ] || programs_fortran+=' version4'

test_mpif_h() { fortran -DBINDING_MPIFH -fallow-argument-mismatch; }
test_use_mpi() { fortran -DBINDING_MPI; }
test_use_mpi_f08() { fortran -DBINDING_F08; }
test_init_thread_and_ierror_in_fortran() {
    programs_fortran='messages objects'
    recorded=$everything_recorded
    fortran -DBINDING_F08 -DWITH_THREADS -DWITH_IERROR
}

# With clang, and with all that can be recorded.
test_with_clang_and_everything_recorded() {
    have clang || skip "no clang"
    cc=clang recorded=$everything_recorded
    for family in point_to_point completion collectives one_sided; do
        in_c $family
    done
}

# What the library offers and the programs above do not call, and why:
not_called() {
    echo MPI_Abort # has a test of its own below
    mpi_library_is_mpich || return 0
    # There is no performance variable, enumeration or event in MPICH as Debian builds it: none of these has an argument.
    printf 'MPI_T_enum_%s\n' get_info get_item
    printf 'MPI_T_pvar_%s\n' handle_alloc handle_free read readreset reset start stop write
    printf 'MPI_T_event_%s\n' callback_get_info callback_set_info copy get_index get_info get_source get_timestamp handle_alloc \
        handle_free handle_get_info handle_set_info read register_callback set_dropped_handler
    printf 'MPI_T_source_%s\n' get_info get_timestamp
    # It cannot start processes or open ports: spawn fails, and a second try takes the program down.
    printf '%s\n' MPI_Comm_spawn_multiple MPI_Close_port
}

# plain_calls PROGRAM [FLAGS…]: the names of what it calls, added to the file `called`.
plain_calls() {
    plain_run "$@"
    cut -d' ' -f1 counted.0 counted.1 >>called
}

# expect_all_called OFFERED: not_called and the file `called` are, together, what the library offers.
expect_all_called() {
    diff <(sort -u) <({ cat called && not_called; } | sort -u) >differences ||
        fail "not called (<) or not there (>): $(cat differences)"
}

test_the_programs_call_every_function_of_the_library() {
    for family in $families_c; do
        plain_calls $family -I"$programs"
    done
    offered_functions "$plain/$family" | grep -v '_c$' | expect_all_called
}

test_the_programs_call_every_function_with_large_counts() {
    large_counts
    for family in $families_large; do
        plain_calls $family -DLARGE_COUNT -I. -I"$programs"
    done
    grep '_c$' called >large
    mv large called
    not_called() { :; }
    offered_functions "$plain/$family" | grep '_c$' | expect_all_called
}

# Names of Fortran in small letters. MPI_Init_thread and what has no argument here: as above.
test_the_programs_in_fortran_call_every_function_of_the_library() {
    have "$mpi_fortran" || skip "no Fortran"
    optimise="-O0 -w -ffree-line-length-none -I$programs"
    local flags=(-DBINDING_MPIFH -fallow-argument-mismatch)
    ! mpi_library_is_mpich || flags+=(-DWITH_MPICH)
    for name in $programs_fortran; do
        plain_calls "${name}_fortran" "${flags[@]}"
    done
    tr '[:upper:]' '[:lower:]' <called >small
    mv small called
    not_called() {
        printf 'mpi_%s\n' abort init_thread
        # Its file descriptor would have to come from C; the functions that a representation of data is made of as well.
        printf 'mpi_%s\n' comm_join register_datarep
        mpi_library_is_mpich || return 0
        # MPICH 4.0 itself crashes in these.
        printf 'mpi_%s\n' f_sync_reg info_create_env
        # It cannot start processes here.
        printf 'mpi_%s\n' comm_spawn_multiple close_port
    }
    offered_in_fortran "$plain/${name}_fortran" | expect_all_called
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
