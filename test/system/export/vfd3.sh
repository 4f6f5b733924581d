# SPDX-License-Identifier: BSD-3-Clause
# Timelines in the format of Vftrace 2.0. Its own tools are not on this machine: a reader that knows only the description of the format stands for them, and vftr itself.
. "${srcdir:-.}/test/system/export/lib_export.sh"

# read_files FILE…: what they have is in the file `read`.
read_files() { python3 "$srcdir/test/system/export/vfd3.py" "$@" >read 2>read.err || fail "$*: $(tail -3 read.err)"; }
calls_in() { grep -c "^call $1\$" read; }

threaded_program() {
    build prog.cpp -pthread <<'END'
#include <csignal>
#include <thread>
#include <vector>
#define N __attribute__((noinline))
N int leaf(int n) { volatile int x = n; return x; }
N int fib(int n) { return n < 2 ? leaf(n) : fib(n - 1) + fib(n - 2); }
N void worker() { fib(5); }
int main(int argc, char **)
{
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; i++)
        threads.emplace_back(worker);
    for (auto &thread : threads)
        thread.join();
    fib(3);
    if (argc > 1)
        std::raise(SIGKILL);
}
END
    config '"sampling": {"active": true, "sample_interval": 0}'
}

# Issue: dot, vfd3; scripts and viewers of Vftrace 2.0
test_each_thread_is_a_file_with_every_call() {
    have python3 || skip "no python3"
    threaded_program
    run_well ./prog
    export_as vfd3 prog_0.vfd
    expect_same "$(cat exported)" prog_all.vfd3 "the folder"
    expect_same "$(find prog_all.vfd3 -name 'prog_0.vfd' | wc -l) $(find prog_all.vfd3 -name 'prog_0_*_[123].vfd' | wc -l)" "1 3" "files of the first thread and of the others"
    read_files prog_all.vfd3/*.vfd
    expect_same "$(calls_in 'fib(int)') $(calls_in 'leaf(int)') $(calls_in 'worker()') $(calls_in main) $(calls_in init)" "50 27 3 1 4" "calls of fib, leaf, worker, main and of the threads' roots"
    grep -q '^Times of the timeline contain the cost of recording and the waits for a core\.$' prog_all.vfd3/remarks.txt || fail "remarks: $(cat prog_all.vfd3/remarks.txt)"
    run_well "$vftr" report prog_all.vfd3/prog_0.vfd
    grep -qE '^\| +5 \|.* fib\(int\) \| +main \|' out || fail "vftr report of the first thread's file has not five calls of fib: $(grep fib out)"
    "$vftr" export --format=vfd3 -o again prog_0.vfd && diff -r prog_all.vfd3 again >differences || fail "an export of the same files differs: $(cat differences)"
    expect_refused 1 'standard output: vfd3 is a folder' "$vftr" export --format=vfd3 -o - prog_0.vfd
}

# A process that calls exec has a recording before it and one after it, and here a thread in each.
test_a_process_that_calls_exec_has_files_for_both_of_its_programs() {
    have python3 || skip "no python3"
    build again.c -pthread <<'END'
#include <pthread.h>
#include <unistd.h>
static void *work(void *unused) { return unused; }
int main(int argc, char **argv)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    if (argc < 3)
        execl(argv[0], argv[0], "again", argc < 2 ? (char *)0 : "and again", (char *)0);
    return 0;
}
END
    config '"sampling": {"active": true, "sample_interval": 0}'
    run_well ./again
    export_as vfd3 -o both again_0.vfd ./*.tmpvfd
    expect_same "$(find both -name 'again_0*.vfd' | wc -l)" 6 "files of two threads of three programs"
    read_files both/*.vfd
    expect_same "$(calls_in work) $(calls_in main)" "3 3" "calls of work and main"
}

test_open_calls_of_a_killed_program_end_at_its_last_event() {
    have python3 || skip "no python3"
    threaded_program
    may_be_killed=yes run ./prog killed 2>shell
    export_as vfd3 -o killed ./*.tmpvfd
    read_files killed/*.vfd
    expect_same "$(calls_in 'fib(int)') $(calls_in main)" "50 1" "calls of fib and main"
}

test_messages_are_those_that_the_program_sent() {
    have python3 || skip "no python3"
    needs_mpi
    build_mpi ring.c <<'END'
#include <mpi.h>
#include <stdio.h>
int main(int count, char **arguments)
{
    int rank, size;
    double out[8] = {0}, in[8];
    MPI_Init(&count, &arguments);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 5; i++) {
        MPI_Request request;
        MPI_Isend(out, i, MPI_DOUBLE, (rank + 1) % size, i, MPI_COMM_WORLD, &request);
        printf("message %d %d %d %d\n", rank, (rank + 1) % size, 8 * i, i);
        MPI_Recv(in, 8, MPI_DOUBLE, MPI_ANY_SOURCE, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Bcast(out, 3, MPI_DOUBLE, 1, MPI_COMM_WORLD);
    if (rank == 1)
        printf("message 1 0 24 -1\nmessage 1 1 24 -1\nmessage 1 2 24 -1\n");
    MPI_Finalize();
    return 0;
}
END
    config '"sampling": {"active": true, "sample_interval": 0}'
    ranks_well 3 ./ring
    LC_ALL=C sort out >sent
    export_as vfd3 ring_?.vfd
    read_files ring_all.vfd3/ring_?.vfd
    grep ^message read | LC_ALL=C sort | diff sent - >differences || fail "messages of the program (<) and of the files (>): $(head -6 differences)"
    expect_same "$(calls_in MPI_Isend) $(calls_in MPI_Bcast)" "15 3" "calls of MPI_Isend and MPI_Bcast"
    run_well "$vftr" dump ring_all.vfd3/ring_1.vfd
    grep -q "MPI_DOUBLE" out || fail "the type of the elements is lost: $(grep -i send out | head -3)"
}

run_tests
