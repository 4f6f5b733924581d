# SPDX-License-Identifier: BSD-3-Clause
# vftr ctl: commands to the ranks of a job.
. "${srcdir:-.}/test/system/mpi/lib_mpi.sh"

# Ranks of two threads each, which call `work` and `other` until there is a file `end`; then each prints how often both have called `work`.
build_busy_ranks() {
    build_mpi busy.c -pthread <<'END'
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static volatile long done;
static long calls[2];
__attribute__((noinline)) void work(void) { done++; }
__attribute__((noinline)) void other(void) { done++; }
__attribute__((no_instrument_function)) static void is_ready(int rank, int thread)
{
    char name[32];
    snprintf(name, sizeof name, "ready.%d.%d", rank, thread);
    fclose(fopen(name, "w"));
}
static int rank;
void *busy(void *index)
{
    const long thread = (long)index;
    for (long n = 0; n % 1000 || access("end", F_OK) != 0; n++) {
        work();
        other();
        calls[thread]++;
        if (n == 0)
            is_ready(rank, (int)thread);
    }
    return 0;
}
int main(int argc, char **argv)
{
    int provided;
    pthread_t second;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    pthread_create(&second, 0, busy, (void *)1);
    busy(0);
    pthread_join(second, 0);
    printf("%ld\n", calls[0] + calls[1]);
    MPI_Finalize();
    return 0;
}
END
}
begin_job() {
    (ranks_well 4 ./busy) &
    job=$!
    until [ "$(find . -name 'ready.*' | wc -l)" = 8 ]; do
        kill -0 $job 2>/dev/null || { wait $job || exit 1; fail "the job has ended"; }
        sleep 0.05
    done
}
end_job() {
    touch end
    wait $job || exit 1
    cat out.[0-9]* >out
}
# ctl ARGUMENT…: in `said`. Ranks may wait for a core for long on a busy machine.
ctl() { "$vftr" ctl --wait=120 "$@" >said 2>&1 || fail "vftr ctl $*: $(cat said)"; }
# expect_of_ranks N TEXT: so many answers, one of each rank, and all are TEXT.
expect_of_ranks() {
    expect_same "$(sed -E 's/^[0-9]+ //' said)" "$(for ((i = 0; i < $1; i++)); do echo "(rank $i): $2"; done)" answers
}
counted() { # FUNCTION: in the ranks' recordings up to now
    "$vftr" report busy_[0-9]*.vfd busy_[0-9]*.tmpvfd >report 2>report.err || fail "vftr report: $(cat report.err)"
    calls_of report "$1"
}

# Issue: `vftr ctl` against a running MPI job of four ranks with threads.
test_all_ranks_of_a_job_obey_in_all_their_threads() {
    config
    build_busy_ranks
    shopt -s nullglob
    begin_job
    ctl . status
    expect_of_ranks 4 'recording, timing adaptive, threads so far 2'
    ctl . stop
    expect_of_ranks 4 stopped
    ctl . status
    expect_of_ranks 4 'stopped, timing adaptive, threads so far 2'
    ctl . start
    expect_of_ranks 4 recording
    ctl . timing exact
    expect_of_ranks 4 'timing exact'
    ctl . status
    expect_of_ranks 4 'recording, timing exact, threads so far 2'
    ctl . exclude '^other$'
    expect_of_ranks 4 'functions that match are not recorded any more'
    ctl . snapshot
    expect_same "$(grep -c '(rank [0-3]): the recording so far is in ' said)" 4 "answers: $(cat said)"
    local file others work
    for file in $(sed -n 's/.* is in //p' said); do
        "$vftr" report "$file" >one 2>one.err || fail "$file: $(cat one.err)"
        expect_at_least "$(calls_of one work)" 1 "calls in $file"
    done
    # From the first moment at which no thread calls it any more, the number stays while that of work grows.
    others=$(counted other) work=$(counted work)
    until [ "$(counted work)" -gt $((work + 100000)) ] && [ "$(counted other)" = "$others" ]; do
        kill -0 $job 2>/dev/null || fail "the job has ended"
        others=$(counted other)
    done
    # One rank only.
    ctl "$(find . -name 'busy_2*.vfd' ! -name '*snapshot*' -o -name 'busy_2*.tmpvfd')" timing adaptive
    expect_same "$(sed -E 's/^[0-9]+ //' said)" '(rank 2): timing adaptive' answer
    end_job
    expect_calls busy_all.log busy 8
    local recorded
    recorded=$(calls_of busy_all.log work)
    expect_at_most "$recorded" "$(awk '{ n += $1 } END { print n }' out)" 'recorded calls of work'
    expect_at_least "$recorded" "$work" 'recorded calls of work'
    expect_at_least "$(calls_of busy_all.log vftrace_pause)" 4 'pauses'
    # A thread that had no core until now may still have called it before it looked.
    expect_at_most "$(calls_of busy_all.log other)" $((recorded - 50000)) 'calls of other'
    "$vftr" ctl . status >said 2>&1 && fail "ranks answer after the end: $(cat said)"
    grep -q 'no process writes a recording there' said || fail "it says: $(cat said)"
}

run_tests
