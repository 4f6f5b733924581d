# SPDX-License-Identifier: BSD-3-Clause
# vftr doctor: configuration, output directory, limits and earlier recordings.
. "${srcdir:-.}/test/system/lib.sh"
. "$srcdir/test/system/doctor/findings.sh"

test_switched_off() {
    program
    VFTR_OFF=1 doctor ./program
    expect_problem 'VFTR_OFF is set' 'unset VFTR_OFF'
    config '"off": true'
    doctor ./program
    expect_problem 'configuration switches recording off' '"off": true'
}

test_a_configuration_with_mistakes() {
    program
    VFTR_CONFIG=/no/such/file doctor ./program
    expect_problem '/no/such/file: .*cannot be read'
    printf '{\n"sampling": {"active": 3}}\n' >bad.json
    VFTR_CONFIG=bad.json doctor ./program
    expect_problem 'bad.json:2:[0-9]*: error: "sampling.active"' 'vftr config check'
    config '"include_cxx_prelude": true, "processes": {"follow": false}'
    doctor ./program
    expect_healthy
    said "^ok: the configuration: $VFTR_CONFIG"
    said '^ok: .*not followed'
    not_said 'before main'
    config '"sampling": {"keep_last": "10 s"}'
    doctor ./program
    expect_healthy
    said '^ok: .*"sampling.keep_last" does nothing'
    unset VFTR_CONFIG
    doctor ./program
    said '^ok: .*before main'
}

test_a_static_program_that_cannot_read_a_configuration() {
    linkage=static
    program
    "${NM:-nm}" program | grep -q ' T cJSON_Parse$' && skip 'there is a static libcjson'
    config
    linkage=none # here the configuration stays as it is
    doctor ./program
    expect_problem 'VFTR_CONFIG is not read' 'libcjson.a'
}

test_an_output_directory_that_cannot_be_written_to() {
    program
    VFTR_OUTPUT_DIRECTORY=$PWD/absent doctor ./program
    expect_status 1
    said '^problem: .*absent'
    [ -d /proc/self ] || skip 'no /proc'
    VFTR_OUTPUT_DIRECTORY=/proc doctor ./program
    expect_status 1
    said '^problem: .*/proc'
}

test_a_full_disk() {
    program
    mkdir full
    # A file system of the test's own, where that is allowed.
    unshare -rm true 2>/dev/null || skip 'no mounts of its own'
    run unshare -rm sh -c 'mount -t tmpfs -o size=64k none full && cd full && VFTR_OUTPUT_DIRECTORY=$PWD exec "$@"' sh "$vftr" doctor ../program
    expect_problem 'No space left on device' 'make room'
}

test_limits() {
    program
    (ulimit -f 100 && doctor ./program && said '^problem: files may have' && said '^problem: no recording.*File too large') || exit 1
    (ulimit -f 100000 && doctor ./program && expect_healthy && said '^ok: .*ulimit -f') || exit 1
    (ulimit -v 200000 && doctor ./program && expect_problem 'address space is limited' 'ulimit -v') || exit 1
    (ulimit -c 0 && doctor ./program && expect_healthy && said '^ok: .*core dump') || exit 1
    (ulimit -n 12 && doctor ./program && expect_problem '12 open files' 'ulimit -n') || exit 1
}

test_recordings_of_earlier_runs() {
    program
    doctor ./program
    not_said 'there already'
    run_well ./program
    doctor ./program
    expect_healthy
    said '^ok: 1 recording is there already; vftr report'
    build dies.c <<'END'
#include <signal.h>
int main(void) { return raise(SIGKILL); }
END
    may_be_killed=1 run ./dies
    doctor ./program
    expect_healthy
    said '^ok: 2 recordings are there already, 1 of processes that were killed'
}

run_tests
