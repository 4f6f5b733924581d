# SPDX-License-Identifier: BSD-3-Clause
# vftr run: any command with the library preloaded; nothing else of it changes.
. "${srcdir:-.}/test/system/lib.sh"
. "${srcdir:-.}/test/system/processes/run_program.sh"

preloaded() {
    config
    program
    run "$vftr" run -- ./program
    expect_status 0
    expect_same "$(cat out)" "" "the program's output"
    grep -qx 'to stderr' err || fail "the program's stderr is not there"
    expect_calls program_all.log leaf 7
    grep -q program err || fail "no summary: $(cat err)"
    rm -f -- *.log *vfd
}
test_an_instrumented_program_that_is_not_linked_is_recorded() { with_each_compiler preloaded; }

test_output_goes_through_and_the_summary_to_stderr_or_a_file() {
    config
    program
    printf 'one\ntwo\n' >in
    run "$vftr" run --summary=sum -- ./program copy <in
    cmp in out || fail "stdout differs"
    expect_same "$(cat err)" 'to stderr' stderr
    grep -q program sum || fail "no summary in its file: $(cat sum)"
    run "$vftr" run --quiet ./program copy <in
    expect_same "$(cat err)" 'to stderr' "stderr with --quiet"
    run "$vftr" run --summary=no/such/file ./program
    expect_status 2
    grep -q 'no/such/file' err || fail "$(cat err)"
}

test_the_exit_code_is_the_commands() {
    config
    program
    for code in 0 1 2 77 126 127 255; do
        run "$vftr" run -q -- ./program exit $code
        expect_status $code
    done
    for signal in 9 15 11 2; do
        may_be_killed=1 run "$vftr" run -q ./program die $signal
        expect_status $((128 + signal))
        expect_said_once "vftr run: ./program was ended by signal $signal"
    done
    run "$vftr" run ./absent
    expect_status 127
    expect_same "$(cat err)" 'vftr run: ./absent: command not found' stderr
    run "$vftr" run absent_command
    expect_status 127
    mkdir closed
    chmod 0 closed
    PATH=$PWD/closed:$PATH run "$vftr" run absent_command
    expect_status 127
    chmod 700 closed
    : >closed/not_executable
    PATH=$PWD/closed:$PATH run "$vftr" run not_executable
    expect_status 126
    echo text >file
    run "$vftr" run ./file
    expect_status 126
    expect_same "$(cat err)" 'vftr run: ./file: Permission denied' stderr
}

test_wrong_usage_is_2_and_nothing_starts() {
    for arguments in '' '--no-such ./x' '-o'; do
        # shellcheck disable=SC2086
        run "$vftr" run $arguments
        expect_status 2
    done
    echo '{"sampling": {"active": 3}}' >bad.json
    run "$vftr" run -c bad.json -- touch started
    expect_status 2
    expect_no_file started
    expect_said_once 'bad.json:1'
    run "$vftr" run -c absent.json -- touch started
    expect_status 2
    expect_no_file started
    run "$vftr" run --library=absent.so -- touch started
    expect_status 2
    run "$vftr" run -o bad.json/x -- touch started
    expect_status 2
    expect_no_file started
}

test_results_go_to_the_directory_that_was_asked_for() {
    config
    program
    mkdir elsewhere
    run "$vftr" run -o new/folder -- sh -c 'cd elsewhere && exec ../program'
    expect_status 0
    expect_calls new/folder/program_all.log leaf 7
    expect_same "$(ls elsewhere)" "" "files in the command's own directory"
    mkdir configured
    config '"output_directory": "configured"'
    run "$vftr" run -- sh -c 'cd elsewhere && exec ../program'
    expect_calls configured/program_all.log leaf 7
    config '"outfile_basename": "other"'
    mv config.json mine.json
    unset VFTR_CONFIG
    run "$vftr" run -o . -c mine.json sh -c 'cd elsewhere && exec ../program'
    expect_calls other_all.log leaf 7
}

# Results of other runs in the same folder are none of ours.
test_only_recordings_of_this_run_are_in_the_summary() {
    config '"outfile_basename": "older"'
    program
    run "$vftr" run -q -- ./program
    expect_file older_all.vfd
    run "$vftr" run -- true
    expect_said_once 'vftr run: nothing was recorded'
    config '"outfile_basename": "newer"'
    cp program other
    run "$vftr" run --summary=sum -- ./other
    grep -q other sum || fail "not in the summary: $(cat sum)"
    ! grep -q program sum || fail "an earlier run is in the summary: $(cat sum)"
}

test_a_command_without_recordings_is_pointed_to_the_doctor() {
    run "$vftr" run -- true
    expect_status 0
    expect_said_once 'vftr run: nothing was recorded'
    grep -q 'vftr doctor -- true says why' err || fail "$(cat err)"
    config
    program
    VFTR_OFF=1 run "$vftr" run -- ./program
    expect_said_once 'vftr run: nothing was recorded'
    linkage=none program -static
    run "$vftr" run -- ./program
    expect_status 0
    expect_said_once 'vftr run: nothing was recorded'
}

run_tests
