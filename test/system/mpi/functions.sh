# SPDX-License-Identifier: BSD-3-Clause
# Every MPI function, called from C and from each Fortran binding, is in the call tree with its exact number of calls, and
# the program receives the same messages, statuses and results as without vftrace.
. "${srcdir:-.}/test/system/mpi/lib_mpi.sh"

# compare_with_plain NAME [FLAGS…]
compare_with_plain() {
    local name=$1
    linkage=none build_mpi "$@"
    ranks_well 2 "./$name"
    mv out out.plain
    linkage=shared build_mpi "$@"
    config
    ranks_well 2 "./$name" counted
    diff out.plain out >differences || fail "the program's output is another one: $(head -6 differences)"
    diff <(sum_of_counts counted.0 counted.1) <(mpi_calls_of "${name}_all.log") >differences ||
        fail "the program counted (<) other calls than vftrace (>): $(head -8 differences)"
}

fortran() {
    have "$mpi_bin/mpifort" || skip "no Fortran"
    optimise='-O0 -w -ffree-line-length-none' compare_with_plain families_fortran "$@"
}

test_c() { with_each_compiler compare_with_plain families; }
test_mpif_h() { fortran -DBINDING_MPIFH -fallow-argument-mismatch; }
test_use_mpi() { fortran -DBINDING_MPI; }
test_use_mpi_f08() { fortran -DBINDING_F08; }
test_init_thread_in_fortran() { fortran -DBINDING_F08 -DWITH_THREADS; }

test_the_programs_above_call_every_row_of_the_table() {
    linkage=none build_mpi families
    ranks_well 2 ./families counted
    { sum_of_counts counted.0 counted.1 && printf 'MPI_Init_thread\nMPI_Pcontrol\n'; } | awk '{ print $1 }' | sort >called
    diff <(all_mpi_functions) called >differences || fail "not called: $(grep '^<' differences)"
}

run_tests
