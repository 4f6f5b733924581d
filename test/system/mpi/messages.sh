# SPDX-License-Identifier: BSD-3-Clause
# Every message that a program knows it sent or received is recorded, and nothing else: peer as rank of MPI_COMM_WORLD, tag, and
# the bytes that really came.
. "${srcdir:-.}/test/system/mpi/lib_mpi.sh"
. "$srcdir/test/system/mpi/lib_messages.sh"

test_messages_between_two_ranks() { moved messages_pairs 4; }
test_messages_of_collective_calls() { moved messages_collectives 4; }
test_messages_of_groups_neighbours_and_windows() { moved messages_groups 4; }
test_messages_of_four_threads_per_rank() { moved messages_threads 2 -pthread; }

# Issue: an MPI_Isend whose handle is dropped without completion is missing from table and matrix.
test_sends_are_messages_whose_end_nobody_asks_for() {
    moved messages_dropped 2
    local rank late
    for rank in 0 1; do
        late=$("$builddir/vftr" dump messages_dropped_$rank.vfd | awk '
            / call MPI_Finalize/ { last = $1 }
            / send end/ { ++all; end[all] = $1 }
            END { for (i in end) n += end[i] > last; print n + 0, (all > 15 ? "of more than 15" : "of " all + 0) }')
        expect_same "$late" "0 of more than 15" "sends of rank $rank that end in MPI_Finalize, as the timeline tells"
    done
    # What the program wrote, added up by function and by pair, without a timeline.
    rm -f ./*.vfd ./*.log
    config
    ranks_well 2 ./messages_dropped
    awk '{ ++n[$1] } END { for (f in n) print n[f], f }' expected.[01] | sort >expected
    table messages_dropped_all.log 'Communication profile' 1 7 |
        awk '{ n[$2] += $1 } END { for (f in n) print n[f], f }' | sort >recorded
    diff expected recorded || fail "the table has other numbers of messages (>) than the program sent and received (<)"
    expect_same "$(awk -F'|' '/^bytes$/ { on = 1 } on && $2 ~ /sum/ { gsub(/ /, ""); print $(NF - 1); exit }' messages_dropped_all.log)" \
        "$(awk '$2 == "send" { n += $5 } END { print n }' expected.[01])" "bytes in the matrix"
}

# They are counted when they begin: a job that is killed has them too.
test_sends_count_when_they_begin() {
    config
    build_mpi killed.c <<'END'
#include <mpi.h>
#include <signal.h>
#include <unistd.h>
static int out[4], in[4];
int main(int argc, char **argv)
{
    int rank;
    MPI_Request q;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 10; ++i)
        MPI_Isend(out, 3, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD, &q);
    for (int i = 0; i < 10; ++i)
        MPI_Recv(in, 3, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    kill(getpid(), SIGKILL);
}
END
    may_be_killed=1 ranks 2 ./killed
    report killed_[01].vfd
    expect_same "$(table report 'Communication profile' 1 2 3 7 | sort)" "20 ---- 12.0 MPI_Recv
20 12.0 ---- MPI_Isend" "messages of a killed job"
}

test_messages_with_a_spawned_job() {
    ! mpi_library_is_mpich || skip "MPICH as Debian builds it cannot start processes"
    moved messages_jobs 2
    for rank in 0 1; do
        mv expected.child.$rank expected.$rank
        mv messages_jobs_[0-9]*_$rank.vfd child_$rank.vfd
    done
    expect_messages child 2
}

test_messages_of_mpi_4() {
    mpi_library_is_mpich || skip "an MPI 3 library"
    moved messages_of_mpi_4 2
}

# There is no MPI_COMM_WORLD then, but "mpi://WORLD" has the same ranks.
test_messages_of_a_job_that_uses_sessions() {
    [ "$mpi_version" -ge 4 ] || skip "MPI $mpi_version has no sessions"
    build_mpi in_session.c -I"$programs" <<'END'
#include "expect.h"
int main(void)
{
    MPI_Session session;
    MPI_Group group;
    MPI_Comm comm, turned;
    char name[32];
    int in[10], out[10] = {0};
    MPI_Request request;
    MUST(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session));
    MUST(MPI_Group_from_session_pset(session, "mpi://WORLD", &group));
    MUST(MPI_Comm_create_from_group(group, "vftrace.test", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm));
    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_size(comm, &size);
    snprintf(name, sizeof name, "expected.%d", rank);
    expected = fopen(name, "w");
    MUST(MPI_Comm_split(comm, 0, -rank, &turned));
    const int other = 1 - rank, place = rank; // of the other in turned
    MUST(MPI_Irecv(in, 10, MPI_INT, MPI_ANY_SOURCE, 5, turned, &request));
    MUST(MPI_Send(out, 2 + rank, MPI_INT, place, 5, turned));
    MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
    SENT(MPI_Send, other, 5, (2 + rank) * 4);
    GOT(MPI_Irecv, other, 5, (2 + other) * 4);
    MUST(MPI_Bcast(out, 3, MPI_INT, 0, turned));
    GOT(MPI_Bcast, 1, -1, 12);
    for (int i = 0; rank == 1 && i < 2; ++i)
        SENT(MPI_Bcast, i, -1, 12);
    MPI_Group_free(&group);
    MPI_Comm_free(&turned);
    MPI_Comm_free(&comm);
    MPI_Session_finalize(&session);
    return fclose(expected);
}
END
    config "$timeline"
    ranks_well 2 ./in_session
    expect_messages in_session 2
}

# The same programs with large counts: MPI_Send stands for MPI_Send_c.
test_messages_with_large_counts() {
    large_counts
    adapt_expected() {
        sed -n 's/^#define \(.*\) .*/s,^\1 ,\1_c ,/p' large_count.h >large_names
        sed -i -f large_names "$@"
    }
    for program in pairs collectives groups; do
        moved messages_$program 4 -DLARGE_COUNT -I.
        grep -q '^MPI_[A-Za-z]*_c ' expected.0 || fail "the test shows nothing"
    done
    moved messages_of_mpi_4 2 -DLARGE_COUNT -I.
}

in_fortran() {
    have "$mpi_fortran" || skip "no Fortran"
    optimise='-O0 -w -ffree-line-length-none'
    moved messages_from_fortran 2 "$@"
    ! mpi_library_is_mpich || set -- "$@" -DWITH_MPICH
    moved messages_every_fortran 2 "$@"
    [ "$mpi_version" -lt 4 ] || moved messages_of_mpi_4_fortran 2 "$@"
}
test_messages_with_mpif_h() { in_fortran -DBINDING_MPIFH -fallow-argument-mismatch; }
test_messages_with_use_mpi() { in_fortran -DBINDING_MPI; }
test_messages_with_use_mpi_f08() { in_fortran -DBINDING_F08; }

# expect_all_moving NAMES: the file has every function of which the table says that it moves data or ends what does.
expect_all_moving() {
    awk -F'|' '/^MPI_/ && $4 ~ /[a-z]/ && $4 !~ /forget|_comm |^ *probe / { gsub(/ /, "", $1); print $1 }' "$srcdir/src/mpi/functions.table" |
        sort | comm -12 - declared >moving
    expect_at_least "$(wc -l <moving)" 80 "functions that move data"
    expect_same "$(sort -u "$1" | comm -23 moving -)" "" "functions whose messages are not compared"
}
test_the_messages_of_every_function_are_compared() {
    printf '#include <mpi.h>\n' | "$MPICC" -E -x c - | grep -oE '\bMPI_[A-Z][a-z_]*' | sort -u >declared
    for source in "$programs"/messages_*.c; do
        "$MPICC" -E "$source" | grep -oE '"MPI_[A-Z][a-z_]*[(]' | tr -d '"('
    done >called
    expect_all_moving called
    grep -ohE 'CALLS[(]MPI_[A-Z][a-z_]*|call MPI_[A-Z][a-z_]*' "$programs"/messages_*_fortran.F90 | sed 's/.*\(MPI_\)/\1/' >called
    expect_all_moving called
}

test_messages_of_callbacks_and_of_a_call_that_fails() {
    moved messages_called_back 2
    mv out out.recorded
    linkage=none build_mpi messages_called_back -I"$programs"
    ranks_well 2 ./messages_called_back
    diff out out.recorded || fail "with us (>) the call returns another error"
}

# No polling, and nothing is allocated, made or translated for each call: groups are asked for at the first use of a communicator.
test_for_a_message_no_memory_is_taken_and_mpi_is_asked_nothing_about_requests_and_groups() {
    # Handles, numbers and addresses alike pass through as words; not for the compiler's eyes with mpi.h.
    cat >asked.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <string.h>
int asked, allocated;
static unsigned long begin, end; // of vftrace in memory
static int search(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)size, (void)unused;
    for (int i = 0; strstr(info->dlpi_name, "libvftrace.so") && i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_flags & PF_X) {
            begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
            end = begin + info->dlpi_phdr[i].p_memsz;
        }
    return 0;
}
__attribute__((constructor)) static void find_vftrace(void) { dl_iterate_phdr(search, 0); }
#define NOTICED ((unsigned long)__builtin_return_address(0) - begin < end - begin ? allocated++ : 0)
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *malloc(size_t size) { return NOTICED, __libc_malloc(size); }
void *calloc(size_t n, size_t size) { return NOTICED, __libc_calloc(n, size); }
void *realloc(void *old, size_t size) { return NOTICED, __libc_realloc(old, size); }
#define COUNTED(name)                                                                                          \
    long name(long a, long b, long c, long d, long e, long f, long g, long h)                                  \
    {                                                                                                          \
        static long (*next)(long, long, long, long, long, long, long, long);                                   \
        if (!next) next = (long (*)(long, long, long, long, long, long, long, long))dlsym(RTLD_NEXT, #name);   \
        asked++;                                                                                               \
        return next(a, b, c, d, e, f, g, h);                                                                   \
    }
COUNTED(PMPI_Test) COUNTED(PMPI_Testall) COUNTED(PMPI_Testany) COUNTED(PMPI_Testsome) COUNTED(PMPI_Request_get_status)
COUNTED(PMPI_Test_cancelled) COUNTED(PMPI_Iprobe) COUNTED(PMPI_Comm_dup) COUNTED(PMPI_Comm_create) COUNTED(PMPI_Comm_split)
COUNTED(PMPI_Comm_group) COUNTED(PMPI_Comm_remote_group) COUNTED(PMPI_Comm_test_inter) COUNTED(PMPI_Comm_rank)
COUNTED(PMPI_Comm_size) COUNTED(PMPI_Group_translate_ranks) COUNTED(PMPI_Group_size) COUNTED(PMPI_Group_rank)
END
    cat >talk.c <<'END'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <vftrace.h>
extern int asked, allocated;
static void round_of_messages(int other, MPI_Comm comm)
{
    int a[2] = {0, 0}, b[2];
    MPI_Request list[2];
    MPI_Irecv(b, 1, MPI_INT, MPI_ANY_SOURCE, 1, comm, &list[0]);
    MPI_Isend(a, 1, MPI_INT, other, 1, comm, &list[1]);
    MPI_Waitall(2, list, MPI_STATUSES_IGNORE);
    MPI_Irecv(b, 1, MPI_INT, other, 2, comm, &list[0]);
    MPI_Send(a, 1, MPI_INT, other, 2, comm);
    MPI_Wait(&list[0], MPI_STATUS_IGNORE);
    MPI_Sendrecv(a, 1, MPI_INT, other, 3, b, 1, MPI_INT, other, 3, comm, MPI_STATUS_IGNORE);
    MPI_Allreduce(a, b, 2, MPI_INT, MPI_SUM, comm);
    MPI_Bcast(a, 2, MPI_INT, 0, comm);
}
int main(int argc, char **argv)
{
    int place, waiting;
    MPI_Comm comm;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_split(MPI_COMM_WORLD, 0, 1, &comm);
    MPI_Comm_rank(comm, &place);
    // A receive that stays open.
    MPI_Recv_init(&waiting, 1, MPI_INT, 1 - place, 99, comm, &request);
    MPI_Start(&request);
    round_of_messages(1 - place, comm);
    free(vftrace_get_stack());
    printf("%d %d ", asked > 1, allocated > 0);
    asked = allocated = 0;
    for (int i = 0; i < 300; i++)
        round_of_messages(1 - place, comm);
    printf("%d %d\n", asked, allocated);
    MPI_Send(&place, 1, MPI_INT, 1 - place, 99, comm);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
END
    $cc -c asked.c -o asked.o || fail "no counting functions"
    build_mpi talk asked.o -ldl
    for options in '' "$timeline"; do
        config "$options"
        ranks_well 2 ./talk
        # First whether the counting works.
        expect_same "$(sort -u out)" "1 1 0 0" "what was asked and allocated at the start, and for each message"
        expect_calls talk_all.log MPI_Wait 604
        rm -f ./*.vfd ./*.log
    done
}

test_messages_of_other_ranks_than_named_are_not_recorded() {
    build_mpi messages_collectives -I"$programs"
    config "$timeline, \"mpi\": {\"only_for_ranks\": \"0,2-3\"}"
    ranks_well 4 ./messages_collectives
    for rank in 0 2 3; do
        awk '$3 != 1' expected.$rank >named
        mv named expected.$rank
    done
    : >expected.1
    for rank in 0 1 2 3; do
        messages_of messages_collectives_$rank.vfd >recorded
        diff <(sort expected.$rank) recorded >differences || fail "rank $rank: $(head -8 differences)"
    done
    grep -q Reduce expected.0 || fail "the test shows nothing"
}

test_without_log_messages_there_are_none() {
    build_mpi messages_pairs -I"$programs"
    config "$timeline, \"mpi\": {\"log_messages\": false}"
    ranks_well 4 ./messages_pairs
    expect_same "$(messages_of messages_pairs_0.vfd)" "" "what was recorded"
    expect_at_least "$(mpi_calls_of messages_pairs_all.log | wc -l)" 20 "functions in the call tree"
}

# Issue: MPICH's irsendf: good in 5 of 5 runs without us, wrong in 5 of 5 with us.
# It expects that Waitany finds a send before the answer to it, which a rank that is slow between the two misses. Slow were we at a
# thread's first use of memory for requests: some dozen pages that had to come from the kernel.
test_the_first_requests_of_a_program_take_few_pages() {
    build_mpi pages.c <<'END'
#include <mpi.h>
#include <stdio.h>
#include <sys/resource.h>
static long faults(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_minflt;
}
int main(int argc, char **argv)
{
    int a = 1, b[2], index, rank;
    long before, sent, waited;
    MPI_Request request[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Sendrecv(&a, 1, MPI_INT, rank, 1, b, 1, MPI_INT, rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Irecv(b, 1, MPI_INT, rank, 1, MPI_COMM_WORLD, &request[0]);
    before = faults();
    MPI_Isend(&a, 1, MPI_INT, rank, 1, MPI_COMM_WORLD, &request[1]);
    sent = faults();
    MPI_Waitany(2, request, &index, MPI_STATUS_IGNORE);
    waited = faults();
    MPI_Waitany(2, request, &index, MPI_STATUS_IGNORE);
    printf("%ld\n", waited - before);
    fprintf(stderr, "%ld %ld\n", sent - before, waited - sent);
    return MPI_Finalize();
}
END
    config
    ranks_well 1 ./pages
    local with
    with=$(cat out)
    VFTR_OFF=1 ranks_well 1 ./pages
    expect_at_most $((with - $(cat out))) 8 "pages that a send and its Waitany take more than without vftrace"
}

# Such a program works, for the MPI library has nothing to keep of a send that is complete when it returns.
test_sends_that_nobody_waits_for_are_recorded_and_do_not_fill_the_memory() {
    ! mpi_library_is_mpich || skip "MPICH itself keeps what nobody waits for"
    build_mpi careless.c <<'END'
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>
static long pages(void)
{
    long all, resident = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    fscanf(f, "%ld %ld", &all, &resident);
    fclose(f);
    return resident;
}
int main(int argc, char **argv)
{
    int rank, a = 1, b;
    long before = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 400000; ++i) {
        MPI_Request never_waited_for;
        MPI_Isend(&a, 1, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD, &never_waited_for);
        MPI_Recv(&b, 1, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (i == 150000)
            before = pages();
    }
    printf("%ld\n", (pages() - before) * sysconf(_SC_PAGESIZE) / 1024);
    return MPI_Finalize();
}
END
    config
    ranks_well 2 ./careless
    for rank in 0 1; do
        [ "$(cat out.$rank)" -lt 16384 ] || fail "$(cat out.$rank) KiB more for 250000 further sends"
    done
    sent=$(awk -F'|' '$8 ~ /MPI_Isend/ { print $2 + 0; exit }' <(sed -n '/^Communication profile/,/^$/p' careless_all.log))
    expect_at_least "${sent:-0}" 500000 "recorded sends"
}

run_tests
