# SPDX-License-Identifier: BSD-3-Clause
# MPI jobs of several containers that share a folder: a process id of one says nothing in another.
. "${srcdir:-.}/test/system/mpi/lib_mpi.sh"

# job COMMAND…: two ranks of it in a pid namespace of their own. (Open MPI's shared memory is named by process ids, so that it must be apart, too.)
job() {
    local session
    session=$(mktemp -d)
    # shellcheck disable=SC2086
    OMPI_MCA_orte_tmpdir_base=$session OMPI_MCA_btl_vader_backing_directory=$session \
        timeout -k 1 "$run_limit" unshare -Urpf --mount-proc "$mpirun" $mpirun_flags -n 2 "$@" </dev/null
    set -- $?
    rm -rf "$session"
    return "$1"
}

# Issue: same pid in several containers in one folder (MPI jobs of several pid namespaces)
test_a_job_leaves_alone_what_a_job_of_another_container_writes() {
    unshare -Urpf --mount-proc true 2>/dev/null || skip "no namespaces of process ids here"
    build_mpi waits.c <<'END'
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>
static int leaf(int x) { return x + 1; }
int main(int argc, char **argv)
{
    int sum = 0;
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 100; i++)
        sum += leaf(i);
    MPI_Barrier(MPI_COMM_WORLD);
    fclose(fopen(argv[1], "w"));
    while (argc > 2 && access(argv[2], F_OK) != 0)
        usleep(1000);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return sum == 0;
}
END
    config '"sampling": {"active": true}'
    job ./waits first_begun may_end 2>err.first &
    first=$!
    for ((i = 0; i < 3000; i++)); do
        [ ! -e first_begun ] && kill -0 $first 2>/dev/null || break
        sleep 0.02
    done
    [ -e first_begun ] || skip "no MPI jobs in a container here: $(cat err.first)"
    job ./waits second_begun 2>err.second || fail "the second job: $(cat err.second)"
    touch may_end
    wait $first || fail "the first job: $(cat err.first)"
    for rank in 0 1; do
        expect_same "$(find . -name "waits*_$rank.vfd" | wc -l)" 2 "recordings of a rank $rank"
    done
    expect_same "$(find . -name 'waits*_all.log' | wc -l)" 2 "logs"
    for log in waits*_all.log; do expect_calls "$log" leaf 200; done
}

run_tests
