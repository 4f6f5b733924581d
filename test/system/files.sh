# SPDX-License-Identifier: BSD-3-Clause
# Files are where the configuration says, and trouble with them or with the configuration never harms the program.
. "${srcdir:-.}/test/system/lib.sh"

test_an_unwritable_directory_is_one_warning() {
    [ "$(id -u)" != 0 ] || have setpriv || skip "root can write everywhere"
    mkdir closed
    chmod 555 closed
    chmod 755 . .. 2>/dev/null
    build prog
    config '"output_directory": "closed"'
    # As root, without the right to write everywhere.
    if [ "$(id -u)" = 0 ]; then
        run setpriv --bounding-set=-dac_override --inh-caps=-dac_override ./prog
    else
        run ./prog
    fi
    expect_ending 3 500
    expect_at_most "$(grep -c . err)" 8 "lines on stderr"
    expect_at_least "$(grep -c closed err)" 1 "lines that name the directory"
}

test_a_missing_directory_is_told_once() {
    build prog
    config '"output_directory": "missing"'
    run ./prog
    expect_ending 3 500
    expect_said_once '^Error: .*output_directory'
    expect_said_once 'recording goes on; .*files go to the current directory'
    # The option keeps its default.
    expect_calls prog_all.log leaf 1000
}

test_a_read_only_working_directory_is_one_warning() {
    [ -d /proc/self ] || skip "no /proc"
    local here=$PWD
    build prog
    config
    cd /proc/self || skip "cannot enter /proc/self"
    status=0
    timeout 300 "$here/prog" >"$here/out" 2>"$here/err" || status=$?
    cd "$here" || exit 1
    expect_ending 3 500
    expect_said_once 'vftrace: warning:'
}

test_a_full_disk_is_one_warning_and_the_profile_goes_on() {
    [ "$(id -u)" = 0 ] || skip "mounting a small file system needs root"
    mkdir disk
    mount -t tmpfs -o size=300k tmpfs disk 2>/dev/null || skip "cannot mount a tmpfs"
    trap 'umount disk' EXIT
    config '"sampling": {"active": true, "sample_interval": 0}, "output_directory": "'"$PWD"'/disk"'
    build prog
    run ./prog 400000
    expect_ending 3 200000
    expect_at_least "$(grep -c vftrace: err)" 1 "warnings"
    expect_at_most "$(grep -c 'cannot extend' err)" 1 "warnings that the file cannot grow"
    ls -la disk
    # What fitted can be read.
    local file
    file=$(ls disk/*vfd | head -1)
    expect_file "$file"
    report "$file"
}

test_a_bad_configuration_is_told_once_and_never_fatal() {
    build prog
    local text
    for text in 'nonsense' '{' '{"sampling": 5}' '{"sampling": {"sample_interval": -1}}' '[]' '' \
        '{"off": "yes"}' '{"logfile_for_ranks": "5-2"}' '{"sampling": {"precise_functions": "("}}' '{"a": 1,}'; do
        printf '%s\n' "$text" >bad.json
        VFTR_CONFIG=bad.json run ./prog
        expect_ending 3 500
        [ -s err ] || fail "nothing is said about $text"
        expect_at_most "$(grep -c '^Error' err)" 1 "errors told about $text: $(head -5 err)"
        expect_file prog_all.log
        rm -f -- *.log *vfd
    done
    VFTR_CONFIG=missing.json run ./prog
    expect_ending 3 500
    expect_at_least "$(grep -c missing.json err)" 1 "lines that name the missing file"
    VFTR_CONFIG=/ run ./prog
    expect_ending 3 500
    printf '{"samplingg": {}}' >bad.json
    VFTR_CONFIG=bad.json run ./prog
    expect_ending 3 500
    expect_said_once '^Warning: "samplingg"'
    expect_said_once 'Did you mean "sampling"?'
}

test_the_basename_and_the_directory_of_the_configuration_are_used() {
    mkdir there
    config '"output_directory": "there", "outfile_basename": "mine", "sampling": {"active": true}'
    build prog
    run ./prog
    expect_ending 3 500
    expect_calls there/mine_all.log leaf 1000
    expect_file there/mine_0.vfd
    expect_same "$(ls ./*.log ./*vfd 2>/dev/null)" "" "files beside the program"
}

test_a_program_that_changes_its_directory_has_its_files_where_it_began() {
    config
    build moves.c <<'END'
#include <unistd.h>
static void leaf(void) {}
int main(void) { leaf(); int bad = chdir("/"); leaf(); return bad; }
END
    run_well ./moves
    expect_calls moves_all.log leaf 2
}

run_tests
