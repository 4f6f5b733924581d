# SPDX-License-Identifier: BSD-3-Clause
# MPI jobs below recorded processes: the ranks of a job share a name, and no job replaces another's results.
. "${srcdir:-.}/test/system/mpi/lib_mpi.sh"
. "$srcdir/test/system/processes/drive.sh"

job() {
    build_mpi job.c <<'END'
#include <mpi.h>
static void in_job(void) {}
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    in_job();
    MPI_Barrier(MPI_COMM_WORLD);
    return MPI_Finalize();
}
END
}

# Files of this folder by pattern, pids as N, equal names once with their number.
results() { ls | grep -E '\.(log|vfd|tmpvfd)$' | sed -E 's/job_[0-9]{2,}/job_N/' | sort | uniq -c | awk '{ print $1 "*" $2 }' | tr '\n' ' '; }

# Open MPI's mpirun now and then does not notice the end of a job; jobs that begin at the same time must not meet in one session directory.
launch() {
    local session try
    session=$(mktemp -d)
    for ((try = 0; try < 3; try++)); do
        rm -f ./*.log ./*.vfd ./*.tmpvfd
        OMPI_MCA_orte_tmpdir_base=$session may_be_killed=1 run "$@"
        [ $status = 124 ] || [ $status = 137 ] || break
    done
    rm -rf "$session"
    expect_status 0
    expect_silence
}

test_two_jobs_of_a_recorded_driver_leave_two_sets_of_results() {
    config '"sampling": {"active": true, "sample_interval": 0}'
    driver
    job
    build twice.c <<'END'
#include <sys/wait.h>
#include <unistd.h>
static int start(char **argv)
{
    int status;
    if (fork() == 0) {
        execvp(argv[0], argv);
        _exit(99);
    }
    return wait(&status) < 0 ? 1 : status;
}
int main(int argc, char **argv) { return argc < 2 || start(argv + 1) || start(argv + 1); }
END
    # shellcheck disable=SC2086
    launch ./twice "$mpirun" $mpirun_flags -n 2 ./job
    expect_same "$(results)" "2*job_N_0.vfd 2*job_N_1.vfd 2*job_N_all.log 2*job_N_all.vfd 1*twice_0.vfd 1*twice_all.log 1*twice_all.vfd " "results"
    local log
    for log in job_*_all.log; do
        expect_calls "$log" in_job 2
    done
}

test_a_job_by_posix_spawn_is_named_for_its_driver() {
    config
    driver
    job
    # shellcheck disable=SC2086
    launch ./drive spawn -- "$mpirun" $mpirun_flags -n 2 ./job
    expect_same "$(results)" "1*drive_all.log 1*drive_all.vfd 1*job_Ns1_all.log 1*job_Ns1_all.vfd " "results"
    expect_calls job_[0-9]*s1_all.log in_job 2
}

# Each rank starts a program that is the job's rank in turn.
test_the_ranks_of_a_job_by_way_of_a_driver_each_have_one_name() {
    config
    driver
    job
    local way
    for way in fork exec; do
        # shellcheck disable=SC2086
        launch "$mpirun" $mpirun_flags -n 2 ./drive $way -- ./job
        expect_calls job_all.log in_job 2
        expect_same "$(results | tr ' ' '\n' | grep -c job_)" 2 "kinds of results of the job, $way: $(results)"
        # shellcheck disable=SC2086
        launch ./drive fork -- "$mpirun" $mpirun_flags -n 2 ./drive $way -- ./job
        expect_calls job_[0-9]*_all.log in_job 2
        expect_same "$(results | tr ' ' '\n' | grep job_ | tr '\n' ' ')" "1*job_N_all.log 1*job_N_all.vfd " "results of the job below a driver, $way"
    done
}

test_jobs_of_a_script_leave_a_set_of_results_each() {
    config
    job
    # shellcheck disable=SC2016
    launch "$vftr" run --quiet -- sh -c 'for i in 1 2 3; do "$@" || exit; done' sh "$mpirun" $mpirun_flags -n 2 ./job
    expect_same "$(results)" "1*job.1_all.log 1*job.1_all.vfd 1*job.2_all.log 1*job.2_all.vfd 1*job_all.log 1*job_all.vfd " "results"
    expect_calls job.2_all.log in_job 2
}

test_a_job_that_the_user_starts_has_plain_names() {
    config
    job
    # shellcheck disable=SC2086
    launch "$vftr" run --quiet -- "$mpirun" $mpirun_flags -n 2 ./job
    expect_same "$(results)" "1*job_all.log 1*job_all.vfd " "results"
    # shellcheck disable=SC2086
    run "$vftr" run --quiet -- "$mpirun" $mpirun_flags -n 2 ./job
    expect_same "$(results)" "1*job_all.log 1*job_all.vfd " "results of a later run"
}

run_tests
