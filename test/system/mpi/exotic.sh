# SPDX-License-Identifier: BSD-3-Clause
# Programs that use MPI in ways that few do: from constructors, libraries and modules, in two languages at once, with any level of
# threads. Output and calls are as without us.
. "${srcdir:-.}/test/system/mpi/lib_mpi.sh"

# compare NAME CALLS…: ./NAME.plain and ./NAME print the same, and the log has these calls ("MPI_Send 2").
compare() {
    local name=$1
    shift
    config "${recorded-}"
    rm -f ./*.log ./*.vfd
    ranks_well 2 "./$name.plain"
    mv out out.plain
    ranks_well 2 "./$name"
    diff out.plain out || fail "the output is another one"
    for pair in "$@"; do
        expect_calls "${name}_all.log" "${pair% *}" "${pair#* }"
    done
}

# both NAME FLAGS…: ./NAME.plain without us, and ./NAME.
both() {
    linkage=none build_mpi "$@"
    mv "$1" "$1.plain"
    build_mpi "$@"
}

test_mpi_may_begin_in_a_constructor_and_end_in_a_destructor() {
    cat >ctor.c <<'END'
#include <mpi.h>
#include <stdio.h>
__attribute__((constructor)) static void begin(void) { MPI_Init(0, 0); }
__attribute__((destructor)) static void end(void) { MPI_Finalize(); }
int main(void)
{
    int sum = 1;
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    printf("%d\n", sum);
    return 0;
}
END
    both ctor
    recorded='"include_cxx_prelude": true'
    compare ctor 'MPI_Init 2' 'MPI_Allreduce 2'
}

# Another tool's MPI_Init, or that of an interpreter, goes to PMPI_Init; then the first call that is seen tells rank and size.
test_a_program_whose_beginning_was_not_seen_has_its_ranks_and_messages() {
    cat >unseen.c <<'END'
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    int rank, got = -1;
    PMPI_Init(&argc, &argv);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Sendrecv(&rank, 1, MPI_INT, 1 - rank, 1, &got, 1, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&rank, 1, MPI_INT, 1 - rank, 1, &got, 1, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("%d\n", got);
    if (argc > 1)
        return PMPI_Finalize();
    MPI_Finalize();
    return 0;
}
END
    both unseen
    compare unseen 'MPI_Init 0' 'MPI_Sendrecv 4' 'MPI_Finalize 2'
    grep -qE '^Nr. of MPI ranks: +2$' unseen_all.log || fail "not two ranks"
    grep -qE '^\| +8 \| +4\.0 \| +4\.0 \|.*MPI_Sendrecv' unseen_all.log || fail "not eight messages: $(grep Sendrecv unseen_all.log)"
    rm -f ./*.log ./*.vfd
    # Where the end is not seen either, each rank has a file.
    ranks_well 2 ./unseen without_an_end
    report unseen_0.vfd unseen_1.vfd
    expect_calls report MPI_Sendrecv 4
    grep -qE '\| +MPI_Sendrecv +\| +main +\|' <(sed -n '/^Communication profile/,/^$/p' report) || fail "no messages in the report"
}

library() {
    cat >exchange.c <<'END'
#include <mpi.h>
int exchange(int value)
{
    int got = -1, rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Sendrecv(&value, 1, MPI_INT, 1 - rank, 1, &got, 1, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return got;
}
END
    OMPI_CC=$cc MPICH_CC=$cc $MPICC -O2 -shared -fPIC exchange.c -o libexchange.so || fail "no library"
}

test_an_uninstrumented_library_may_call_mpi() {
    library
    cat >user.c <<'END'
#include <mpi.h>
#include <stdio.h>
int exchange(int);
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    printf("%d\n", exchange(10 + rank));
    MPI_Finalize();
    return 0;
}
END
    both user -L. -lexchange -Wl,-rpath,"$PWD"
    compare user 'MPI_Sendrecv 2' 'MPI_Comm_rank 4' 'main 2'
}

test_a_module_that_is_loaded_and_unloaded_may_call_mpi() {
    library
    cat >loader.c <<'END'
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 3; ++i) {
        void *module = dlopen("./libexchange.so", RTLD_NOW | RTLD_LOCAL);
        int (*exchange)(int) = module ? (int (*)(int))dlsym(module, "exchange") : 0;
        printf("%d\n", exchange ? exchange(i) : -2);
        dlclose(module);
    }
    MPI_Finalize();
    return 0;
}
END
    both loader -ldl
    compare loader 'MPI_Sendrecv 6' 'MPI_Comm_rank 6'
}

# C begins a receive and Fortran completes it, then the other way round.
test_a_request_may_begin_in_c_and_end_in_fortran() {
    have "$mpi_fortran" || skip "no Fortran"
    cat >half.F90 <<'END'
subroutine complete(request) bind(c)
   use, intrinsic :: iso_c_binding
   use mpi
   integer(c_int) :: request
   integer :: status(MPI_STATUS_SIZE), number, ierror
   call MPI_Wait(request, status, ierror)
   call MPI_Get_count(status, MPI_INTEGER, number, ierror)
   print '(4(1x, i0), l2)', ierror, number, status(MPI_SOURCE), status(MPI_TAG), request == MPI_REQUEST_NULL
end subroutine
subroutine start(buffer, other, request) bind(c)
   use, intrinsic :: iso_c_binding
   use mpi
   integer(c_int) :: buffer(3), other, request
   integer :: ierror
   call MPI_Irecv(buffer, 3, MPI_INTEGER, other, 8, MPI_COMM_WORLD, request, ierror)
end subroutine
END
    cat >mixed.c <<'END'
#include <mpi.h>
#include <stdio.h>
void complete(MPI_Fint *request);
void start(int *buffer, int *other, MPI_Fint *request);
int main(int argc, char **argv)
{
    int rank, in[3] = {0, 0, 0}, out[3] = {1, 2, 3}, number = -1;
    MPI_Request request;
    MPI_Status status;
    MPI_Fint fortran;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int other = 1 - rank;
    MPI_Irecv(in, 3, MPI_INT, other, 7, MPI_COMM_WORLD, &request);
    MPI_Send(out, 2, MPI_INT, other, 7, MPI_COMM_WORLD);
    fortran = MPI_Request_c2f(request);
    complete(&fortran);
    start(in, &other, &fortran);
    MPI_Send(out, 3, MPI_INT, other, 8, MPI_COMM_WORLD);
    request = MPI_Request_f2c(fortran);
    MPI_Wait(&request, &status);
    MPI_Get_count(&status, MPI_INT, &number);
    printf("%d %d %d, %d\n", number, status.MPI_SOURCE, status.MPI_TAG, in[2]);
    MPI_Finalize();
    return 0;
}
END
    OMPI_FC=${FC:-gfortran} MPICH_FC=${FC:-gfortran} $mpi_fortran -finstrument-functions -c half.F90 -o half.o || fail "no Fortran part"
    # vftrace stands before MPI's Fortran library.
    for linkage in none shared; do
        # shellcheck disable=SC2046
        build_mpi mixed half.o $(link_flags) $("$mpi_fortran" -show | tr ' ' '\n' | grep -E '^-[lL]') -lgfortran
        [ $linkage = shared ] || mv mixed mixed.plain
    done
    compare mixed 'MPI_Irecv 4' 'MPI_Wait 4' 'MPI_Send 4'
}

test_what_is_null_by_mistake_gives_the_same_error_codes() {
    cat >mistakes.c <<'END'
#include <mpi.h>
#include <stdio.h>
#define TRY(call) do { int class; MPI_Error_class(call, &class); printf("%s: %d\n", #call, class); fflush(stdout); } while (0)
int main(int argc, char **argv)
{
    int rank, flag, n, indices[2];
    MPI_Status status[2];
    MPI_Request requests[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Irecv(&n, 1, MPI_INT, rank, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(&rank, 1, MPI_INT, rank, 1, MPI_COMM_WORLD, &requests[1]);
    TRY(MPI_Wait(NULL, status));
    TRY(MPI_Test(NULL, &flag, status));
    TRY(MPI_Waitall(2, NULL, status));
    TRY(MPI_Testall(2, NULL, &flag, status));
    TRY(MPI_Waitany(2, NULL, &n, status));
    TRY(MPI_Testany(2, NULL, &n, &flag, status));
    TRY(MPI_Waitany(2, requests, NULL, status));
    TRY(MPI_Testany(2, requests, NULL, &flag, status));
    TRY(MPI_Testany(2, requests, &n, NULL, status));
    TRY(MPI_Waitsome(2, NULL, &n, indices, status));
    TRY(MPI_Testsome(2, requests, NULL, indices, status));
    TRY(MPI_Startall(2, NULL));
    TRY(MPI_Request_free(NULL));
    TRY(MPI_Cancel(NULL));
    TRY(MPI_Waitall(2, requests, status));
    return MPI_Finalize();
}
END
    both mistakes
    recorded='"sampling": {"active": true}'
    compare mistakes 'MPI_Waitall 4' 'MPI_Waitany 4'
}

test_every_level_of_threads_is_what_the_program_gets() {
    cat >levels.c <<'END'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int provided = -1, queried = -1, main_ = -1;
    MPI_Init_thread(&argc, &argv, atoi(getenv("LEVEL")), &provided);
    MPI_Query_thread(&queried);
    MPI_Is_thread_main(&main_);
    printf("%d %d %d %d\n", provided, queried, main_, argc);
    MPI_Finalize();
    return 0;
}
END
    both levels
    for LEVEL in 0 1 2 3; do
        export LEVEL
        compare levels 'MPI_Init_thread 2' 'MPI_Query_thread 2'
    done
}

test_optimised_and_link_time_optimised_programs() {
    for flags in '-O3 -flto' '-O2'; do
        for cc in gcc clang; do
            # clang's -flto needs a linker that knows LLVM.
            { have $cc && [ "$cc $flags" != 'clang -O3 -flto' ]; } || continue
            optimise="$flags -w" both collectives -I"$programs"
            compare collectives 'MPI_Init 2' 'MPI_Comm_split 4'
        done
    done
}

test_the_archive_in_a_dynamic_program() {
    linkage=none build_mpi completion -I"$programs"
    mv completion completion.plain
    linkage=archive build_mpi completion -I"$programs"
    ! ldd ./completion | grep -q libvftrace || fail "the test shows nothing: libvftrace.so is linked"
    compare completion 'MPI_Init 2' 'MPI_Grequest_start 2'
}

run_tests
