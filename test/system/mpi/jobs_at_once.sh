# SPDX-License-Identifier: BSD-3-Clause
# Several jobs and runs of one program in one folder: each has a name for all that it leaves.
. "${srcdir:-.}/test/system/mpi/lib_mpi.sh"

# begin_job NUMBER COMMAND…: three ranks in the background; its output is in job.NUMBER.
begin_job() {
    local number=$1
    shift
    (
        # shellcheck disable=SC2030
        export OMPI_MCA_orte_tmpdir_base=$PWD/session.$number
        mkdir -p "$OMPI_MCA_orte_tmpdir_base"
        # shellcheck disable=SC2086
        timeout -k 1 "$run_limit" "$mpirun" $mpirun_flags -n 3 "$@" >"job.$number" 2>&1 </dev/null
    ) &
}
ring_program() {
    build_mpi ring.c <<'END'
#include <mpi.h>
static void pass_on(int rank, int size)
{
    int value = rank;
    MPI_Sendrecv_replace(&value, 1, MPI_INT, (rank + 1) % size, 7, (rank + size - 1) % size, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 10; i++)
        pass_on(rank, size);
    return MPI_Finalize();
}
END
}

# Issue: MPICH jobs in one folder mix their rank files; of two runs at once one left its log only as .previous
test_jobs_at_once_have_a_name_each_for_all_their_ranks() {
    local round log stem
    ring_program
    config '"sampling": {"active": true, "sample_interval": 0}'
    for round in 1 2 3; do
        rm -f ring_*
        begin_job 1 ./ring
        begin_job 2 ./ring
        wait
        expect_same "$(cat job.1 job.2)" "" "messages in round $round"
        expect_same "$(find . -name 'ring*_all.log' | wc -l)" 2 "logs in round $round: $(echo ring_*)"
        expect_same "$(find . -name 'ring*.vfd' | wc -l)" 8 "files in round $round: $(echo ring_*)"
        for log in ring*_all.log; do
            stem=${log%_all.log}
            expect_calls "$log" pass_on 30
            run "$vftr" waits "$stem"_[0-2].vfd
            expect_silence
        done
        expect_same "$(find . -name '*.job*' -o -name '*.previous')" "" "files that are left in round $round"
    done
}

test_a_run_beside_a_job_does_not_take_its_name() {
    build_mpi waits.c <<'END'
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>
static void leaf(void) {}
int main(int argc, char **argv)
{
    if (argc > 1) {
        MPI_Init(&argc, &argv);
        fclose(fopen(argv[1], "w"));
        while (access("may_end", F_OK) != 0)
            usleep(1000);
    }
    leaf();
    return argc > 1 ? MPI_Finalize() : 0;
}
END
    config
    begin_job 1 ./waits begun
    for ((i = 0; i < 3000; i++)); do
        [ ! -e begun ] && kill -0 $! 2>/dev/null || break
        sleep 0.02
    done
    run_well ./waits
    expect_file waits.job
    touch may_end
    wait
    expect_same "$(cat job.1)" "" "messages of the job"
    expect_calls waits_all.log leaf 3
    expect_calls "$(ls waits_[0-9]*_all.log)" leaf 1
    expect_no_file waits.job
}

# Issue: MPI_Comm_spawn gives three tokens; vftr waits then refuses them
test_a_spawned_job_has_one_name_for_its_ranks() {
    ! mpi_library_is_mpich || skip "Debian's MPICH has no process manager that could spawn"
    build_mpi spawns.c <<'END'
#include <mpi.h>
int main(int argc, char **argv)
{
    MPI_Comm parent, children;
    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&parent);
    if (parent == MPI_COMM_NULL)
        MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 3, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children, MPI_ERRCODES_IGNORE);
    MPI_Comm *other = parent == MPI_COMM_NULL ? &children : &parent;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Barrier(*other);
    MPI_Comm_disconnect(other);
    return MPI_Finalize();
}
END
    config '"sampling": {"active": true, "sample_interval": 0}'
    ranks_patiently 2 ./spawns
    [ $status = 0 ] || fail "exit code $status"
    names=$(find . -name 'spawns_*_[012].vfd' | sed 's/_[012].vfd$//' | sort -u)
    expect_same "$(wc -w <<<"$names")" 1 "names of the spawned job: $names"
    run "$vftr" waits "$names"_[0-2].vfd
    expect_silence
}

run_tests
