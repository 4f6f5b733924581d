# SPDX-License-Identifier: BSD-3-Clause
# What the results of followed processes are called: none is lost, none replaced.
. "${srcdir:-.}/test/system/lib.sh"
. "$srcdir/test/system/processes/drive.sh"
. "$srcdir/test/system/processes/header.sh"

# Files of this folder but for sources and programs, pids as N.
results() { ls | grep -E '\.(log|vfd|tmpvfd)$' | sed -E 's/_[0-9]+/_N/' | sort | uniq -c | awk '{ print $1 "*" $2 }' | tr '\n' ' '; }

test_a_program_that_is_started_three_times_leaves_three_results() {
    config
    driver
    shower
    local child
    run_well ./drive fork3 -- ./show
    expect_same "$(results)" "1*drive_all.log 1*drive_all.vfd 3*show_N.vfd 3*show_N_all.log " "results"
    expect_calls drive_all.log work 1
    for child in show_[0-9]*.vfd; do
        report "$child"
        expect_calls report leaf 3
        expect_calls "${child%.vfd}_all.log" leaf 3
        expect_same "$(parent_pid_in "$child") $(parent_start_in "$child")" "$(pid_in drive_all.vfd) $(start_in drive_all.vfd)" \
            "the recording before $child"
        expect_same "$(generation_in "$child")" 0 "generation of $child"
    done
    # And once more: of the driver the later run counts, the children's results have ids of their own.
    run_well ./drive fork3 -- ./show
    expect_same "$(results)" "1*drive_all.log 1*drive_all.vfd 6*show_N.vfd 6*show_N_all.log " "results of two runs"
}

test_the_next_program_of_a_process_is_named_as_the_one_before() {
    config
    driver
    shower
    # Of a program that the user started: plain.
    run_well ./drive exec -- ./show
    expect_same "$(results)" "1*drive_N.tmpvfd 1*show_all.log 1*show_all.vfd " "results of a program that becomes another"
    expect_calls show_all.log leaf 3
    report drive_*.tmpvfd
    expect_calls report work 1
    expect_same "$(generation_in show_all.vfd)" 1 "generation of the second program"
    expect_same "$(parent_pid_in show_all.vfd)" "$(pid_in show_all.vfd)" "pid of the one before"
    rm -f -- *.log *vfd
    # Of its child: with the pid.
    run_well ./drive fork -- ./drive exec -- ./show
    expect_same "$(results)" "1*drive_N.tmpvfd 1*drive_all.log 1*drive_all.vfd 1*show_N.vfd 1*show_N_all.log " "results below a driver"
    expect_same "$(generation_in show_*.vfd)" 1 "generation of the grandchild"
    expect_same "$(pid_in show_*.vfd)" "$(pid_in drive_*.tmpvfd)" "pid of both"
}

# Issue: 20 recordings in pid namespaces in one folder: 27 to 31 of 40 remain (names with reused pids).
test_recordings_of_several_pid_namespaces_in_one_folder_are_all_kept() {
    unshare -rpf true 2>/dev/null || skip "no namespaces of process ids here"
    config '"sampling": {"active": true}'
    build forks.c <<'END'
#include <sys/wait.h>
#include <unistd.h>
static void leaf(void) {}
int main(void)
{
    leaf();
    while (access("all_run", F_OK))
        usleep(1000);
    if (fork() == 0) {
        leaf();
        return 0;
    }
    wait(0);
    leaf();
    return 0;
}
END
    local i jobs=()
    for ((i = 0; i < 20; i++)); do
        timeout -k 1 "$run_limit" unshare -rpf ./forks 2>>err &
        jobs+=($!)
    done
    until [ "$(find . -name '*.tmpvfd' | wc -l)" = 20 ]; do sleep 0.02; done
    : >all_run
    wait "${jobs[@]}" || fail "a run fails: $(cat err)"
    expect_same "$(find . -name '*.log' | wc -l) $(find . -name '*.vfd' ! -name '*_all.vfd' | wc -l)" "40 40" "logs and recordings"
    report $(find . -name '*.vfd' ! -name '*_all.vfd')
    expect_calls report main 20
    expect_calls report leaf 60
}

test_a_process_that_has_been_very_many_programs_has_one_more_recording() {
    config
    shower
    # Of those before files with nothing in them.
    VFTR_PARENT=1.1.0.1 run_well sh -c ': >show_$$.tmpvfd; i=1; while [ $i -lt 1100 ]; do : >show_$$.$i.tmpvfd; i=$((i + 1)); done; exec ./show'
    report show_*.1100.vfd
    expect_calls report leaf 3
}

test_only_the_first_process_writes_a_log_if_that_is_wanted() {
    config '"processes": {"logs": "first"}'
    driver
    shower
    run_well ./drive fork3 -- ./show
    expect_same "$(results)" "1*drive_all.log 1*drive_all.vfd 3*show_N.vfd " "results"
    report show_*.vfd
    expect_calls report leaf 9
    rm -f -- *.log *vfd
    run_well ./drive exec -- ./show
    expect_same "$(results)" "1*drive_N.tmpvfd 1*show_all.log 1*show_all.vfd " "results of the next program"
}

test_a_bad_configuration_is_told_once_in_a_tree() {
    driver
    shower
    echo '{"outfile_basenam": "x"}' >c.json
    local how
    for how in fork3 spawn vfork exec; do
        VFTR_CONFIG=c.json run ./drive $how -- ./show
        expect_status 0
        expect_said_once '"outfile_basenam" is not a valid vftrace option'
    done
    VFTR_CONFIG=c.json run "$vftr" run --quiet -- sh -c './show; ./show'
    expect_status 0
    expect_said_once '"outfile_basenam" is not a valid vftrace option'
}

test_a_timeline_is_in_the_childs_recording() {
    config '"sampling": {"active": true, "sample_interval": 0}'
    driver
    shower
    run_well ./drive fork -- ./show
    expect_same "$(results)" "1*drive_N.vfd 1*drive_all.log 1*drive_all.vfd 1*show_N.vfd 1*show_N_all.log " "results"
    "$vftr" dump show_*.vfd >dumped || fail "vftr dump"
    expect_same "$(grep -c 'leaf' dumped | sed 's/^[1-9].*/some/')" some "lines with leaf in the timeline"
}

run_tests
