# SPDX-License-Identifier: BSD-3-Clause
# vftr run of commands that start others: all of them are recorded, and in the summary.
. "${srcdir:-.}/test/system/lib.sh"

linkage=none

# tree FILE: the rows of a summary's tree: "<depth> program arguments", in its order.
tree() {
    awk '/ENDED/ { at = index($0, "PROGRAM"); on = 1; next }
        on && /^$/ { exit }
        on && /^ *[0-9]+ / { row = substr($0, at); n = match(row, /[^ ]/) - 1; print n / 2, substr(row, n + 1) }' "$1"
}

driver() {
    build driver.c <<'END'
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static void leaf(void) {}
int main(int argc, char **argv)
{
    int status = 0;
    leaf();
    if (argc > 1) {
        if (fork() == 0) {
            execvp(argv[1], argv + 1);
            _exit(99);
        }
        wait(&status);
    }
    return WEXITSTATUS(status);
}
END
    cp driver child
    cp driver grandchild
}

# Acceptance case 21
test_the_processes_of_a_script_are_one_tree() {
    config
    driver
    printf '#!/bin/sh\n./driver ./child ./grandchild\n./grandchild\n' >script
    chmod +x script
    run "$vftr" run --summary=sum -- ./script
    expect_status 0
    expect_same "$(tree sum)" '1 driver ./child ./grandchild
2 child ./grandchild
3 grandchild
1 grandchild' "the tree in: $(cat sum)"
    run "$vftr" run --summary=sum -- ./driver ./child
    expect_same "$(tree sum)" '0 driver ./child
1 child' "the tree in: $(cat sum)"
    expect_calls driver_all.log leaf 1
}

test_without_following_new_environments_stay_as_they_are() {
    config
    driver
    run "$vftr" run --summary=sum -- env -i ./child
    expect_status 0
    expect_same "$(tree sum)" '0 child' "the tree in: $(cat sum)"
    run "$vftr" run --no-follow -- env -i ./child
    expect_status 0
    expect_said_once 'vftr run: nothing was recorded'
}

test_mistakes_of_the_configuration_are_told_once() {
    driver
    echo '{"sampling": {"active": 3}}' >bad.json
    VFTR_CONFIG=bad.json run "$vftr" run -q -- ./driver ./child
    expect_status 0
    expect_said_once '"sampling.active" is 3'
    VFTR_OFF=1 VFTR_CONFIG=bad.json run "$vftr" run -q -- ./driver ./child
    expect_same "$(cat err)" '' 'stderr with VFTR_OFF'
}

# Issue: of several `vftr run -o r CMD` at once in one folder one log is left.
test_runs_at_the_same_time_in_one_folder_leave_a_log_each() {
    config
    driver
    local i
    for i in 1 2 3; do
        # All have begun before the first one ends.
        "$vftr" run -o results -- sh -c "./driver ./child; touch begun.$i; while ! [ -e begun.1 -a -e begun.2 -a -e begun.3 ]; do sleep 0.05; done; :" 2>said.$i &
    done
    wait
    expect_same "$(ls results/sh_run*.log | wc -l)" 3 "logs of: $(ls results)"
    expect_file results/sh_run.log
    for i in 1 2 3; do
        expect_file "$(sed -n 's/ has the profiles, .*//p' said.$i)"
    done
    expect_same "$(sed -n 's/ has the profiles, .*//p' said.? | sort -u | wc -l)" 3 "logs that are named"
    # A later one replaces that of an earlier one.
    run "$vftr" run -o results -- sh -c './driver ./child; :'
    grep -q "results/sh_run.log has the profiles" err || fail "the log of the later run: $(cat err)"
    expect_same "$(ls results/sh_run*.log | wc -l)" 3 "logs"
}

# Issue: "A killed run does not leave the previous run's log looking like its own."
test_the_log_of_all_processes_of_the_run_before_is_not_there_after_a_killed_run() {
    config
    driver
    run "$vftr" run -o results -- sh -c './driver ./child; :'
    cp results/sh_run.log first.log
    cp first.log results/driver_run.log
    # shellcheck disable=SC2016
    may_be_killed=1 run "$vftr" run -o results -- sh -c './driver ./child; kill -9 $PPID'
    expect_status 137
    expect_no_file results/sh_run.log
    cmp results/sh_run.log.previous first.log || fail "the log of the run before is lost"
    cmp results/driver_run.log first.log || fail "the log of another command is gone"
    VFTR_OFF=1 run "$vftr" run -o results -- ./driver ./child
    cmp results/driver_run.log first.log || fail "the log was set aside with VFTR_OFF"
    run "$vftr" run -o results -- sh -c './driver ./child; :'
    expect_file results/sh_run.log
    expect_no_file results/sh_run.log.previous
    echo 'my own notes' >results/sh_run.log
    # shellcheck disable=SC2016
    may_be_killed=1 run "$vftr" run -o results -- sh -c './driver ./child; kill -9 $PPID'
    expect_same "$(cat results/sh_run.log)" 'my own notes' "what is no log of ours"
}

# Issue: what only a child was given was told by nobody.
test_mistakes_of_a_childs_own_configuration_are_told_once() {
    config
    driver
    echo '{"sampling": {"active": 3}}' >bad.json
    echo '{"hwprof": {"active": true}}' >vain.json
    build shells.c <<'END'
#include <stdlib.h>
static void leaf(void) {}
int main(void)
{
    leaf();
    return system("VFTR_CONFIG=bad.json ./child; ./child") || system("VFTR_CONFIG=vain.json ./child");
}
END
    local way
    # shellcheck disable=SC2016
    for way in 'VFTR_CONFIG=bad.json ./child' 'cd . && VFTR_CONFIG=$PWD/bad.json ./driver ./child' 'export VFTR_CONFIG=bad.json; exec ./driver ./child' \
        'env VFTR_CONFIG=bad.json sh -c "./child; ./child"'; do
        run "$vftr" run -q -- sh -c "$way"
        expect_status 0
        expect_said_once '"sampling.active" is 3'
        expect_same "$(grep -c 'recording goes on' err)" 1 "lines on what becomes of it: $way"
    done
    # The one that is linked is above a shell that is not preloaded.
    for way in "$vftr run -q --" ""; do
        if [ -z "$way" ]; then
            linkage=shared driver
            linkage=shared build shells
        fi
        # shellcheck disable=SC2086
        run $way ./shells
        expect_status 0
        expect_said_once '"sampling.active" is 3'
        expect_said_once 'hwprof.*takes\? effect in a later version'
    done
}

# Issue: vftr run writes one log, not one per child
test_run_writes_one_log_of_all_processes() {
    config
    driver
    run "$vftr" run -o results -- sh -c './driver ./child; ./child; :'
    expect_status 0
    expect_same "$(cd results && echo *.log)" sh_run.log "logs"
    grep -qx '=== driver: 1 process' results/sh_run.log || fail "no profile of driver: $(grep === results/sh_run.log)"
    grep -qx '=== child: 2 processes' results/sh_run.log || fail "no profile of child: $(grep === results/sh_run.log)"
    expect_same "$(ls results/*.vfd | wc -l)" 3 "recordings"
    # Unless it is said otherwise.
    VFTR_EXEC_LOGS=all run "$vftr" run -o all -- sh -c './driver ./child; :'
    expect_same "$(ls all/*_all.log | wc -l) $(ls all | grep -c _run.log)" "2 0" "logs, VFTR_EXEC_LOGS=all"
    config '"processes": {"logs": "all"}'
    run "$vftr" run -o said -- sh -c './driver ./child; :'
    expect_same "$(ls said/*_all.log | wc -l) $(ls said | grep -c _run.log)" "2 0" "logs, processes.logs all"
    config
    # A single process has its own.
    run "$vftr" run -o single -- ./child
    expect_same "$(cd single && echo *.log)" child_all.log "logs of a single process"
    # A linked program is as ever.
    linkage=shared driver
    run ./driver ./child
    expect_same "$(ls ./*_all.log | wc -l)" 2 "logs without vftr run"
}

# 40 + 40² + 40³ call paths, of which each is called once.
many_paths() {
    local i table=
    {
        echo 'typedef void function(int); static function *const all[40];'
        for i in $(seq 40); do
            echo "static void f$i(int depth) { if (depth) for (int k = 0; k < 40; k++) all[k](depth - 1); }"
            table+="f$i, "
        done
        echo "static function *const all[40] = {$table};"
        echo 'int main(void) { for (int k = 0; k < 40; k++) all[k](2); return 0; }'
    } >source
    build paths.c <source
}

# Issue: a closed recording at most a tenth of today's size (compact columns, zstd)
test_the_recording_of_a_child_with_many_paths_is_small() {
    local paths=$((40 + 1600 + 64000)) node_bytes=64 where
    config
    many_paths
    run "$vftr" run -q -o packed -- sh -c './paths; :'
    as_if_missing libzstd.so.1 "$vftr" run -q -o plain -- sh -c './paths; :'
    for where in packed plain; do
        [ "$(stat -c %s $where/paths_*.vfd)" -le $((paths * node_bytes / 10)) ] ||
            fail "a $where recording of $paths paths has $(stat -c %s $where/paths_*.vfd) bytes"
        report $where/paths_*.vfd
        expect_calls report f17 $((1 + 40 + 1600))
    done
    if [ "$(stat -c %s packed/paths_*.vfd)" -lt "$(stat -c %s plain/paths_*.vfd)" ]; then # built with libzstd
        as_if_missing libzstd.so.1 "$vftr" report packed/paths_*.vfd
        expect_said_once 'its call paths are compressed, and libzstd.so.1, which is needed to read them, cannot be loaded'
    fi
}

test_a_parallel_make() {
    have make || skip 'no make'
    config
    driver
    printf 'all: 1 2 3 4 5 6\n1 2 3 4 5 6:\n\t@./driver ./child\n' >Makefile
    run "$vftr" run -o results --summary=sum -- make -j3
    expect_status 0
    expect_same "$(cat err)" '' stderr
    expect_same "$(tree sum | sort | uniq -c | tr -s ' ')" ' 6 1 driver ./child
 6 2 child' "the tree in: $(cat sum)"
}

test_what_still_runs_is_in_the_summary() {
    config
    build waits.c <<'END'
#include <stdio.h>
int main(void) { return getchar() == 0; }
END
    mkfifo in
    exec 9<>in
    run "$vftr" run --summary=sum -- sh -c './waits <in >/dev/null 2>&1 & while ! ls waits*vfd 2>/dev/null; do :; done'
    expect_status 0
    echo >&9
    grep -q waits sum || fail "not there: $(cat sum)"
}

# "$vftr run" of a launcher: its ranks are recorded.
test_a_job_of_a_launcher_is_recorded() {
    [ -n "${MPIRUN:-}" ] || skip "no mpirun"
    config
    cat >job.c <<'END'
#include <mpi.h>
static void leaf(void) {}
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 7; i++)
        leaf();
    MPI_Finalize();
    return 0;
}
END
    "$MPICC" -g -finstrument-functions job.c -o job || fail "$MPICC"
    local more=
    ! "$MPIRUN" --version | grep -q 'Open MPI' || more='--allow-run-as-root --oversubscribe'
    # shellcheck disable=SC2086
    run "$vftr" run -- "$MPIRUN" $more -n 2 ./job
    expect_status 0
    expect_calls job_all.log leaf 14
    rm job_all.*
    # One of several copies speaks.
    # shellcheck disable=SC2086
    run "$MPIRUN" $more -n 2 "$vftr" run -- ./job
    expect_status 0
    expect_calls job_all.log leaf 14
    expect_said_once '2 ranks of job'
    expect_same "$(grep -c 'nothing was recorded' err)" 0 'copies that found nothing'
}

run_tests
