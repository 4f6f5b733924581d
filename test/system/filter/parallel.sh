# SPDX-License-Identifier: BSD-3-Clause
# Filters and triggers in jobs of several ranks, each with OpenMP threads: all options on one program.
. "${srcdir:-.}/test/system/mpi/lib_mpi.sh"
. "$srcdir/test/system/openmp/openmp.sh"

cc=gcc cxx=g++
have gcc || { echo "skip: no gcc" && exit 77; }
export OMP_NUM_THREADS=2

# On each of two ranks: step 10 ×, with a region of two threads in which each calls compute (of another file), which calls leaf, and then
# exchange, which calls MPI_Allreduce.
program() {
    if [ ! -e ../program/job ]; then
        mkdir ../program
        (cd ../program && compile) || exit 1
    fi
    cp ../program/* .
}
compile() {
    printf 'double leaf(double x);\ndouble compute(double x) { return leaf(x); }\n' >compute.c
    build_mpi job.c compute.c -fopenmp <<'END'
#include <mpi.h>
#include <stdio.h>
double compute(double x);
double leaf(double x) { return x + 1; }
static double exchange(double mine)
{
    double all = 0;
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}
static double step(void)
{
    double sum = 0;
#pragma omp parallel reduction(+ : sum)
    sum += compute(1);
    return exchange(sum);
}
int main(int argc, char **argv)
{
    double sum = 0;
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 10; i++)
        sum += step();
    MPI_Finalize();
    return sum != 80;
}
END
}
# filter '{JSON}' [MORE]: runs it with this filter.
filter() {
    program
    config "\"filter\": $1${2:+, $2}"
    ranks_well 2 ./job
}
# The functions, the MPI calls and the regions of the job, "calls name" each.
expect_job() {
    local shown
    shown=$(grouped_counts job_all.log | grep -vwE 'init|MPI_Init|MPI_Finalize|vftrace_pause|omp idle|omp implicit barrier.*' | tr '\t' ' ' | sed 's/:[0-9]*$//' | sort -k2 | tr '\n' ',')
    expect_same "$shown" "$1" "what the job called"
}

test_without_a_filter_all_is_there() {
    filter '{}'
    expect_job "20 MPI_Allreduce,40 compute,20 exchange,40 leaf,2 main,20 omp parallel step,20 step,"
}
# Issue: include/exclude by PCRE2 over names, files or modules
test_by_names_files_and_modules() {
    needs LIBDW
    filter '{"exclude": {"functions": "^(exchange|main)$", "files": "/compute\\.c$"}}'
    expect_job "20 MPI_Allreduce,40 leaf,20 omp parallel step,20 step,"
    expect_path job_all.log 'leaf<omp parallel step<step<init'
    expect_path job_all.log 'MPI_Allreduce<step<init'
    filter '{"exclude": {"modules": "/job$"}}'
    expect_job "20 MPI_Allreduce,20 omp parallel step,"
}
# Issue: max_depth: functions of the thread that opened the region count, constructs do not.
test_by_depth() {
    filter '{"max_depth": 3}'
    expect_job "20 MPI_Allreduce,40 compute,20 exchange,2 main,20 omp parallel step,20 step,"
}
# Issue: per-rank and per-thread selection
test_by_rank_and_thread() {
    filter '{"only_for_ranks": "1", "only_for_threads": "1-100"}'
    expect_job "20 MPI_Allreduce,10 compute,10 leaf,20 omp parallel step,"
    filter '{"only_for_threads": "0"}'
    expect_job "20 MPI_Allreduce,20 compute,20 exchange,20 leaf,2 main,20 omp parallel step,20 step,"
}
# Issue: trigger s: start/stop recording at a function's nth call. Each rank counts its own calls, of all its threads.
test_by_triggers() {
    filter '{"triggers": [{"function": "^step$", "call": 3, "action": "start"}, {"function": "^exchange$", "call": 7, "action": "stop"}]}'
    expect_calls job_all.log step 10
    expect_calls job_all.log MPI_Allreduce 8
    expect_calls job_all.log leaf 20
    filter '{"triggers": [{"function": "^leaf$", "call": 8, "action": "stop"}]}'
    expect_calls job_all.log leaf 16
    expect_calls job_all.log step 8
}
# Of a rule and of a trigger it is said that nothing came of them where that is so on all ranks together.
test_what_one_rank_alone_calls_is_a_match() {
    build_mpi alone.c <<'END'
#include <mpi.h>
static void alone(void) {}
static void often(void) {}
int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1)
        alone();
    for (int i = 0; i <= rank; i++)
        often();
    MPI_Finalize();
    return 0;
}
END
    config '"logfile_for_ranks": "0", "filter": {"only_for_ranks": "1,7", "exclude": {"functions": "^alone$", "modules": "nowhere"},
        "triggers": [{"function": "^often$", "call": 2, "action": "stop"}, {"function": "^often$", "call": 4, "action": "stop"}]}'
    ranks_well 2 ./alone
    expect_same "$(grep -E '^Note: (filter|sampling)' alone_all.log)" 'Note: filter.exclude.modules: no function that was called matches "nowhere".
Note: filter.triggers[1] (stop) never acted: what matches "^often$" was called 2 times, and it acts at call 4.' "the notes"
    ! grep '^Note: filter' alone_0.log || fail "a log of one rank says what it cannot know"
}
# Issue: min_duration. What has a message within it stays, as that stands in the timeline itself.
test_by_duration() {
    filter '{"min_duration": 1}' '"sampling": {"active": true, "sample_interval": 0}'
    expect_calls job_all.log leaf 40
    for rank in 0 1; do
        "$vftr" dump job_$rank.vfd >dump || fail "vftr dump"
        expect_same "$(awk '$2 == "call"' dump | grep -cE ' (leaf|compute)<')" 0 "short calls in the timeline of rank $rank"
        expect_same "$(grep -c ' call  *exchange<' dump)" 10 "calls around messages in the timeline of rank $rank"
    done
}
# Issue: tests for every filter and trigger; here all at once. The function of the trigger is recorded whatever excludes it.
test_by_all_of_them() {
    needs LIBDW
    filter '{"include": {"functions": "^(step|compute|leaf|exchange)$", "files": "job\\.c$", "modules": "nowhere"},
        "exclude": {"functions": "^exchange$", "files": "nowhere", "modules": "libmpi"}, "max_depth": 3, "min_duration": 1,
        "only_for_ranks": "0", "only_for_threads": "0", "live_patching": false, "auto_exclude": true,
        "triggers": [{"function": "^step$", "call": 4, "action": "stop"}]}' '"sampling": {"active": true, "sample_interval": 0}'
    expect_job "6 MPI_Allreduce,3 compute,1 main,6 omp parallel step,8 step,"
}

run_tests
