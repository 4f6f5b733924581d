# SPDX-License-Identifier: BSD-3-Clause
#
# Instructions that messages take beyond what the MPI library takes for them, counted by callgrind in a job of one rank that sends to itself. Of several
# rounds the cheapest counts: what the recorder does from time to time (reading the clocks, samples of what hooks cost) falls into some of them.
. "${srcdir:-.}/test/system/mpi/lib_mpi.sh"
# shellcheck source=test/system/lib_instructions.sh
. "${srcdir:-.}/test/system/lib_instructions.sh"

# Issue: four Isend and Irecv with Waitall cost 2.4 × of plain (+ 95 ns each): bring the non-blocking path to + 50.
test_non_blocking_messages_take_no_more_instructions_than_before() {
    local rounds=12 windows=20 bound each
    for_this_build
    "$mpirun" --version 2>&1 | grep -q 'Open MPI' || skip "the bound is that of Open MPI"
    config '"timing": "exact"'
    build_mpi requests.c -O2 <<'END'
#include <mpi.h>
#include <stdlib.h>
enum { WINDOW = 4 };
struct library {
    int (*isend)(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
    int (*irecv)(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
    int (*waitall)(int, MPI_Request *, MPI_Status *);
};
static void exchange(const struct library *mpi, int times)
{
    static double in[WINDOW], out[WINDOW];
    static MPI_Request requests[2 * WINDOW];
    while (times-- > 0) {
        for (int i = 0; i < WINDOW; i++)
            mpi->irecv(&in[i], 1, MPI_DOUBLE, 0, i, MPI_COMM_WORLD, &requests[i]);
        for (int i = 0; i < WINDOW; i++)
            mpi->isend(&out[i], 1, MPI_DOUBLE, 0, i, MPI_COMM_WORLD, &requests[WINDOW + i]);
        mpi->waitall(2 * WINDOW, requests, MPI_STATUSES_IGNORE);
    }
}
/* callgrind knows them by their names. */
__attribute__((noinline, noclone)) void recorded(const struct library *mpi, int times) { exchange(mpi, times); }
__attribute__((noinline, noclone)) void plain(const struct library *mpi, int times) { exchange(mpi, times); }
int main(int argc, char **argv)
{
    const struct library ours = {MPI_Isend, MPI_Irecv, MPI_Waitall}, theirs = {PMPI_Isend, PMPI_Irecv, PMPI_Waitall};
    MPI_Init(&argc, &argv);
    exchange(&theirs, 3);
    exchange(&ours, 3);
    for (int i = 0; i < atoi(argv[1]); i++) {
        plain(&theirs, atoi(argv[2]));
        recorded(&ours, atoi(argv[2]));
    }
    MPI_Finalize();
    return 0;
}
END
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 run valgrind --tool=callgrind --callgrind-out-file=calls \
        --toggle-collect=plain --toggle-collect=recorded --dump-after=plain --dump-after=recorded ./requests $rounds $windows
    expect_status 0
    bound=$(bound_of mpi_request)
    each=$(awk -v requests=$((windows * 8)) '
        /^desc: Trigger: --dump-after=/ { sub(/.*=/, ""); kind = $0 }
        /^totals:/ && kind != "" { if (!(kind in least) || $2 < least[kind]) least[kind] = $2; count[kind]++; kind = "" }
        END { if (least["plain"] > 0 && count["recorded"] == '$rounds') printf "%d", (least["recorded"] - least["plain"]) / requests }' calls.*)
    echo "  mpi_request: $each instructions, bound $bound"
    [ "${each:-0}" -gt 0 ] && [ "$each" -le "$bound" ] || fail "$too_many"
}

run_tests
