# SPDX-License-Identifier: BSD-3-Clause
# vftr report of a folder: one tree of all processes, however they came about, and their profiles.
. "${srcdir:-.}/test/system/lib.sh"

# driver, child and grandchild are one program: HOW COMMAND…: calls `work` ten times, starts the command as HOW says (exec, fork, vfork,
# spawn), waits for it and ends with code 3. Alone it ends with 0, with `die` by SIGKILL, with `leave` by _exit.
starts() {
    build starts.c "$@" <<'END'
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
extern char **environ;
static void work(void) {}
static int start(char **argv)
{
    const char *how = argv[1];
    pid_t pid = 0;
    if (!strcmp(how, "spawn")) {
        posix_spawn(&pid, argv[2], 0, 0, argv + 2, environ);
    } else if (!strcmp(how, "exec") || (pid = !strcmp(how, "vfork") ? vfork() : fork()) == 0) {
        execv(argv[2], argv + 2);
        _exit(99);
    }
    return waitpid(pid, 0, 0) == pid ? 3 : 4;
}
int main(int argc, char **argv)
{
    for (int i = 0; i < 10; i++)
        work();
    if (argc > 1 && !strcmp(argv[1], "die"))
        raise(SIGKILL);
    if (argc > 1 && !strcmp(argv[1], "leave"))
        _exit(7);
    return argc > 2 ? start(argv) : 0;
}
END
    for copy in driver child grandchild; do cp starts $copy; done
}

# tree [OPTION…]: the trees of the folder as lines "depth ended command", in the file `tree`.
tree() {
    run "$vftr" report --tree --wide "$@" .
    # The last column begins where its title does.
    awk 'NR == 1 { at = index($0, "PROGRAM"); ended = index($0, "ENDED"); next }
        / process(es)?$/ && !/^ / { print "="; next }
        NF { text = substr($0, at); match(text, /^ */); depth = RLENGTH / 2
             status = substr($0, ended, at - ended); gsub(/ +$/, "", status); gsub(/ /, "_", status)
             print depth, status == "" ? "-" : status, substr(text, 2 * depth + 1) }' out >tree
}
expect_tree() { diff <(sed 's/process [0-9]* (no/process (no/' tree) - || fail "that is not the tree; it is: $(cat out err)"; }

# Acceptance case 21
test_a_script_a_driver_its_child_and_grandchild_are_one_tree() {
    config
    starts
    cat >job.sh <<'END'
./driver fork ./child spawn ./grandchild leave
echo done
END
    run_well sh job.sh
    expect_same "$(cat out)" "done" "output of the script"
    tree
    expect_status 0
    expect_tree <<'END'
=
0 exit_3 driver fork ./child spawn ./grandchild leave
1 exit_3 child spawn ./grandchild leave
2 _exit_7 grandchild leave
END
    rm -f ./*.log ./*vfd
    run_well "$vftr" run --quiet sh job.sh
    tree
    expect_tree <<'END'
=
0 - process (no recording)
1 exit_3 driver fork ./child spawn ./grandchild leave
2 exit_3 child spawn ./grandchild leave
3 _exit_7 grandchild leave
END
    report .
    expect_same "$(grep -c === report)" 3 "profiles"
    expect_same "$(grep -c '|    10 |.* work |   main |' report)" 3 "profiles with ten calls of work: $(grep ' work ' report)"
}

test_what_a_process_went_on_as_follows_it() {
    config
    starts
    run ./driver exec ./child vfork ./grandchild
    expect_status 3
    tree
    expect_tree <<'END'
=
0 exec driver exec ./child vfork ./grandchild
0 exit_3 -> child vfork ./grandchild
1 exit_0 grandchild
END
}

# Issue: checkpoint off shows an exec as killed.
test_an_exec_without_a_checkpoint_is_an_exec() {
    config '"processes": {"checkpoint": false}'
    starts
    run ./driver exec ./child
    expect_status 0
    tree
    expect_tree <<'END'
=
0 exec driver exec ./child
0 exit_0 -> child
END
    # Issue: vftr recover said that the process was killed, and so did the report of the file then.
    run_well "$vftr" recover driver_*.tmpvfd
    grep -q 'process [0-9]* went on as another program (exec) after' out || fail "vftr recover: $(cat out)"
    report driver_[0-9]*.vfd
    ! grep -q killed report || fail "the report: $(grep killed report)"
    expect_calls report main 1
    # Where the next program's recording is elsewhere nothing is known of it.
    run ./driver exec ./child
    mkdir elsewhere
    mv driver_*.tmpvfd elsewhere
    run_well "$vftr" recover elsewhere/driver_*.tmpvfd
    grep -q 'was killed' out || fail "vftr recover elsewhere: $(cat out)"
}

# Issue: a snapshot hides the recording in vftr report DIR.
test_a_snapshot_does_not_hide_its_recording() {
    config
    build goes_on.c <<'END'
#include <vftrace.h>
static void work(void) {}
int main(void)
{
    for (int i = 0; i < 10; i++)
        work();
    int failed = vftrace_snapshot("aaa.vfd");
    for (int i = 0; i < 1020; i++)
        work();
    return failed || vftrace_snapshot("zzz.vfd");
}
END
    run_well ./goes_on
    report .
    expect_calls report work 1030
    grep -q '^aaa.vfd is a snapshot of the recording goes_on_all.vfd' report || fail "the early snapshot is not told: $(cat report)"
    grep -q '^zzz.vfd is a snapshot of the recording goes_on_all.vfd' report || fail "the late snapshot is not told"
    # Issue: where files were named the merged one was left out, and the snapshot counted.
    local files verb
    for files in "goes_on_all.vfd aaa.vfd" "zzz.vfd goes_on_all.vfd" "aaa.vfd goes_on_all.vfd zzz.vfd" "aaa.vfd zzz.vfd"; do
        for verb in report "filter suggest"; do
            # shellcheck disable=SC2086
            run "$vftr" $verb $files
            expect_status 0
            expect_same "$(grep -c 'is left out: it is a snapshot' err)" $(($(wc -w <<<"$files") - 1)) "$verb $files: snapshots that are told"
            grep -q '^ *|* *1030 .*work\|work.* 1030 ' out || fail "$verb $files: not 1030 calls of work: $(grep -w work out)"
        done
    done
    rm goes_on_all.vfd
    report .
    expect_calls report work 1030
    grep -q '^aaa.vfd is a snapshot of the recording zzz.vfd' report || fail "the later snapshot does not count: $(cat report)"
    rm zzz.vfd
    tree
    expect_tree <<'END'
=
0 snapshot goes_on
END
    report .
    expect_calls report work 10
}

test_a_killed_child_is_told() {
    config
    starts
    run ./driver fork ./child die
    expect_status 3
    tree
    expect_tree <<'END'
=
0 exit_3 driver fork ./child die
1 killed child die
END
}

test_several_runs_are_trees_by_their_start() {
    config
    starts
    run_well ./driver
    run_well ./child
    run ./driver fork ./child
    tree
    # The second run of driver has replaced the result of the first.
    expect_tree <<'END'
=
0 exit_0 child
=
0 exit_3 driver fork ./child
1 exit_0 child
END
}

# many N: forks N children with one call each, of which the middle one fails.
many_children() {
    build many.c <<'END'
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static void in_child(void) {}
int main(int argc, char **argv)
{
    for (int i = 0, n = atoi(argv[1]); i < n; i++)
        if (fork() == 0) {
            in_child();
            return i == n / 2;
        }
    while (wait(0) > 0) {}
    return argc - 2;
}
END
}

test_many_alike_children_are_one_line_and_one_profile() {
    config
    many_children
    run_well ./many 60
    run "$vftr" report .
    expect_status 0
    expect_same "$(grep -c ' many 60$' out)" 12 "lines: $(head -30 out)" # the parent, ten, and the one that failed
    grep -q 'exit 0  *(49 more of many)$' out || fail "no sum: $(head -30 out)"
    grep -q ' 61 processes$' out || fail "not 61 processes: $(head -3 out)"
    grep -q '^=== many: 61 processes$' out || fail "no sum of 61: $(grep === out)"
    expect_calls out in_child 60
    tree --all
    expect_same "$(grep -c '^1 exit_0 many 60$' tree)" 59 "children that ended well"
    expect_same "$(grep -c '^1 exit_1 many 60$' tree)" 1 "children that did not"
}

# Processes end while the files are read.
test_a_folder_in_which_processes_end_is_shown_whole() {
    config
    starts
    run_well ./driver
    (for ((i = 0; i < 60; i++)); do VFTR_PARENT=1.1.0.1 ./child; done) 2>err.children &
    local storm=$! looks=0
    while kill -0 $storm 2>/dev/null; do
        "$vftr" report . >report 2>err || fail "vftr report: $(cat err)"
        expect_same "$(cat err)" "" "stderr of vftr report"
        looks=$((looks + 1))
    done
    wait $storm || fail "a child ends badly: $(cat err.children)"
    expect_at_least $looks 1 "looks"
    report --program child .
    expect_calls report work 600
}

test_processes_can_be_chosen_and_shown_one_by_one() {
    local pid
    config
    starts
    run ./driver fork ./child fork ./grandchild
    report --program child .
    expect_same "$(grep === report)" "=== child: process $(awk '/ child fork/ { print $1; exit }' report)" "the only profile"
    expect_same "$(sed -n '3,/^$/p' report | grep -c .)" 2 "lines of the tree: child and what it descends from"
    report --each .
    expect_same "$(grep -c '^=== process' report)" 3 "profiles of all: $(grep === report)"
    pid=$(awk '$NF == "grandchild" { print $1; exit }' report)
    report --pid "$pid" .
    expect_same "$(grep === report)" "=== grandchild: process $pid" "the only profile"
    run "$vftr" report --pid 999999999 .
    expect_status 1
    mkdir logs
    report --output=logs .
    expect_same "$(cd logs && echo *)" "child_processes.log driver_processes.log grandchild_processes.log" "logs"
    grep -q PROGRAM report || fail "the tree is not printed"
}

test_files_that_are_no_recordings_are_one_line_each_and_the_rest_is_shown() {
    config
    starts
    run_well ./driver
    printf 'no vfd file' >text.vfd
    head -c 900 driver_all.vfd >cut.vfd
    mkdir folder.vfd
    mkfifo pipe.tmpvfd
    touch other.txt
    tree
    expect_status 1
    expect_same "$(grep -c '^vftr: \(text.vfd\|cut.vfd\|pipe.tmpvfd\)' err) $(wc -l <err)" "3 3" "lines on stderr: $(cat err)"
    expect_tree <<'END'
=
0 exit_0 driver
END
    mkdir empty
    run "$vftr" report empty
    expect_status 1
    expect_same "$(cat out)" "" "output for an empty folder"
    expect_same "$(wc -l <err)" 1 "lines on stderr: $(cat err)"
}

test_the_files_of_several_processes_are_a_tree_too() {
    config
    starts
    run ./driver fork ./child
    run "$vftr" report ./*.vfd
    mv out by_files
    run "$vftr" report .
    diff out by_files || fail "the files show something else than the folder"
    grep -q '^ *[0-9]*  .* child$' out || fail "no tree: $(cat out)"
}

# mpirun_two COMMAND…
mpirun_two() {
    local flags=(-n 2)
    ! "$MPIRUN" --version 2>&1 | grep -q 'Open MPI' || flags+=(--oversubscribe --allow-run-as-root)
    run ${driver:-} "$(command -v "$MPIRUN")" "${flags[@]}" "$@"
}
# Rank 1 forks a child.
rank_program() {
    [ -n "${MPICC:-}" ] || skip "built without MPI"
    cc=$MPICC build rank.c <<'END'
#include <mpi.h>
#include <sys/wait.h>
#include <unistd.h>
static void work(void) {}
int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    work();
    if (rank == 1 && fork() == 0) {
        work();
        _exit(7);
    }
    wait(0);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
}
END
}

test_an_mpi_job_that_a_driver_starts_is_in_its_tree() {
    config
    rank_program
    starts
    driver='./driver fork' mpirun_two "$PWD/rank"
    expect_status 3
    tree
    sed -i -e 's/^0 exit_3 driver .*/0 exit_3 driver/' -e 's/^1 exit_0 2/1 - 2/' tree
    expect_same "$(sed -n 2,3p tree)" "0 exit_3 driver
1 - 2 ranks of rank" "driver and job: $(cat out)"
    for each in "" --each; do
        # shellcheck disable=SC2086
        report $each .
        grep -q '^=== rank: 2 processes of an MPI job$' report || fail "no profile of the job $each: $(grep === report)"
    done
}

test_ranks_with_files_of_their_own_are_lines_below_their_job() {
    config '"sampling": {"active": true}'
    rank_program
    mpirun_two ./rank
    expect_status 0
    tree
    expect_tree <<'END'
=
0 exit_0 2 ranks of rank
1 exit_0 rank
1 exit_0 rank
2 _exit_7 rank
END
    report .
    expect_same "$(grep === report)" "=== rank: 3 processes of an MPI job" "profiles"
    expect_calls report work 3
    expect_calls report MPI_Barrier 2
    report --each .
    expect_same "$(grep -c '^=== process [0-9]*: rank$' report)" 3 "profiles one by one: $(grep === report)"
}

run_tests
