# SPDX-License-Identifier: BSD-3-Clause
# Programs with MPI that take their events by callbacks.
. "${srcdir:-.}/test/system/mpi/lib_mpi.sh"

# embedding.md: MPI event (kind, peer, bytes, tag, start, end); no file whatever events occur
test_messages_and_mpi_calls_are_delivered_and_no_rank_leaves_a_file() {
    config '"sampling": {"active": true}, "mpi": {"show_table": true}'
    build_mpi embeds.c -I"$srcdir/test/system/embedding" <<'END'
#include "embedder.h"
#include <mpi.h>
static int rank;
HIDE void message(void *user, const struct vftrace_mpi_event *event)
{
    on_message(user, event);
    if (event->start_ns == 0 || event->start_ns > event->end_ns || event->end_ns - event->start_ns > 600000000000ull)
        ADD(wrong);
    if (rank == 0)
        printf("%s kind %u peer %d of %u, %llu bytes, tag %d\n", event->name, event->kind, event->peer, event->peers,
               (unsigned long long)event->bytes, event->tag);
}
HIDE void call(void *user, const struct vftrace_call_event *event)
{
    on_region_enter(user, event);
    if (event->kind != VFTRACE_MPI_CALL || strncmp(event->name, "MPI_", 4))
        ADD(wrong);
}
static void exchange(void)
{
    int data[4] = {0};
    MPI_Request request;
    if (rank == 0) {
        MPI_Send(data, 4, MPI_INT, 1, 7, MPI_COMM_WORLD);
        MPI_Irecv(data, 2, MPI_INT, 1, 8, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(data, 4, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(data, 2, MPI_INT, 0, 8, MPI_COMM_WORLD);
    }
    MPI_Bcast(data, 3, MPI_INT, 0, MPI_COMM_WORLD);
}
int main(int argc, char **argv)
{
    struct vftrace_callbacks c = callbacks_of("elLMf");
    c.mpi = message;
    c.region_enter = call;
    if (vftrace_set_callbacks(&c) != VFTRACE_OK)
        return 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    exchange();
    MPI_Finalize();
    if (argc == 1)
        vftrace_shutdown();
    if (rank == 0)
        printf("calls %ld %ld, functions %ld %ld\n", region_enters, region_leaves, enters, leaves);
    return wrong != 0;
}
END
    for end in '' exits; do
        ranks_well 2 ./embeds $end
        expect_same "$(cat out.0)" 'MPI_Send kind 0 peer 1 of 1, 16 bytes, tag 7
MPI_Irecv kind 1 peer 1 of 1, 8 bytes, tag 8
MPI_Bcast kind 0 peer -1 of 2, 12 bytes, tag -1
MPI_Bcast kind 1 peer 0 of 1, 12 bytes, tag -1
calls 7 7, functions 1 1' 'events of rank 0'
        found=$(ls -d ./*.vfd ./*.tmpvfd ./*.log vftrace_symbols 2>/dev/null)
        [ -z "$found" ] || fail "files: $found"
    done
}

run_tests
