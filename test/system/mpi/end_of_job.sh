# SPDX-License-Identifier: BSD-3-Clause
# The end of a job: as without vftrace, in time, and with all that the ranks did in the log or in their files.
. "${srcdir:-.}/test/system/mpi/lib_mpi.sh"

# The ranks find each other by what they do behind MPI_Init: one does what argv[1] says, the others come to MPI_Finalize.
job() {
    build_mpi job.c <<'EOF'
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
void work(void) {}
void after_finalize(void) { int flag; MPI_Finalized(&flag); }
static void end_otherwise(const char *how)
{
    if (!strcmp(how, "abort")) MPI_Abort(MPI_COMM_WORLD, 7);
    if (!strcmp(how, "kill")) raise(SIGKILL);
    if (!strcmp(how, "segv")) raise(SIGSEGV);
    if (!strcmp(how, "exit")) exit(3);
    if (!strcmp(how, "_exit")) _exit(4);
    if (!strcmp(how, "late")) sleep(3);
}
int main(int argc, char **argv)
{
    int rank, sum;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    work();
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    if (!strcmp(argv[1], "nobody")) exit(0);
    if (rank == 2) end_otherwise(argv[1]);
    MPI_Finalize();
    after_finalize();
    return 0;
}
EOF
}

test_a_rank_that_comes_late_is_named_and_its_profile_is_that_up_to_then() {
    job
    config '"mpi": {"collate_timeout": 1}'
    ranks 4 ./job late
    expect_status 0
    expect_said_once 'rank 2 did not come to MPI_Finalize within 1 s; the profile has what it had recorded until then'
    grep -q '^Note: rank 2 did not come to MPI_Finalize within 1 s' job_all.log || fail "no note: $(grep Note job_all.log)"
    ! grep -q 'missing in this profile' job_all.log || fail "a rank is missing: $(grep Note job_all.log)"
    expect_calls job_all.log work 4
    # Every rank keeps its file, from which the whole can be made.
    report job_[0-9].vfd
    grep -qE '\| +4 \|.*\| +work \|' report || fail "the files do not have four calls of work: $(cat report)"
}

# Issue: "A killed run does not leave the previous run's log looking like its own."
test_the_logs_of_the_job_before_are_not_there_after_a_killed_job() {
    job
    config '"logfile_for_ranks": "all"'
    ranks_well 4 ./job well
    expect_same "$(echo *.log)" "job_0.log job_1.log job_2.log job_3.log job_all.log" "logs"
    may_be_killed=1 ranks 4 ./job kill
    expect_same "$(echo *.log)" "*.log" "logs after a job that was killed"
    expect_calls job_all.log.previous work 4
    ranks_well 4 ./job well
    expect_same "$(echo *.log*)" "job_0.log job_1.log job_2.log job_3.log job_all.log" "logs after another job"
}

# Issue: say in the head how each rank ended
test_the_head_says_which_ranks_ended_without_mpi_finalize() {
    job
    local how words
    for how in nobody _exit kill; do
        rm -f job_*.vfd job_*.log
        config '"sampling": {"active": true}, "mpi": {"collate_timeout": 1}'
        may_be_killed=1 ranks 4 ./job $how
        case $how in
        # mpirun kills the others as soon as the first has ended, unless they have ended as well.
        nobody) words='ranks\? [0-3].* ended without MPI_Finalize' ;;
        _exit) words='rank 2 ended without MPI_Finalize' ;;
        # Of those that wait for it some may be killed before they have come there.
        kill) words='ranks\? [0-3, -]*\(2\|[01]-3\).* not come to MPI_Finalize' ;;
        esac
        report job_[0-3].vfd
        grep -q "^Note: .*\($words\)" report || fail "$how: the head does not say how the ranks ended: $(sed -n '/^Note/p' report)"
    done
    rm -f job_*.vfd job_*.log
    ranks 4 ./job well
    report job_[0-3].vfd
    ! grep -q 'without MPI_Finalize\|not come to MPI_Finalize' report || fail "all ranks came to MPI_Finalize: $(sed -n '/^Note/p' report)"
}

# Issue: a rank that comes late to MPI_Finalize makes it last twice as long: who has given up must be seen by who comes late.
# Its own timeout is an hour, so that a job in which it waits for the others hangs.
test_a_rank_that_comes_when_the_others_have_given_up_does_not_wait_for_them() {
    build_mpi late.c <<'END'
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == atoi(argv[1]))
        sleep(4);
    MPI_Finalize();
    return 0;
}
END
    config '"mpi": {"collate_timeout": 3600}'
    mv config.json patient.json
    config '"mpi": {"collate_timeout": 1}'
    local late
    for late in 2 0; do
        rm -f ./*.vfd ./*.log
        # shellcheck disable=SC2016
        ranks 4 sh -c '[ ${OMPI_COMM_WORLD_RANK-$PMI_RANK} != $1 ] || export VFTR_CONFIG=$PWD/patient.json; exec ./late $1' sh $late
        expect_status 0
        report late_[0-9].vfd
        grep -qE '\| +4 \|.*\| +main \|' report || fail "the files do not have four calls of main: $(cat report)"
    done
}

test_what_runs_after_finalize_is_in_the_log() {
    job
    config
    ranks_well 3 ./job well
    expect_calls job_all.log after_finalize 3
    expect_calls job_all.log work 3
}

# A job that is cut short leaves what all of its ranks did before.
test_a_job_that_is_cut_short_ends_as_without_vftrace_and_leaves_its_files() {
    local how
    for linkage in none shared; do
        job
        [ $linkage = none ] || config '"mpi": {"collate_timeout": 2}'
        for how in abort kill segv exit; do
            ranks_patiently 4 ./job $how
            # MPICH's mpirun gives the code of that rank or of those that it kills then, whichever ended first.
            ! mpi_library_is_mpich || [ $how != exit ] || [ $status != 9 ] || status=3
            echo "$how: $status"
            [ $linkage = none ] && continue
            report job_[0-3].vfd
            grep -qE '\| +4 \|.*\| +work \|' report || fail "$how: not four calls of work: $(cat report)"
            # To and from each of the four, and in the matrix.
            grep -qE '^\| +32 \| +4\.0 \| +4\.0 \|.*MPI_Allreduce' report || fail "$how: not 32 messages: $(cat report)"
            grep -qE '^\| +sum( \| +16){4} \| +64 \|' report || fail "$how: no matrix of 64 bytes: $(cat report)"
        done >ends.$linkage
    done
    # MPICH's mpirun tells of the rank that left or of those that it then killed, as it comes.
    mpi_library_is_mpich || expect_same "$(cat ends.shared)" "$(cat ends.none)" "how the job ends"
    ! grep -q ': 124\|: 0$' ends.shared || fail "a job hung or ended well: $(cat ends.shared)"
}

# What a job writes at its end, and what is made of the files of one whose ranks were all killed there: of one rank and of all.
test_the_log_of_a_killed_job_is_made_from_its_files() {
    build_mpi ends.c <<'EOF'
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
static void leaf(void) {}
static void work(int n) { for (int i = 0; i < n; i++) leaf(); }
int main(int argc, char **argv)
{
    int rank, sum;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    work(10 * (rank + 1));
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    if (getenv("KILLED")) raise(SIGKILL);
    MPI_Finalize();
    return 0;
}
EOF
    config '"logfile_for_ranks": "all"'
    ranks_well 3 ./ends
    local rank file
    for file in ends_all ends_0 ends_1 ends_2; do
        grouped_counts $file.log | grep -v MPI_Finalize | sort >$file.counts
        [ -s $file.counts ] || fail "no counts in $file.log"
        stacks_of $file.log | grep -v MPI_Finalize >$file.stacks
    done
    rm -f -- *.log *vfd
    export may_be_killed=1
    KILLED=1 ranks 3 ./ends
    [ "$status" != 0 ] || fail "the job ended well"
    for file in as_they_are recovered; do
        [ $file != recovered ] || "$builddir/vftr" recover ends_[012].vfd >out || fail "vftr recover"
        report ends_[012].vfd
        diff ends_all.counts <(grouped_counts report | sort) || fail "calls of all ranks, $file: (<) in the log, (>) from the files"
        diff ends_all.stacks <(stacks_of report) || fail "call stacks of all ranks, $file: (<) in the log, (>) from the files"
        for rank in 0 1 2; do
            report --rank $rank ends_[012].vfd
            diff ends_$rank.counts <(grouped_counts report | sort) || fail "calls of rank $rank, $file"
            diff ends_$rank.stacks <(stacks_of report) || fail "call stacks of rank $rank, $file"
        done
    done
}

dying() {
    build_mpi dying.c <<'END'
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) {
        if (argv[1][0] == 'a') abort();
        if (argv[1][0] == 's') *(volatile int *)argv[5] = 1;
        if (argv[1][0] == 'm') MPI_Abort(MPI_COMM_WORLD, 9);
        _exit(5);
    }
    MPI_Finalize();
    return 0;
}
END
}
test_a_job_whose_rank_dies_ends_as_without_vftrace() {
    for linkage in none shared; do
        dying
        for how in exit abort segv mpi_abort; do
            ranks_patiently 3 ./dying $how
            echo "$how: $status"
        done >ends.$linkage
    done
    # MPICH's mpirun tells of the rank that died or of those that it then killed, as it comes.
    mpi_library_is_mpich || expect_same "$(cat ends.shared)" "$(cat ends.none)" "how the job ends"
    ! grep -q ': 124\|: 0$\|: 137' ends.shared || fail "a job hung or ended well: $(cat ends.shared)"
}

# Fortran's STOP, C's exit: MPI_Finalize never comes.
test_ranks_that_exit_without_finalize_keep_their_files() {
    build_mpi leaving.c <<'END'
#include <mpi.h>
#include <stdlib.h>
void work(void) {}
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    work();
    MPI_Barrier(MPI_COMM_WORLD);
    exit(0);
}
END
    config
    may_be_killed=1 ranks 2 ./leaving
    report leaving_*[0-9].vfd
    grep -qE '\|.*\| +work \|' report || fail "no call of work: $(cat report)"
}

test_the_clocks_of_ranks_on_one_machine_do_not_differ() {
    job
    config '"sampling": {"active": true}'
    ranks_well 4 ./job well
    local rank
    for rank in 1 2 3; do
        "$builddir/vftr" dump job_$rank.vfd >dumped || fail "no dump of rank $rank"
        # Clock offset:   +0.123 us at end (± 0.456 us): within the error and what two readings may differ
        sed -n 's/^Clock offset: *\([-+0-9.]*\) us at end (± \([0-9.]*\) us)/\1 \2/p' dumped |
            awk '{ off = $1 < 0 ? -$1 : $1; print off <= $2 + 3 }' >within
        expect_same "$(cat within)" 1 "rank $rank's clock is within its error: $(grep Clock dumped)"
    done
}

test_clocks_are_compared_at_the_start_too_where_the_user_asks_for_it() {
    job
    config '"sampling": {"active": true}, "mpi": {"clock_offsets": "both"}'
    ranks_well 4 ./job well
    for rank in 1 2 3; do
        "$builddir/vftr" dump job_$rank.vfd | grep 'Clock offset:' >dumped
        grep -q 'us at start (.*us at end (' dumped || fail "rank $rank: $(cat dumped)"
    done
}

# Attributes are copied where a communicator is duplicated, and their functions are the program's.
test_functions_of_the_programs_attributes_are_not_called() {
    linkage=none build_mpi callbacks.c <<'END'
#include <mpi.h>
#include <stdio.h>
static int copied(MPI_Comm comm, int key, void *extra, void *in, void *out, int *flag)
{
    (void)comm, (void)key, (void)extra, (void)in, (void)out;
    puts("copied");
    return *flag = 0;
}
static int deleted(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm, (void)key, (void)value, (void)extra;
    puts("deleted");
    return MPI_SUCCESS;
}
int main(int argc, char **argv)
{
    int key;
    MPI_Init(&argc, &argv);
    MPI_Comm_create_keyval(copied, deleted, &key, 0);
    MPI_Comm_set_attr(MPI_COMM_WORLD, key, &key);
    return MPI_Finalize();
}
END
    ranks_well 2 ./callbacks
    cp out expected
    linkage=shared build_mpi callbacks
    config
    ranks_well 2 ./callbacks
    diff expected out || fail "callbacks of attributes: (<) without, (>) with vftrace"
    expect_calls callbacks_all.log MPI_Finalize 2
}

run_tests
